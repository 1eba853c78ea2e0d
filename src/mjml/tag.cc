#include "mjml/tag.h"

#include "mjml/liquid_text.h"

#include <cstddef>

namespace mailroom::mjml {
namespace {

void append_escaped(std::string& to, std::string_view value) {
    if (value.find('"') == value.npos) {
        to += value;
        return;
    }
    for (std::size_t at = 0; at < value.size();) {
        if (const auto end = liquid_end(value, at); end != at) {
            to += value.substr(at, end - at);
            at = end;
            continue;
        }
        if (value[at] == '"') {
            to += "&quot;";
        } else {
            to += value[at];
        }
        ++at;
    }
}

}  // namespace

Tag& Tag::set(std::string_view name, Value value) {
    if (!value) return *this;
    text_.append(" ").append(name).append("=\"");
    append_escaped(text_, *value);
    text_ += '"';
    return *this;
}

Tag& Tag::style(const Style& style) {
    return style.text().empty() ? *this : set("style", style.text());
}

}  // namespace mailroom::mjml
