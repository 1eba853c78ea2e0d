// Requests that programs put together as values.
#include "base/base64.h"
#include "base/text.h"
#include "base/time_format.h"
#include "json/writer.h"
#include "net/url.h"
#include "outbox/accept/request_fields.h"
#include "outbox/fetching/attachments.h"
#include "outbox/transports/envelope.h"

#include <algorithm>

namespace mailroom::outbox {

namespace {

constexpr std::size_t content_type_bytes_max = 255;
constexpr std::size_t content_id_bytes_max = 200;
constexpr std::size_t header_value_bytes_max = 16 * 1024;  // What mime::build() takes.
// What a whole message may have (mime::BuildOptions).
constexpr std::size_t body_bytes_max = 40 * 1024 * 1024;

Parsed<> check_length(std::string_view text, std::string_view field, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return Ok{};
    return BadField{std::string(field), "is longer than " + std::to_string(bytes_max) + " bytes"};
}

Parsed<> check_count(std::size_t count, std::string_view field, std::size_t count_max,
                     std::string_view what) {
    if (count <= count_max) return Ok{};
    return BadField{std::string(field),
                    "has more than " + std::to_string(count_max) + " " + std::string(what)};
}

Parsed<> check_tag(std::string_view tag, const std::string& field) {
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    if (tag.empty()) return BadField{field, "is empty"};
    if (std::ranges::any_of(tag, is_control)) return BadField{field, "has a control character"};
    return Ok{};
}

Parsed<> check_whole(const Request& r) {
    const auto recipients = r.to.size() + r.cc.size() + r.bcc.size();
    if (recipients == 0) return BadField{"to", "must name at least one recipient"};
    TRY(check_count(recipients, "to", recipients_max, "addresses, with cc and bcc"));
    const auto& source = r.source;
    if (r.subject.empty() && !(source && source->subject)) {
        return BadField{"subject", "is missing"};
    }
    if (!r.text && !r.html && !(source && (source->text || source->html))) {
        return BadField{"text", "is missing: give text, html or a template"};
    }
    if (!r.data.empty() && !source) return BadField{"data", "is of no use without a template"};
    return Ok{};
}

Parsed<> check_text(std::string_view text, std::string_view field, std::size_t bytes_max) {
    TRY(check_length(text, field, bytes_max));
    if (!is_utf8(text)) return BadField{std::string(field), "is not UTF-8"};
    return Ok{};
}

Parsed<> check_texts(const Request& request) {
    const auto& source = request.source;
    static const std::optional<std::string> none;
    const struct {
        std::string_view field;
        const std::optional<std::string>& text;
        std::size_t bytes_max;
    } rows[] = {{"text", request.text, body_bytes_max},
                {"html", request.html, body_bytes_max},
                {"template.subject", source ? source->subject : none, template_bytes_max},
                {"template.text", source ? source->text : none, template_bytes_max},
                {"template.html", source ? source->html : none, template_bytes_max}};
    TRY(check_text(request.subject, "subject", subject_bytes_max));
    for (const auto& [field, text, bytes_max] : rows) {
        if (text) TRY(check_text(*text, field, bytes_max));
    }
    return Ok{};
}

Parsed<> check_object(const std::string& text, std::string_view field, std::size_t bytes_max) {
    if (text.empty()) return Ok{};
    TRY(check_length(text, field, bytes_max));
    json::Parser parser;
    const auto view = parser.parse(text);
    if (!view) return BadField{std::string(field), "is no JSON"};
    TRY(require(*view, json::View::Type::object, field));
    return Ok{};
}

Parsed<> check_url(const std::string& text, const std::string& field) {
    const auto url = net::Url::parse(text);
    if (url) return Ok{};
    return BadField{field, "must be an http or https URL: " + url.error().message};
}

Parsed<> check_one(const mime::Mailbox& mailbox, const std::string& field) {
    const auto checked = mime::check_address(mailbox);
    if (!checked || !is_utf8(mailbox.display_name)) {
        return BadField{field, "must be an e-mail address: " +
                                   (checked ? "its name is not UTF-8" : checked.error().message)};
    }
    if (has_domain_name(mailbox)) return Ok{};
    return BadField{field, "must be an e-mail address whose domain has a dot"};
}

Parsed<> check_all(const std::vector<mime::Mailbox>& mailboxes, std::string_view field,
                   std::size_t count_max) {
    TRY(check_count(mailboxes.size(), field, count_max, "addresses"));
    for (std::size_t i = 0; i < mailboxes.size(); ++i) {
        TRY(check_one(mailboxes[i], indexed(field, i)));
    }
    return Ok{};
}

Parsed<> check_people(const Request& request) {
    TRY(check_one(request.from, "from"));
    TRY(check_all(request.to, "to", recipients_max));
    TRY(check_all(request.cc, "cc", recipients_max));
    TRY(check_all(request.bcc, "bcc", recipients_max));
    return check_all(request.reply_to, "reply_to", reply_to_max);
}

Parsed<> check_attachment(const AttachmentSource& attachment, const std::string& field) {
    TRY(check_text(attachment.filename, joined(field, "filename"), filename_bytes_max));
    TRY(check_text(attachment.content_type, joined(field, "content_type"), content_type_bytes_max));
    TRY(check_text(attachment.content_id, joined(field, "content_id"), content_id_bytes_max));
    const auto place = joined(field, name_of(attachment.kind));
    if (attachment.kind == AttachmentSource::Kind::url) return check_url(attachment.value, place);
    if (attachment.kind == AttachmentSource::Kind::content) return Ok{};
    TRY(check_text(attachment.value, place, path_bytes_max));
    const auto path = confined_path(attachment.value);
    if (!path) return BadField{place, path.error().message};
    return Ok{};
}

Parsed<> check_parts(const Request& request) {
    TRY(check_count(request.attachments.size(), "attachments", attachments_max, "elements"));
    for (std::size_t i = 0; i < request.attachments.size(); ++i) {
        TRY(check_attachment(request.attachments[i], indexed("attachments", i)));
    }
    TRY(check_count(request.headers.size(), "headers", headers_max, "members"));
    for (const auto& header : request.headers) {
        const auto field = joined("headers", header.name);
        if (!is_utf8(header.name)) return BadField{"headers", "has a name that is not UTF-8"};
        TRY(check_text(header.value, field, header_value_bytes_max));
    }
    TRY(check_count(request.tags.size(), "tags", tags_max, "elements"));
    for (std::size_t i = 0; i < request.tags.size(); ++i) {
        TRY(check_text(request.tags[i], indexed("tags", i), tag_bytes_max));
        TRY(check_tag(request.tags[i], indexed("tags", i)));
    }
    return Ok{};
}

Parsed<> check_engagement(const Request& request) {
    if (!request.engagement) return Ok{};
    table::Reading reading;
    {
        const table::Reading::Inside inside(reading, "engagement");
        Engagement::check(*request.engagement, reading);
        const table::Reading::Inside further(reading, "utm");
        Utm::check(request.engagement->utm, reading);
    }
    if (!reading.is_good()) return reading.take().front();
    const auto recipients = request.to.size() + request.cc.size() + request.bcc.size();
    if (request.engagement->is_personal() && recipients > 1) return several_recipients();
    return Ok{};
}

Parsed<> check(const Request& request, Time now) {
    TRY(check_people(request));
    TRY(check_texts(request));
    TRY(check_parts(request));
    TRY(check_object(request.data, "data", data_bytes_max));
    TRY(check_object(request.metadata, "metadata", metadata_bytes_max));
    if (!request.callback_url.empty()) TRY(check_url(request.callback_url, "callback_url"));
    if (request.send_at && *request.send_at > now + send_ahead_max) {
        return BadField{"send_at", "is more than a year ahead"};
    }
    TRY(check_engagement(request));
    return check_whole(request);
}

class RequestWriter {
public:
    explicit RequestWriter(std::string& out) : writer_(out) {}

