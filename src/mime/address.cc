#include "mime/address.h"

#include "base/text.h"
#include "mime/address_reader.h"
#include "mime/domain.h"
#include "mime/header_text.h"

#include <algorithm>
#include <optional>

namespace mailroom::mime {

namespace {

constexpr std::size_t local_part_bytes_max = 64;     // RFC 5321, 4.5.3.1.1.
constexpr std::size_t address_bytes_max = 254;       // 4.5.3.1.3, less the angle brackets.
constexpr std::size_t display_name_bytes_max = 512;  // Longer than any name, shorter than a line.
constexpr std::size_t text_bytes_max = 2048;
constexpr std::size_t quoted_name_bytes_max = 200;  // A quoted string is one token of its line.

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
// RFC 5322, 3.2.3, with the UTF-8 of RFC 6532.
bool is_atom_character(char c) {
    return is_letter_or_digit(c) || is_high(c) ||
           std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos;
}

bool is_dot_atom(std::string_view text) {
    if (text.empty() || text.front() == '.' || text.back() == '.') return false;
    if (text.find("..") != text.npos) return false;
    return std::ranges::all_of(text, [](char c) { return is_atom_character(c) || c == '.'; });
}

std::string quoted(std::string_view text) {
    std::string made = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') made += '\\';
        made += c;
    }
    return made + '"';
}

// What begins like an encoded word would be read as one.
std::string local_text(std::string_view local) {
    const bool plain = is_dot_atom(local) && local.find("=?") == local.npos;
    return plain ? std::string(local) : quoted(local);
}

bool is_ascii(std::string_view text) { return std::ranges::none_of(text, is_high); }

std::string domain_text(std::string_view domain) {
    while (domain.size() > 1 && domain.ends_with('.')) domain.remove_suffix(1);
    return domain_to_ascii(domain).value_or(ascii_lower(domain));
}

// A name of atoms with single spaces between needs no quotes.
bool is_phrase(std::string_view name) {
    if (name.front() == ' ' || name.back() == ' ' || name.find("  ") != name.npos) return false;
    return std::ranges::all_of(name, [](char c) { return is_atom_character(c) || c == ' '; });
}

std::string name_text(const std::string& name) {
    const bool needs_encoding = !is_ascii(name) || std::ranges::any_of(name, is_control) ||
                                name.find("=?") != name.npos ||
                                name.size() > display_name_bytes_max;
    if (needs_encoding) return encode_words(name);
    if (is_phrase(name)) return name;
    auto text = quoted(name);
    return text.size() <= quoted_name_bytes_max ? text : encode_words(name);
}

Error invalid(std::string_view text, std::string_view reason) {
    std::string shown;
    for (const char c : truncate_utf8(text, 100)) shown += is_control(c) ? '?' : c;
    return {Errc::invalid, "address \"" + shown + "\": " + std::string(reason)};
}

// An address as nearly all are written, "ann@example.org": it needs no reader.
std::optional<Mailbox> plain_mailbox(std::string_view text) {
    const auto at = text.find('@');
    if (at == text.npos || !is_ascii(text)) return std::nullopt;
    const auto local = text.substr(0, at), domain = text.substr(at + 1);
    const auto is_domain_character = [](char c) {
        return is_letter_or_digit(c) || c == '-' || c == '.';
    };
    const bool is_plain = is_dot_atom(local) && local.find("=?") == local.npos &&
                          is_dot_atom(domain) && std::ranges::all_of(domain, is_domain_character);
    if (!is_plain) return std::nullopt;
    return Mailbox{"", std::string(local), std::string(domain)};
}

}  // namespace

std::string Mailbox::address() const {
    return domain.empty() ? local_part : local_text(local_part) + "@" + domain;
}

Result<Mailbox> parse_address(std::string_view text) {
    if (text.size() > text_bytes_max) return invalid(text, "it is too long");
    if (auto plain = plain_mailbox(text)) {
        TRY(check_address(*plain));
        return *std::move(plain);
    }
    if (!is_utf8(text)) return Error{Errc::invalid, "the address is not UTF-8"};
    if (std::ranges::any_of(text, is_control)) {
        return invalid(text, "it has a line break or another control character");
    }
    AddressList list;
    AddressReader reader(list);
    reader.read(text);
    if (!list.groups.empty()) return invalid(text, "it is a group");
    if (list.mailboxes.size() > 1) return invalid(text, "there is more than one address");
    if (!list.defects.empty()) return invalid(text, list.defects[0].detail);
    if (list.mailboxes.empty()) return invalid(text, "it is empty");
    if (reader.separators() > 0) return invalid(text, "there is a comma too many");
    TRY(check_address(list.mailboxes[0]));
    return std::move(list.mailboxes[0]);
}

Result<> check_address(const Mailbox& mailbox) {
    const auto& [name, local, domain] = mailbox;
    const auto shown = local + "@" + domain;
    if (!is_utf8(name) || !is_utf8(local) || !is_utf8(domain)) {
        return Error{Errc::invalid, "the address is not UTF-8"};
    }
    for (const std::string_view part : {name, local, domain}) {
        if (std::ranges::any_of(part, is_control)) {
            return invalid(shown, "it has a line break or another control character");
        }
    }
    if (name.size() > display_name_bytes_max) return invalid(shown, "the name is too long");
    if (local.empty()) return invalid(shown, "nothing stands before the @");
    if (domain.empty()) return invalid(shown, "no domain stands after the @");
    if (local_text(local).size() > local_part_bytes_max) {
        return invalid(shown, "what stands before the @ is longer than 64 bytes");
    }
    const auto ascii = domain_to_ascii(domain);
    if (!ascii) return invalid(shown, "the domain is not a domain name");
    if (local_text(local).size() + 1 + ascii->size() > address_bytes_max) {
        return invalid(shown, "it is longer than 254 bytes");
    }
    return Ok{};
}

std::string canonical(const Mailbox& mailbox) {
    return local_text(ascii_lower(mailbox.local_part)) + "@" + domain_text(mailbox.domain);
}

std::string to_header_text(const Mailbox& mailbox) {
    auto domain = mailbox.domain;
    if (is_ascii(mailbox.local_part) && !is_ascii(domain)) domain = domain_text(domain);
    const auto address = local_text(mailbox.local_part) + "@" + domain;
    if (mailbox.display_name.empty()) return address;
    return name_text(mailbox.display_name) + " <" + address + ">";
}

bool needs_smtputf8(const Mailbox& mailbox) { return !is_ascii(mailbox.local_part); }

}  // namespace mailroom::mime
