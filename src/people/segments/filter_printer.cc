#include "people/segments/filter_text.h"

#include <array>
#include <utility>

namespace mailroom::people {

namespace {

// What binds less stands in brackets inside of what binds more.
enum class Binding { any, all, one };

std::string in_quotes(std::string_view text, char quote) {
    std::string quoted(1, quote);
    for (const char c : text) {
        if (c == quote || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + quote;
}

std::string path_text(const Path& path) {
    std::string text;
    for (const auto& name : path) {
        if (!text.empty()) text += '.';
        text += is_plain_name(name) ? name : in_quotes(name, '`');
    }
    return text;
}

struct ScalarText {
    std::string operator()(const std::string& text) const { return in_quotes(text, '"'); }
    std::string operator()(const table::Number& number) const { return number.text(); }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const Moment& moment) const { return moment.text(); }
};

template <class Values, class Show>
std::string list_text(const Values& values, const Show& show) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + show(value);
    return "(" + text + ")";
}

std::string_view sign_of(Comparison how) {
    static constexpr std::array<std::string_view, 8> signs = {
        "=", ">", ">=", "<", "<=", "contains", "begins with", "ends with"};
    return signs[static_cast<std::size_t>(how)];
}

std::string show(const Filter& filter, Binding around);

template <class Group>
std::string group_text(const Group& group, std::string_view word, Binding own, Binding around) {
    std::string text;
    for (const auto& part : group.parts) {
        if (!text.empty()) text += word;
        text += show(part, own == Binding::any ? Binding::all : Binding::one);
    }
    return around > own ? "(" + text + ")" : text;
}

struct TestText {
    Binding around;

    std::string operator()(const All& all) const {
        if (all.parts.empty()) return "all";
        return group_text(all, " and ", Binding::all, around);
    }
    std::string operator()(const Any& any) const {
        if (any.parts.empty()) return "not all";
        return group_text(any, " or ", Binding::any, around);
    }
    std::string operator()(const Not& rest) const {
        return "not " + show(rest.part.front(), Binding::one);
    }
    std::string operator()(const Compared& test) const {
        return path_text(test.path) + " " + std::string(sign_of(test.how)) + " " +
               std::visit(ScalarText(), test.value);
    }
    std::string operator()(const OneOf& test) const {
        const auto one = [](const Scalar& value) { return std::visit(ScalarText(), value); };
        return path_text(test.path) + " in " + list_text(test.values, one);
    }
    std::string operator()(const Exists& test) const { return path_text(test.path) + " exists"; }
    std::string operator()(const Tagged& test) const {
        if (test.tags.size() == 1) return "tag = " + in_quotes(test.tags.front(), '"');
        const auto one = [](const std::string& tag) { return in_quotes(tag, '"'); };
        return "tag in " + list_text(test.tags, one);
    }
    std::string operator()(const Subscribed& test) const {
        const std::string text = "topic = " + in_quotes(test.topic, '"');
        if (test.state == TopicState::in) return text;
        return text + " is " + std::string(name_of(test.state));
    }
    std::string operator()(const InSegment& test) const {
        return "segment = " + in_quotes(test.id, '"');
    }
    std::string operator()(const Did& test) const {
        std::string text(name_of(test.deed));
        if (test.mails) {
            text += " " + std::string(name_of(test.mails->group)) + " ";
            text += in_quotes(test.mails->id, '"');
        }
        if (test.times > 1) text += " at least " + std::to_string(test.times) + " times";
        const bool is_ago = test.moment.kind == Moment::Kind::relative && test.moment.amount < 0;
        if (test.when == Did::When::since && is_ago) {
            auto much = test.moment.text();
            text += " within " + much.substr(0, much.size() - std::string_view(" ago").size());
        } else if (test.when != Did::When::ever) {
            text += test.when == Did::When::since ? " since " : " before ";
            text += test.moment.text();
        }
        return text;
    }
};

std::string show(const Filter& filter, Binding around) {
    return std::visit(TestText{around}, filter.test);
}

}  // namespace

std::string text_of(const Filter& filter) { return show(filter, Binding::any); }

}  // namespace mailroom::people
