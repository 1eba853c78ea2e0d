#include "outbox/accept/request_fields.h"

#include "base/suggestion.h"
#include "base/text.h"
#include "net/url.h"
#include "outbox/mail/json_text.h"
#include "outbox/transports/envelope.h"

namespace mailroom::outbox {

namespace {

constexpr std::size_t shown_name_bytes_max = 80;  // Of a member that nobody knows.

std::string_view required(json::View::Type type) {
    switch (type) {
        case json::View::Type::text:
            return "must be a string";
        case json::View::Type::list:
            return "must be a list";
        case json::View::Type::object:
            return "must be an object";
        default:
            return "has the wrong type";
    }
}

}  // namespace

std::string indexed(std::string_view field, std::size_t index) {
    return std::string(field) + "[" + std::to_string(index) + "]";
}

std::string joined(std::string_view field, std::string_view member_name) {
    const auto shown = truncate_utf8(member_name, shown_name_bytes_max);
    return field.empty() ? std::string(shown) : std::string(field) + "." + std::string(shown);
}

Parsed<json::View> require(const json::View& value, json::View::Type type, std::string_view field) {
    if (value.type() != type) return BadField{std::string(field), std::string(required(type))};
    return value;
}

Parsed<std::string> read_text(const json::View& value, std::string_view field,
                              std::size_t bytes_max) {
    TRY(require(value, json::View::Type::text, field));
    const auto text = value.text();
    if (text.size() > bytes_max) {
        return BadField{std::string(field),
                        "is longer than " + std::to_string(bytes_max) + " bytes"};
    }
    return std::string(text);
}

Parsed<mime::Mailbox> read_mailbox(const json::View& value, std::string_view field) {
    TRY(require(value, json::View::Type::text, field));
    auto mailbox = mime::parse_address(value.text());
    if (!mailbox) {
        return BadField{std::string(field),
                        "must be an e-mail address: " + mailbox.error().message};
    }
    if (!has_domain_name(*mailbox)) {
        return BadField{std::string(field),
                        "must be an e-mail address whose domain has a dot: address \"" +
                            mailbox->address() + "\""};
    }
    return std::move(*mailbox);
}

std::vector<mime::Mailbox> read_mailboxes(const json::View& value, std::string_view field,
                                          std::size_t count_max, Faults& faults) {
    std::vector<mime::Mailbox> mailboxes;
    if (value.type() == json::View::Type::text) {
        faults.keep(read_mailbox(value, field), mailboxes.emplace_back());
        return mailboxes;
    }
    if (value.type() != json::View::Type::list) {
        faults.add({std::string(field), "must be an e-mail address or a list of them"});
        return mailboxes;
    }
    json::Elements elements(value);
    for (json::View element; elements.next(element);) {
        if (mailboxes.size() == count_max) {
            faults.add(
                {std::string(field), "has more than " + std::to_string(count_max) + " addresses"});
            break;
        }
        const auto name = indexed(field, mailboxes.size());
        faults.keep(read_mailbox(element, name), mailboxes.emplace_back());
    }
    return mailboxes;
}

Parsed<std::string> read_url(const json::View& value, std::string_view field) {
    TRY(require(value, json::View::Type::text, field));
    const auto url = net::Url::parse(value.text());
    if (!url) {
        return BadField{std::string(field), "must be an http or https URL: " + url.error().message};
    }
    return url->text();
}

Parsed<std::string> read_object_text(const json::View& value, std::string_view field,
                                     std::size_t bytes_max) {
    TRY(require(value, json::View::Type::object, field));
    auto text = json_text(value);
    if (text.size() > bytes_max) {
        return BadField{std::string(field),
                        "is longer than " + std::to_string(bytes_max) + " bytes as JSON"};
    }
    return text;
}

BadField unknown_member(std::string_view name, std::string_view field,
                        std::span<const std::string_view> known) {
    const std::vector<std::string> candidates(known.begin(), known.end());
    const auto near = suggestion(name, candidates);
    return {joined(field, name),
            near ? "is not known; did you mean " + *near + "?" : std::string("is not known")};
}

}  // namespace mailroom::outbox
