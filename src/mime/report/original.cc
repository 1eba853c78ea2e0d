#include "mime/report/original.h"

#include "base/text.h"
#include "mime/address.h"

#include <algorithm>
#include <utility>

namespace mailroom::mime {
namespace {

// RFC 6533 has types of its own for internationalised mail.
constexpr std::string_view original_types[] = {"message/rfc822",     "text/rfc822-headers",
                                               "message/global",     "message/global-headers",
                                               "text/rfc822-header", "message/partial"};

constexpr std::size_t original_bytes_max = 1024 * 1024;  // Its headers; the rest is not needed.

const Part* find_original_part(const Part& part) {
    if (std::ranges::find(original_types, part.type.value) != std::end(original_types))
        return &part;
    for (const auto& child : part.children) {
        if (const auto* found = find_original_part(child)) return found;
    }
    return nullptr;
}

}  // namespace

const Part* find_part(const Part& root, std::string_view media_type) {
    if (root.is(media_type)) return &root;
    for (const auto& child : root.children) {
        if (const auto* found = find_part(child, media_type)) return found;
    }
    return nullptr;
}

std::optional<Original> find_original(const Part& root, const ReadLimits& limits) {
    // A mail that is nothing but a message is no report with one.
    const Part* part = nullptr;
    for (const auto& child : root.children) {
        if ((part = find_original_part(child)) != nullptr) break;
    }
    if (part == nullptr) return std::nullopt;
    Original original;
    original.bytes = std::make_unique<const std::string>(
        decode_transfer(part->body.substr(0, original_bytes_max), part->encoding).bytes);
    const auto& bytes = *original.bytes;
    // Some reports put an empty line before the headers.
    const auto start = std::min(bytes.find_first_not_of("\r\n"), bytes.size());
    Defects ignored;
    original.headers = read_headers(bytes, start, limits, ignored).headers;
    return original;
}

std::optional<MessageId> original_message_id(const Part& root, const Original* original) {
    const auto first = [](const Headers& headers, std::string_view name) {
        std::optional<MessageId> id;
        if (const auto raw = headers.find(name)) {
            auto ids = parse_message_ids(*raw);
            if (!ids.empty()) id = std::move(ids.front());
        }
        return id;
    };
    if (original != nullptr) {
        if (auto id = first(original->headers, "Message-ID")) return id;
    }
    for (const auto* name : {"X-Original-Message-ID", "In-Reply-To", "References"}) {
        if (auto id = first(root.headers, name)) return id;
    }
    return std::nullopt;
}

std::optional<std::string> header_in_text(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.size() <= name.size() || line[name.size()] != ':' ||
            !ascii_equal_ignoring_case(line.substr(0, name.size()), name)) {
            continue;
        }
        auto value = trim(line.substr(name.size() + 1));
        if (value.empty() && (text.starts_with(' ') || text.starts_with('\t'))) {
            value = trim(text.substr(0, text.find('\n')));  // Folded right after the colon.
        }
        if (!value.empty()) return std::string(value);
    }
    return std::nullopt;
}

std::optional<std::string> address_in(std::string_view value) {
    if (const auto type_end = value.find(';'); type_end != value.npos) {
        value.remove_prefix(type_end + 1);
    }
    const auto list = parse_address_list(value);
    for (const auto& mailbox : list.mailboxes) {
        if (!mailbox.local_part.empty() && !mailbox.domain.empty()) return mailbox.address();
    }
    return std::nullopt;
}

}  // namespace mailroom::mime
