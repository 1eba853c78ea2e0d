// A finished message made ready to go: adopt() of compose.h.
#include "base/text.h"
#include "base/time_format.h"
#include "mime/address.h"
#include "mime/message_id.h"
#include "outbox/accept/compose.h"
#include "outbox/transports/envelope.h"

#include <algorithm>
#include <unordered_set>

namespace mailroom::outbox {

namespace {

constexpr std::size_t fields_max = 1000;               // Long relay chains have 200.
constexpr std::size_t header_bytes_max = 1024 * 1024;  // All fields.
constexpr std::size_t line_bytes_max = 998;            // Without its end: RFC 5322, 2.1.1.

// One header field as it stands in the bytes, folded lines and line end included.
struct Field {
    std::string name;  // Lower case.
    std::size_t begin = 0, value = 0, end = 0;
};

BadField bad_message(std::string why) { return {"message", std::move(why)}; }

// Each line end becomes CRLF, and the last line gets one.
std::string with_crlf(std::string text) {
    bool good = text.ends_with("\r\n");
    for (std::size_t i = text.find_first_of("\r\n"); good && i != text.npos;
         i = text.find_first_of("\r\n", i + 2)) {
        good = text.compare(i, 2, "\r\n") == 0;
    }
    if (good) return text;

    std::string made;
    made.reserve(text.size() + text.size() / 32 + 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c != '\r' && c != '\n') {
            made += c;
            continue;
        }
        if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
        made += "\r\n";
    }
    if (!made.ends_with("\r\n")) made += "\r\n";
    return made;
}

bool is_name_character(char c) { return c > 0x20 && c < 0x7f && c != ':'; }

class Adopter {
public:
    Adopter(RawMail raw, const Clock& clock, Random& random)
        : raw_(std::move(raw)), clock_(clock), random_(random) {}

    Result<Composed, BadField> adopt() {
        if (raw_.message.size() > raw_bytes_max) {
            return bad_message("is larger than " + std::to_string(raw_bytes_max / (1024 * 1024)) +
                               " MB");
        }
        if (raw_.message.find('\0') != std::string::npos) {
            return bad_message("has a NUL character");
        }
        raw_.message = with_crlf(std::move(raw_.message));
        TRY(check_lines());
        TRY(read_fields());
        TRY(find_sender());
        TRY(find_recipients());
        rewrite();
        return std::move(composed_);
    }

    static Result<std::string, BadField> checked(const mime::Mailbox& mailbox, std::string field) {
        const auto good = mime::check_address(mailbox);
        if (!good) {
            return BadField{std::move(field), "must be an e-mail address: " + good.error().message};
        }
        if (!has_domain_name(mailbox)) {
            return BadField{std::move(field), "must be an e-mail address whose domain has a dot: " +
                                                  mailbox.address()};
        }
        return envelope_address(mailbox);
    }

private:
    // RFC 5322, 2.1.1. Cutting a line would change what was signed or meant, and the next server
    // may refuse it or cut it.
    Result<Ok, BadField> check_lines() const {
        const std::string_view text = raw_.message;
        std::size_t number = 1;
        for (std::size_t at = 0; at < text.size(); ++number) {
            const auto end = std::min(text.find("\r\n", at), text.size());
            if (end - at > line_bytes_max) {
                return bad_message("has a line of more than " + std::to_string(line_bytes_max) +
                                   " bytes, which quoted-printable or base64 would avoid: line " +
                                   std::to_string(number));
            }
            at = end + 2;
        }
        return Ok{};
    }

    Result<Ok, BadField> read_fields() {
        const std::string_view text = raw_.message;
        std::size_t at = 0;
        while (at < text.size() && text.compare(at, 2, "\r\n") != 0) {
            const auto end = field_end(at);
            if (end > header_bytes_max || fields_.size() == fields_max) {
                return bad_message("has too many or too long headers");
            }
            const auto field = text.substr(at, end - at);
            const auto colon = field.find(':');
            const auto name = trim(field.substr(0, std::min(colon, field.size())));
            if (colon == field.npos || name.empty() || is_blank(field.front()) ||
                !std::ranges::all_of(name, is_name_character)) {
                return bad_message("has a line among its headers that is none: line " +
                                   std::to_string(fields_.size() + 1));
            }
            fields_.push_back({ascii_lower(name), at, at + colon + 1, end});
            at = end;
        }
        return Ok{};
    }

    static bool is_blank(char c) { return c == ' ' || c == '\t'; }

    // After the line end of the field's last line (RFC 5322, 2.2.3).
    std::size_t field_end(std::size_t at) const {
        const std::string_view text = raw_.message;
        do {
            at = text.find("\r\n", at) + 2;
        } while (at < text.size() && is_blank(text[at]));
        return at;
    }

    std::string_view value_of(const Field& field) const {
        return std::string_view(raw_.message).substr(field.value, field.end - field.value);
    }

