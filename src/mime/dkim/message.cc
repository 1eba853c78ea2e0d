#include "mime/dkim/message.h"

#include "base/text.h"

#include <algorithm>
#include <map>

namespace mailroom::mime::dkim {
namespace {

// The end of the field that begins at `at`: the CRLF that no white space follows.
std::size_t field_end(std::string_view message, std::size_t at) {
    for (;;) {
        const auto line_end = message.find("\r\n", at);
        if (line_end == message.npos) return message.size();
        const auto next = line_end + 2;
        const bool folded =
            next < message.size() && (message[next] == ' ' || message[next] == '\t');
        if (!folded) return line_end;
        at = next;
    }
}

void add_field(Message& out, std::string_view whole) {
    const auto colon = whole.find(':');
    if (colon == whole.npos || out.fields.size() == header_fields_max) return;
    const auto name = trim(whole.substr(0, colon));
    if (name.empty()) return;
    out.fields.push_back({ascii_lower(name), name, whole.substr(colon + 1), whole});
}

}  // namespace

Message split_message(std::string_view message) {
    Message out;
    std::size_t at = 0;
    while (at < message.size() && !message.substr(at).starts_with("\r\n")) {
        const auto end = field_end(message, at);
        add_field(out, message.substr(at, end - at));
        at = std::min(end + 2, message.size());
    }
    out.body = message.substr(std::min(at + 2, message.size()));
    return out;
}

std::vector<const HeaderField*> pick_fields(const Message& message,
                                            const std::vector<std::string>& names) {
    std::map<std::string_view, std::vector<const HeaderField*>> left;
    for (const auto& field : message.fields) left[field.lower_name].push_back(&field);
    std::vector<const HeaderField*> picked;
    for (const auto& name : names) {
        const auto found = left.find(name);
        if (found == left.end() || found->second.empty()) {
            picked.push_back(nullptr);
            continue;
        }
        picked.push_back(found->second.back());
        found->second.pop_back();
    }
    return picked;
}

}  // namespace mailroom::mime::dkim
