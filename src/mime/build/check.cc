#include "mime/build/check.h"

#include "base/text.h"
#include "mime/header_writer.h"

#include <algorithm>

namespace mailroom::mime {

namespace {

// Half of a line, so that a word, the gap before it and the name all fit.
constexpr std::size_t header_word_bytes_max = 800;
constexpr std::size_t header_gap_bytes_max = 40;
constexpr std::size_t content_id_bytes_max = 200;
constexpr std::size_t parameter_name_bytes_max = 40;
constexpr std::size_t subject_bytes_max = 4096;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_visible(char c) { return c > 0x20 && c < 0x7f; }

Error invalid(std::string_view field, std::string_view reason) {
    return {Errc::invalid, std::string(field) + ": " + std::string(reason)};
}

std::string indexed(std::string_view field, std::size_t index) {
    return std::string(field) + "[" + std::to_string(index) + "]";
}

// Written by build() itself, or by servers only.
bool is_reserved(std::string_view name) {
    static constexpr std::string_view names[] = {
        "from",         "sender",       "reply-to",       "to",
        "cc",           "bcc",          "subject",        "date",
        "message-id",   "in-reply-to",  "references",     "mime-version",
        "return-path",  "received",     "dkim-signature", "domainkey-signature",
        "received-spf", "delivered-to", "x-original-to",  "authentication-results",
    };
    const auto lower = ascii_lower(name);
    return std::ranges::find(names, lower) != std::end(names) || lower.starts_with("content-") ||
           lower.starts_with("resent-") || lower.starts_with("arc-");
}

Result<> check_text(std::string_view field, std::string_view value, std::size_t bytes_max) {
    if (value.size() > bytes_max) return invalid(field, "it is too long");
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != value.npos) {
        return invalid(field, "it has a line break or a NUL character");
    }
    const auto is_bad = [](char c) { return is_control(c) && c != '\t'; };
    if (std::ranges::any_of(value, is_bad)) return invalid(field, "it has a control character");
    if (!is_utf8(value)) return invalid(field, "it is not UTF-8");
    return Ok{};
}

// Nothing that could not be folded.
Result<> check_words(std::string_view field, std::string_view value) {
    std::size_t word = 0, gap = 0;
    for (const char c : value) {
        const bool blank = c == ' ' || c == '\t';
        gap = blank ? gap + 1 : 0;
        word = blank ? 0 : word + 1;
        if (word > header_word_bytes_max) return invalid(field, "it has a word that is too long");
        if (gap > header_gap_bytes_max) return invalid(field, "it has too many spaces in a row");
    }
    return Ok{};
}

Result<> check_header(const HeaderField& header, std::size_t index) {
    const auto field = indexed("headers", index);
    if (header.name.empty()) return invalid(field, "the name is empty");
    if (header.name.size() > header_name_bytes_max) return invalid(field, "the name is too long");
    const auto is_name = [](char c) { return is_visible(c) && c != ':'; };
    if (!std::ranges::all_of(header.name, is_name)) {
        return invalid(field, "the name has a character that no header name has");
    }
    const auto named = field + " \"" + header.name + "\"";
    if (is_reserved(header.name)) {
        return invalid(named, "this header cannot be given as a custom one");
    }
    TRY(check_text(named, header.value, header_value_bytes_max));
    return check_words(named, header.value);
}

Result<> check_mailboxes(std::string_view field, const std::vector<Mailbox>& mailboxes) {
    for (std::size_t i = 0; i < mailboxes.size(); ++i) {
        const auto good = check_address(mailboxes[i]);
        if (!good) return invalid(indexed(field, i), good.error().message);
    }
    return Ok{};
}

Result<> check_id(std::string_view field, const MessageId& id) {
    if (id.value.empty()) return invalid(field, "the message id is empty");
    if (id.value.size() > header_word_bytes_max) {
        return invalid(field, "the message id is too long");
    }
    const auto is_good = [](char c) { return is_visible(c) && c != '<' && c != '>'; };
    if (!std::ranges::all_of(id.value, is_good)) {
        return invalid(field, "the message id has a character that no id may have");
    }
    return Ok{};
}

Result<> check_ids(std::string_view field, const std::vector<MessageId>& ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) TRY(check_id(indexed(field, i), ids[i]));
    return Ok{};
}

Result<> check_part(std::string_view field, std::string_view filename, std::string_view type) {
    const auto name = cleaned_filename(filename);
    if (!name) return invalid(std::string(field) + ".filename", name.error().message);
    const auto parsed = checked_content_type(type);
    if (!parsed) return invalid(std::string(field) + ".content_type", parsed.error().message);
    return Ok{};
}

