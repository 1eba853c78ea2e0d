#include "mime/html/attributes.h"

#include "base/text.h"
#include "mime/html/css.h"
#include "mime/html/css_scan.h"
#include "mime/html/url.h"

#include <algorithm>

namespace mailroom::mime::html {
namespace {

constexpr std::size_t external_loads_max = 1000;  // Enough to show; a mail may have a million.
constexpr std::size_t plain_bytes_max = 64;

// Numbers, sizes, colours and keywords.
std::optional<std::string> plain(std::string_view value) {
    const auto trimmed = trim(value);
    const bool is_plain =
        trimmed.size() <= plain_bytes_max && std::ranges::all_of(trimmed, [](char c) {
            return is_letter_or_digit(c) ||
                   std::string_view("#%.+-").find(c) != std::string_view::npos;
        });
    if (!is_plain) return std::nullopt;
    return std::string(trimmed);
}

std::optional<std::string> fonts(std::string_view value) {
    const bool is_list =
        value.size() <= plain_bytes_max * 4 && std::ranges::all_of(value, [](char c) {
            return is_letter_or_digit(c) ||
                   std::string_view(" ,'-").find(c) != std::string_view::npos;
        });
    if (!is_list) return std::nullopt;
    return std::string(value);
}

std::optional<std::string> classes(std::string_view value) {
    std::string safe;
    for (std::string_view rest = value; !rest.empty();) {
        const auto end = std::min(rest.find_first_of(" \t\n\r\f"), rest.size());
        const auto name = safe_name(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (name.empty()) continue;
        if (!safe.empty()) safe += ' ';
        safe += name;
    }
    if (safe.empty()) return std::nullopt;
    return safe;
}

std::optional<std::string> identifier(std::string_view value) {
    auto name = safe_name(value);
    if (name.empty()) return std::nullopt;
    return name;
}

// `2x` or `300w`.
bool is_descriptor(std::string_view text) {
    if (text.empty()) return true;
    const char unit = text.back();
    text.remove_suffix(1);
    return (unit == 'x' || unit == 'w') && text.size() <= 8 && !text.empty() &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

}  // namespace

std::optional<std::string> AttributeFilter::filter(std::string_view element,
                                                   std::string_view attribute,
                                                   std::string_view value) {
    std::optional<std::string> kept;
    const bool is_text =
        attribute == "alt" || attribute == "title" || attribute == "summary" || attribute == "abbr";
    if (is_text) return std::string(value);
    if (attribute == "href" && element == "a") return link(value);
    if (attribute == "src" && element == "img") return image(value);
    if (attribute == "srcset" && element == "img") return image_set(value);
    if (attribute == "background") return image(value);
    if (attribute == "style") return style(value);
    if (attribute == "class") {
        kept = classes(value);
    } else if (attribute == "id" || (attribute == "name" && element == "a")) {
        kept = identifier(value);
    } else if (attribute == "face") {
        kept = fonts(value);
    } else if (attribute == "role") {
        // The other roles would let a mail pass for a part of the page.
        if (value == "presentation" || value == "none") kept = std::string(value);
    } else if (attribute != "href" && attribute != "src" && attribute != "srcset" &&
               attribute != "name") {
        kept = plain(value);
    }
    if (!kept) ++result_.removed.attributes;
    return kept;
}

std::optional<std::string> AttributeFilter::link(std::string_view value) {
    auto url = read_url(value);
    switch (url.kind) {
        case Url::Kind::web:
        case Url::Kind::mail:
        case Url::Kind::telephone:
            return std::move(url.text);
        case Url::Kind::fragment:
            if (auto name = safe_name(std::string_view(url.text).substr(1)); !name.empty()) {
                return "#" + name;
            }
            break;
        default:
            break;
    }
    ++result_.removed.addresses;
    return std::nullopt;
}

std::optional<std::string> AttributeFilter::image(std::string_view value) {
    auto url = read_url(value);
    if (url.kind == Url::Kind::web) return external(std::move(url.text));
    if (url.kind == Url::Kind::content_id) {
        if (!options_.content_address) return std::move(url.text);
        auto address = options_.content_address(std::string_view(url.text).substr(4));
        if (!address) ++result_.removed.addresses;
        return address;
    }
    if (url.kind == Url::Kind::data_image && options_.data_images == DataImages::keep) {
        return std::move(url.text);
    }
    ++result_.removed.addresses;
    return std::nullopt;
}

// Candidates are separated by commas; an address that has one inside is cut there and refused.
std::optional<std::string> AttributeFilter::image_set(std::string_view value) {
    std::string kept;
    for (std::string_view rest = value; !rest.empty();) {
        const auto candidate = trim(take_until(rest, ','));
        const auto space = std::min(candidate.find_first_of(" \t\n\r\f"), candidate.size());
        const auto descriptor = trim(candidate.substr(space));
        auto url = read_url(candidate.substr(0, space));
        if (url.kind != Url::Kind::web || !is_descriptor(descriptor)) {
            ++result_.removed.addresses;
            continue;
        }
        const auto address = external(std::move(url.text));
        if (!address) continue;
        if (!kept.empty()) kept += ", ";
        kept += *address;
        if (!descriptor.empty()) kept += " " + std::string(descriptor);
    }
    if (kept.empty()) return std::nullopt;
    return kept;
}

std::optional<std::string> AttributeFilter::external(std::string address) {
    if (result_.external_loads.size() < external_loads_max) {
        result_.external_loads.push_back(address);
    }
    if (options_.external_loads == ExternalLoads::keep) return address;
    ++result_.removed.addresses;
    return std::nullopt;
}

std::optional<std::string> AttributeFilter::style(std::string_view value) {
    auto css = safe_declarations(value);
    result_.removed.styles += css.removed;
    if (css.text.empty()) return std::nullopt;
    return std::move(css.text);
}

}  // namespace mailroom::mime::html
