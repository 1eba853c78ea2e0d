// The page while it is written: what its components add to the head, and the markup itself.
// Private to this folder.
#pragma once

#include "mjml/attributes.h"
#include "mjml/compile.h"
#include "mjml/head.h"
#include "mjml/numbers.h"
#include "mjml/tag.h"
#include "mjml/warnings.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::mjml {

// What a component hears from those it stands in.
struct Context {
    std::string width = {};  // Of what it stands in: "600px".
    Value gap = {};          // Between the sections of a wrapper.
    Value accordion_font = {}, accordion_element_font = {};

    double width_number() const { return leading_number(width).value_or(0); }
    double width_integer() const { return leading_integer(width).value_or(0); }
};

// A component that is about to be written.
struct Item {
    const Element& element;
    const Attributes& attributes;
    const Context& context;
    std::size_t index;             // Among all that stand beside it.
    std::size_t siblings;          // Those that share the width with it, and itself.
    std::string_view own_classes;  // The mj-class that its children inherit from.

    Value get(std::string_view name) const { return attributes.get(name); }
    bool has_text(std::string_view name) const { return attributes.has_text(name); }
    bool is_raw() const { return element.tag == "mj-raw"; }
};

class Page {
public:
    // All must outlive this object.
    Page(const Head& head, const Options& options, Warnings& warnings)
        : head_(head), options_(options), warnings_(warnings) {}

    Page& operator<<(std::string_view text) {
        html_ += text;
        return *this;
    }
    Page& operator<<(const Tag& tag) { return *this << tag.text(); }

    // What stands between is for Outlook alone. Two parts that follow each other become one.
    void begin_outlook();
    void end_outlook();

    using Write = std::function<void(const Item&)>;
    // Calls `write` with each child that MJML knows. `passed` are attributes for all of them.
    void each_child(const Item& parent, const Context& context, const AttributeList& passed,
                    const Write& write);
    void each_child(const Item& parent, const Context& context, const Write& write) {
        each_child(parent, context, {}, write);
    }
    void write(const Item& item);
    void write_body(const Element& body);

    // The class whose rule gives a column its width where there is room; the class is returned.
    std::string add_column_class(const Width& width, std::string number);
    // A number that no other component of this page has.
    std::size_t next_number() { return ++numbers_; }

    const Head& head() const { return head_; }
    const Options& options() const { return options_; }
    Warnings& warnings() { return warnings_; }
    std::string& html() { return html_; }
    bool is_too_long() const { return is_too_long_; }
    const std::string& background() const { return background_; }
    void set_background(Value color) { background_ = color.value_or(""); }
    using MediaQuery = std::pair<std::string, Width>;
    const std::vector<MediaQuery>& media_queries() const { return media_queries_; }
    // Components whose rules the head needs, in the order of their first use.
    const std::vector<std::string>& styled_tags() const { return styled_tags_; }

private:
    void note_style(const std::string& tag);

    const Head& head_;
    const Options& options_;
    Warnings& warnings_;
    std::string html_;
    std::size_t outlook_end_ = std::string::npos;  // Where the last part for Outlook ended.
    bool is_too_long_ = false;
    std::size_t numbers_ = 0;
    std::string background_;
    std::vector<MediaQuery> media_queries_;
    std::vector<std::string> styled_tags_;
};

// One function per component; see components.cc.
using ComponentWriter = void (*)(Page& page, const Item& item);
ComponentWriter find_writer(std::string_view tag);

// What both sides of a component take of its width, and what is left.
struct BoxWidths {
    double paddings = 0, borders = 0, box = 0;
};
BoxWidths box_widths(const Item& item);
double padding_side(const Item& item, std::string_view attribute, Side side);
double border_side(const Item& item, std::string_view attribute, Side side);

// "a b" becomes "a-outlook b-outlook"; none without classes.
std::optional<std::string> outlook_classes(Value classes);

}  // namespace mailroom::mjml
