#include "mime/html/url.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::mime::html {
namespace {

constexpr std::size_t scheme_bytes_max = 6;  // mailto

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// The URL standard strips control characters and spaces at both ends, and tabs and line ends
// everywhere; browsers follow it, so `java\nscript:` is a scheme.
std::string clean(std::string_view text) {
    const auto is_outside = [](char c) { return is_control(c) || c == ' '; };
    while (!text.empty() && is_outside(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_outside(text.back())) text.remove_suffix(1);
    std::string cleaned;
    cleaned.reserve(text.size());
    for (const char c : text) {
        if (c == '\t' || c == '\n' || c == '\r') continue;
        if (c == ' ') {
            cleaned += "%20";
        } else {
            cleaned += c;
        }
    }
    return cleaned;
}

bool is_base64(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '+' || c == '/' || c == '=';
    });
}

bool is_image_data(std::string_view text) {
    for (const std::string_view type : {"png", "jpeg", "gif", "webp"}) {
        const auto head = "image/" + std::string(type) + ";base64,";
        if (ascii_equal_ignoring_case(text.substr(0, head.size()), head)) {
            return is_base64(text.substr(head.size()));
        }
    }
    return false;
}

// Without the two slashes a browser would resolve it against the page it is shown in.
bool has_host(std::string_view after_scheme) {
    return after_scheme.size() > 2 && after_scheme.starts_with("//") && after_scheme[2] != '/' &&
           after_scheme[2] != '\\';
}

Url::Kind kind_of(std::string_view scheme, std::string_view rest) {
    const auto is = [&](std::string_view name) { return ascii_equal_ignoring_case(scheme, name); };
    if (is("http") || is("https")) return has_host(rest) ? Url::Kind::web : Url::Kind::refused;
    if (rest.empty()) return Url::Kind::refused;
    if (is("mailto")) return Url::Kind::mail;
    if (is("tel")) return Url::Kind::telephone;
    if (is("cid")) return Url::Kind::content_id;
    if (is("data") && is_image_data(rest)) return Url::Kind::data_image;
    return Url::Kind::refused;
}

}  // namespace

Url read_url(std::string_view text) {
    auto cleaned = clean(text);
    if (std::ranges::any_of(cleaned, is_control)) return {};
    if (cleaned.starts_with('#')) return {Url::Kind::fragment, std::move(cleaned)};
    if (has_host(cleaned)) return {Url::Kind::web, "https:" + cleaned};
    const auto colon = std::string_view(cleaned).substr(0, scheme_bytes_max + 1).find(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view whole = cleaned;
    const auto kind = kind_of(whole.substr(0, colon), whole.substr(colon + 1));
    if (kind == Url::Kind::refused) return {};
    return {kind, std::move(cleaned)};
}

}  // namespace mailroom::mime::html