    void write(const Request& request) {
        writer_.open_object();
        if (request.id) writer_.key("id").text(*request.id);
        writer_.key("from").text(text_of(request.from));
        people("to", request.to);
        people("cc", request.cc);
        people("bcc", request.bcc);
        people("reply_to", request.reply_to);
        if (!request.subject.empty()) writer_.key("subject").text(request.subject);
        optional("text", request.text);
        optional("html", request.html);
        contents(request);
        handling(request);
        writer_.close_object();
    }

private:
    // The name in quotes, as parse_address() reads it.
    static std::string text_of(const mime::Mailbox& mailbox) {
        if (mailbox.display_name.empty()) return mailbox.address();
        std::string text = "\"";
        for (const char c : mailbox.display_name) {
            if (c == '"' || c == '\\') text += '\\';
            text += c;
        }
        return text + "\" <" + mailbox.address() + ">";
    }

    void people(const char* name, const std::vector<mime::Mailbox>& mailboxes) {
        if (mailboxes.empty()) return;
        writer_.key(name).open_list();
        for (const auto& mailbox : mailboxes) writer_.text(text_of(mailbox));
        writer_.close_list();
    }

    void optional(const char* name, const std::optional<std::string>& text) {
        if (text) writer_.key(name).text(*text);
    }

    void if_any(const char* name, const std::string& text) {
        if (!text.empty()) writer_.key(name).text(text);
    }

    void object(const char* name, const std::string& json) {
        if (!json.empty()) writer_.key(name).value() += json;
    }

    void contents(const Request& request) {
        if (request.source) {
            writer_.key("template").open_object();
            optional("subject", request.source->subject);
            optional("text", request.source->text);
            optional("html", request.source->html);
            writer_.close_object();
        }
        object("data", request.data);
        if (!request.attachments.empty()) {
            writer_.key("attachments").open_list();
            for (const auto& attachment : request.attachments) write(attachment);
            writer_.close_list();
        }
        if (request.headers.empty()) return;
        writer_.key("headers").open_object();
        for (const auto& [name, value] : request.headers) writer_.name(name).text(value);
        writer_.close_object();
    }

    void write(const AttachmentSource& attachment) {
        const bool is_content = attachment.kind == AttachmentSource::Kind::content;
        writer_.open_object();
        if_any("filename", attachment.filename);
        if_any("content_type", attachment.content_type);
        if_any("content_id", attachment.content_id);
        writer_.name(name_of(attachment.kind))
            .text(is_content ? base64_encode(attachment.value) : attachment.value);
        writer_.close_object();
    }

    void handling(const Request& request) {
        if (request.stream != Stream::transactional) {
            writer_.key("stream").text(name_of(request.stream));
        }
        if (request.send_at) writer_.key("send_at").text(format_rfc3339(*request.send_at));
        if_any("callback_url", request.callback_url);
        if (!request.tags.empty()) {
            writer_.key("tags").open_list();
            for (const auto& tag : request.tags) writer_.text(tag);
            writer_.close_list();
        }
        object("metadata", request.metadata);
        if (request.engagement) {
            writer_.key("engagement");
            table::write_json(writer_, *request.engagement);
        }
    }

    json::Writer writer_;
};

}  // namespace

std::optional<BadField> fault_of(const Request& request, Time now) {
    auto checked = check(request, now);
    if (checked) return std::nullopt;
    return std::move(checked).error();
}

std::string payload_of(const Request& request) {
    std::string text;
    RequestWriter(text).write(request);
    return text;
}

}  // namespace mailroom::outbox