    std::size_t count_of(std::string_view name) const {
        return static_cast<std::size_t>(
            std::ranges::count(fields_, name, [](const Field& field) { return field.name; }));
    }

    Result<Ok, BadField> find_sender() {
        // RFC 5322, 3.6: exactly one. Of two, programs show different ones.
        if (count_of("from") != 1) return BadField{"From", "must be there once"};
        const auto from = std::ranges::find(fields_, "from", &Field::name);
        const auto authors = mime::parse_address_list(value_of(*from));
        if (authors.mailboxes.empty()) return BadField{"From", "must be an e-mail address"};
        composed_.sender = TRY(checked(authors.mailboxes.front(), "From"));
        domain_ = authors.mailboxes.front().domain;
        if (raw_.sender.empty()) return Ok{};
        const auto given = mime::parse_address(raw_.sender);
        if (!given) {
            return BadField{"sender", "must be an e-mail address: " + given.error().message};
        }
        composed_.sender = TRY(checked(*given, "sender"));
        return Ok{};
    }

    Result<Ok, BadField> find_recipients() {
        for (std::size_t i = 0; i < raw_.recipients.size(); ++i) {
            auto field = "recipients[" + std::to_string(i) + "]";
            const auto given = mime::parse_address(raw_.recipients[i]);
            if (!given) {
                return BadField{std::move(field),
                                "must be an e-mail address: " + given.error().message};
            }
            TRY(add_recipient(*given, std::move(field)));
        }
        if (!raw_.recipients.empty()) return Ok{};
        for (const auto& [name, shown] : {std::pair{"to", "To"}, {"cc", "Cc"}, {"bcc", "Bcc"}}) {
            for (const auto& field : fields_) {
                if (field.name != name) continue;
                const auto list = mime::parse_address_list(value_of(field));
                for (const auto& mailbox : list.mailboxes) TRY(add_recipient(mailbox, shown));
            }
        }
        if (composed_.recipients.empty()) return BadField{"To", "must name at least one recipient"};
        return Ok{};
    }

    Result<Ok, BadField> add_recipient(const mime::Mailbox& mailbox, std::string field) {
        if (composed_.recipients.size() == recipients_max) {
            return BadField{std::move(field), "is one of more than " +
                                                  std::to_string(recipients_max) + " recipients"};
        }
        auto address = TRY(checked(mailbox, std::move(field)));
        if (known_.insert(mime::canonical(mailbox)).second) {
            composed_.recipients.push_back(std::move(address));
        }
        return Ok{};
    }

    // Whose eyes the message is not for.
    static bool is_hidden(const Field& field) {
        return field.name == "bcc" || field.name == "resent-bcc";
    }

    void rewrite() {
        std::string added;
        std::vector<const Field*> dropped;
        bool has_id = false;
        for (const auto& field : fields_) {
            if (is_hidden(field)) dropped.push_back(&field);
            if (field.name != "message-id" || has_id) continue;
            const auto ids = mime::parse_message_ids(value_of(field));
            if (ids.empty()) {
                dropped.push_back(&field);
            } else {
                composed_.message_id = ids.front().bracketed();
                has_id = true;
            }
        }
        if (!has_id) {
            composed_.message_id = mime::make_message_id(random_, domain_).bracketed();
            added += "Message-ID: " + composed_.message_id + "\r\n";
        }
        if (count_of("date") == 0) added += "Date: " + date() + "\r\n";
        composed_.message =
            added.empty() && dropped.empty() ? std::move(raw_.message) : joined(added, dropped);
    }

    std::string joined(const std::string& added, const std::vector<const Field*>& dropped) const {
        std::string made;
        made.reserve(added.size() + raw_.message.size());
        made += added;
        std::size_t at = 0;
        for (const auto* field : dropped) {
            made.append(raw_.message, at, field->begin - at);
            at = field->end;
        }
        made.append(raw_.message, at);
        return made;
    }

    // RFC 5322, 3.3.
    std::string date() const {
        auto text = format_http_date(clock_.now());
        text.replace(text.size() - 3, 3, "+0000");
        return text;
    }

    RawMail raw_;
    const Clock& clock_;
    Random& random_;
    std::vector<Field> fields_;
    std::string domain_;  // Of the author.
    std::unordered_set<std::string> known_;
    Composed composed_;
};

}  // namespace

std::optional<std::string> address_problem(std::string_view address) {
    const auto given = mime::parse_address(address);
    if (!given) return "must be an e-mail address: " + given.error().message;
    const auto good = Adopter::checked(*given, "");
    if (!good) return good.error().why;
    return std::nullopt;
}

Result<Composed, BadField> adopt(RawMail raw, const Clock& clock, Random& random) {
    return Adopter(std::move(raw), clock, random).adopt();
}

}  // namespace mailroom::outbox
