// What can be set: each key beside the value that it sets. The file, the environment, the flags,
// the help and docs/configuration.md are all made from one list of these: they cannot disagree.
//
//   settings.section("pets");
//   settings.add("food", OneLine{"a name"}, food_, "What they are given.");
//   settings.add("meals", Whole{1, 9}, meals_, "How often a day they are fed.");
//
// What a value has before is its default. A form (setting_forms.h) says how values are written:
//   static constexpr Setting::Type type;
//   std::string accepts() const;                        for people: completes "expected …"
//   bool read(std::string_view text, T& value) const;   false, nothing changed, for what is none
//   std::string show(const T& value) const;             what read() would take
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::program {

struct Setting {
    enum class Type { text, integer };  // In the TOML file. Elsewhere everything is text.

    std::string_view section, key;
    Type type;
    std::string accepts;
    std::string_view help;  // One sentence.
    std::string_view flag;  // With its dashes; empty if there is none.
    bool is_secret;         // A bad value is not shown.
    std::function<bool(std::string_view)> set;
    std::function<std::string()> show;

    std::string path() const;         // section.key
    std::string environment() const;  // MAILROOM_SECTION_KEY
};

// What few settings have.
struct Besides {
    std::string_view flag = "";
    bool is_secret = false;
};

class Settings {
public:
    // For those that follow. All names and sentences must outlive the list: they are literals.
    void section(std::string_view name) { section_ = name; }

    // `value` must outlive the list.
    template <class Form, class T>
    void add(std::string_view key, const Form& form, T& value, std::string_view help,
             const Besides& besides = {}) {
        add({section_, key, Form::type, form.accepts(), help, besides.flag, besides.is_secret,
             [form, &value](std::string_view text) { return form.read(text, value); },
             [form, &value] { return form.show(value); }});
    }

    // Sections together, in the order in which they came first.
    const std::vector<Setting>& all() const { return all_; }

private:
    void add(Setting setting);

    std::string_view section_;
    std::vector<Setting> all_;
};

}  // namespace mailroom::program
