#include "mime/build/seven_bit_header.h"

#include "base/text.h"
#include "mime/address.h"
#include "mime/build/seven_bit.h"
#include "mime/header_text.h"
#include "mime/header_writer.h"
#include "mime/parameters.h"
#include "mime/read/headers.h"

#include <algorithm>
#include <array>
#include <optional>

namespace mailroom::mime {
namespace {

enum class Kind { text, addresses, parameters, other };

std::string encoded_phrase(const std::string& text) {
    return is_seven_bit(text) ? text : encode_words(text);
}

template <std::size_t count>
bool is_one_of(std::string_view name, const std::array<std::string_view, count>& names) {
    return std::ranges::any_of(
        names, [name](auto known) { return ascii_equal_ignoring_case(name, known); });
}

Kind kind_of(std::string_view name) {
    constexpr std::array<std::string_view, 13> addresses = {"From",
                                                            "Sender",
                                                            "Reply-To",
                                                            "To",
                                                            "Cc",
                                                            "Bcc",
                                                            "Resent-From",
                                                            "Resent-To",
                                                            "Resent-Cc",
                                                            "Resent-Bcc",
                                                            "Resent-Sender",
                                                            "Disposition-Notification-To",
                                                            "Mail-Followup-To"};
    constexpr std::array<std::string_view, 2> parameters = {"Content-Type", "Content-Disposition"};
    constexpr std::array<std::string_view, 12> others = {
        "Received",   "Return-Path", "Message-ID",        "In-Reply-To",
        "References", "Date",        "MIME-Version",      "Content-Transfer-Encoding",
        "Content-ID", "Resent-Date", "Resent-Message-ID", "DKIM-Signature"};
    if (is_one_of(name, addresses)) return Kind::addresses;
    if (is_one_of(name, parameters)) return Kind::parameters;
    if (is_one_of(name, others)) return Kind::other;
    return Kind::text;
}

// Of a list: a name of a group opens before its first mailbox and closes after its last.
void write_addresses(HeaderWriter& writer, const AddressList& list) {
    auto group = list.groups.begin();
    std::size_t open_end = 0;
    bool is_open = false;
    std::string token;
    const auto flush = [&](std::string_view separator) {
        if (token.empty()) return;
        writer.token(token + std::string(separator));
        token.clear();
    };
    for (std::size_t i = 0;; ++i) {
        if (is_open && i == open_end) {
            if (token.empty()) {
                writer.append(";");
            } else {
                token += ';';
            }
            is_open = false;
        }
        while (!is_open && group != list.groups.end() && group->first == i) {
            flush(",");
            const auto name = encoded_phrase(group->name);
            if (group->count == 0) {
                token = name + ":;";
            } else {
                writer.token(name + ":");
                is_open = true;
                open_end = i + group->count;
            }
            ++group;
        }
        if (i == list.mailboxes.size()) break;
        flush(",");
        token = to_header_text(list.mailboxes[i]);
    }
    flush("");
}

// None if it must stay as it is.
std::optional<std::string> converted(std::string_view name, std::string_view value) {
    std::string field;
    HeaderWriter writer(field, name);
    switch (kind_of(name)) {
        case Kind::addresses: {
            const auto list = parse_address_list(value);
            if (list.mailboxes.empty() && list.groups.empty()) return std::nullopt;
            const auto needs = [](const Mailbox& mailbox) { return needs_smtputf8(mailbox); };
            if (std::ranges::any_of(list.mailboxes, needs)) return std::nullopt;
            write_addresses(writer, list);
            break;
        }
        case Kind::parameters: {
            const auto parsed = parse_parameterized(value);
            if (parsed.value.empty() || !is_seven_bit(parsed.value)) return std::nullopt;
            writer.token(parsed.value);
            for (const auto& [parameter, text] : parsed.parameters) {
                if (!is_seven_bit(parameter)) return std::nullopt;
                writer.parameter(parameter, text);
            }
            break;
        }
        case Kind::text:
            writer.text(decode_header_text(unfold(value)).text);
            break;
        case Kind::other:
            return std::nullopt;
    }
    writer.end();
    return field;
}

}  // namespace

void append_seven_bit_field(std::string& out, std::string_view name, std::string_view value,
                            std::string_view raw) {
    if (is_seven_bit(raw) || !is_seven_bit(name)) {
        out += raw;
        return;
    }
    const auto field = converted(name, value);
    out += field && is_seven_bit(*field) ? std::string_view(*field) : raw;
}

}  // namespace mailroom::mime
