#include "mime/dkim/tag_list.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::mime::dkim {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_tag_name(std::string_view name) {
    return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
    });
}

}  // namespace

Result<TagList> TagList::parse(std::string_view text) {
    TagList list;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(';', at), text.size());
        const auto spec = text.substr(at, end - at);
        const auto begin = at;
        at = end + 1;
        if (trim(spec).empty()) {
            if (trim(text.substr(std::min(at, text.size()))).empty()) break;
            return Error{Errc::invalid, "a tag is empty"};
        }
        const auto equals = spec.find('=');
        if (equals == spec.npos) return Error{Errc::invalid, "a tag has no ="};
        const auto name = trim(spec.substr(0, equals));
        if (!is_tag_name(name)) return Error{Errc::invalid, "a tag has no valid name"};
        if (list.tag(name) != nullptr) return Error{Errc::invalid, "a tag comes twice"};
        if (list.tags_.size() == tags_max) return Error{Errc::invalid, "too many tags"};
        list.tags_.push_back({name, trim(spec.substr(equals + 1)), begin + equals + 1, end});
    }
    return list;
}

const TagList::Tag* TagList::tag(std::string_view name) const {
    const auto found = std::ranges::find(tags_, name, &Tag::name);
    return found == tags_.end() ? nullptr : &*found;
}

std::optional<std::string_view> TagList::find(std::string_view name) const {
    const auto* found = tag(name);
    if (found == nullptr) return std::nullopt;
    return found->value;
}

std::string without_space(std::string_view text) {
    std::string packed;
    packed.reserve(text.size());
    for (const char c : text) {
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') packed += c;
    }
    return packed;
}

std::vector<std::string_view> split_colons(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto colon = text.find(':');
        parts.push_back(trim(text.substr(0, colon)));
        if (colon == text.npos) return parts;
        text.remove_prefix(colon + 1);
    }
}

}  // namespace mailroom::mime::dkim