Result<> check_parts(const Message& message) {
    if (message.inline_images.size() + message.attachments.size() > body_parts_max) {
        return invalid("attachments", "there are too many");
    }
    if (!message.inline_images.empty() && !message.html) {
        return invalid("inline_images", "there is no HTML to show them");
    }
    for (std::size_t i = 0; i < message.inline_images.size(); ++i) {
        const auto& image = message.inline_images[i];
        const auto field = indexed("inline_images", i);
        if (image.content_id.size() > content_id_bytes_max) {
            return invalid(field + ".content_id", "it is too long");
        }
        TRY(check_id(field + ".content_id", MessageId{image.content_id}));
        TRY(check_part(field, image.filename, image.content_type));
    }
    for (std::size_t i = 0; i < message.attachments.size(); ++i) {
        const auto& part = message.attachments[i];
        TRY(check_part(indexed("attachments", i), part.filename, part.content_type));
    }
    return Ok{};
}

Result<> check_people(const Message& message) {
    if (message.from.empty()) return invalid("from", "there is none");
    if (message.from.size() > 1 && !message.sender) {
        return invalid("sender", "several authors need one (RFC 5322, 3.6.2)");
    }
    const auto recipients = message.to.size() + message.cc.size() + message.bcc.size();
    if (recipients > message_recipients_max) return invalid("to", "there are too many recipients");
    if (message.from.size() + message.reply_to.size() > message_recipients_max) {
        return invalid("reply_to", "there are too many addresses");
    }
    TRY(check_mailboxes("from", message.from));
    if (message.sender) TRY(check_mailboxes("sender", {*message.sender}));
    TRY(check_mailboxes("reply_to", message.reply_to));
    TRY(check_mailboxes("to", message.to));
    TRY(check_mailboxes("cc", message.cc));
    return check_mailboxes("bcc", message.bcc);
}

Result<> check_size(const Message& message, const BuildOptions& options) {
    std::size_t bytes =
        (message.text ? message.text->size() : 0) + (message.html ? message.html->size() : 0);
    for (const auto& image : message.inline_images) bytes += image.content.size() / 3 * 4;
    for (const auto& part : message.attachments) bytes += part.content.size() / 3 * 4;
    if (bytes > options.message_bytes_max)
        return invalid("attachments", "the message is too large");
    return Ok{};
}

bool is_token(std::string_view text) {
    const auto is_good = [](char c) {
        return is_visible(c) &&
               std::string_view("()<>@,;:\\\"/[]?=*'%").find(c) == std::string_view::npos;
    };
    return !text.empty() && std::ranges::all_of(text, is_good);
}

}  // namespace

Result<> check(const Message& message, const BuildOptions& options) {
    TRY(check_people(message));
    TRY(check_text("subject", message.subject, subject_bytes_max));
    TRY(check_id("message_id", message.message_id));
    TRY(check_ids("in_reply_to", message.in_reply_to));
    TRY(check_ids("references", message.references));
    if (message.headers.size() > custom_headers_max)
        return invalid("headers", "there are too many");
    for (std::size_t i = 0; i < message.headers.size(); ++i) {
        TRY(check_header(message.headers[i], i));
    }
    if (message.text && !is_utf8(*message.text)) return invalid("text", "it is not UTF-8");
    if (message.html && !is_utf8(*message.html)) return invalid("html", "it is not UTF-8");
    TRY(check_parts(message));
    return check_size(message, options);
}

Result<std::string> cleaned_filename(std::string_view given) {
    const auto slash = given.find_last_of("/\\");
    const auto name = slash == given.npos ? given : given.substr(slash + 1);
    if (std::ranges::any_of(given, is_control)) {
        return Error{Errc::invalid, "the name has a control character"};
    }
    if (!is_utf8(name)) return Error{Errc::invalid, "the name is not UTF-8"};
    if (name.size() > filename_bytes_max) return Error{Errc::invalid, "the name is too long"};
    return std::string(trim(name));
}

Result<ParameterizedValue> checked_content_type(std::string_view given) {
    if (given.empty()) given = "application/octet-stream";
    if (given.size() > header_value_bytes_max) return Error{Errc::invalid, "it is too long"};
    if (std::ranges::any_of(given, is_control)) {
        return Error{Errc::invalid, "it has a line break or another control character"};
    }
    auto parsed = parse_parameterized(given);
    const std::string_view type = parsed.value;
    const auto slash = type.find('/');
    const bool is_type = slash != type.npos && is_token(type.substr(0, slash)) &&
                         is_token(type.substr(slash + 1)) && type.size() <= 127;
    if (!is_type || !parsed.defects.empty()) {
        return Error{Errc::invalid, "it is not a media type such as image/png"};
    }
    if (type.starts_with("multipart/")) return Error{Errc::invalid, "it cannot be a multipart"};
    for (const auto& parameter : parsed.parameters) {
        if (!is_token(parameter.name) || parameter.name.size() > parameter_name_bytes_max) {
            return Error{Errc::invalid, "a parameter has no proper name"};
        }
    }
    return parsed;
}

}  // namespace mailroom::mime
