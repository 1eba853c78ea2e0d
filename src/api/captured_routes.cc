#include "api/captured_routes.h"

#include "base/base64.h"
#include "base/time_format.h"
#include "mime/html/sanitise.h"
#include "mime/read/parse.h"

#include <array>

namespace mailroom::api {

namespace {

// Of one image that goes into the page as a part of its HTML.
constexpr std::uint64_t shown_image_bytes_max = 2 * 1024 * 1024;
constexpr std::array<std::string_view, 4> shown_images = {"image/png", "image/jpeg", "image/gif",
                                                          "image/webp"};

void write_captured(json::Writer& writer, const outbox::CapturedMail& mail) {
    writer.open_object();
    write_text(writer, "id", mail.id);
    write_text(writer, "sender", mail.sender);
    writer.key("recipients").open_list();
    for (const auto& recipient : mail.recipients) append_json_string(writer.value(), recipient);
    writer.close_list();
    write_text(writer, "subject", mail.subject);
    writer.key("at").text(format_rfc3339(mail.at)).close_object();
}

Response list(const Call& call, outbox::Captured& captured) {
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto* words = call.query("q");
    const auto found = captured.list(page->limit, page->after, words ? *words : std::string());
    if (!found) return failure_response(found.error());
    return page_response(found->mails, found->next, write_captured);
}

void write_mailboxes(json::Writer& writer, std::string_view key,
                     const std::vector<mime::Mailbox>& mailboxes) {
    writer.key(key).open_list();
    for (const auto& mailbox : mailboxes) {
        const auto text = mailbox.display_name.empty()
                              ? mailbox.address()
                              : mailbox.display_name + " <" + mailbox.address() + ">";
        append_json_string(writer.value(), text);
    }
    writer.close_list();
}

// The image as a data: address; none if it is no image that browsers show.
std::optional<std::string> image_address(const mime::ParsedMail& mail, std::string_view id) {
    for (const auto& attachment : mail.attachments) {
        const bool shown =
            attachment.content_id() == id && attachment.size_bytes() <= shown_image_bytes_max &&
            std::ranges::find(shown_images, attachment.media_type()) != shown_images.end();
        if (!shown) continue;
        return "data:" + attachment.media_type() + ";base64," + base64_encode(attachment.content());
    }
    return std::nullopt;
}

void write_attachments(json::Writer& writer, const mime::ParsedMail& mail) {
    writer.key("attachments").open_list();
    for (const auto& attachment : mail.attachments) {
        writer.open_object();
        write_text(writer, "filename", attachment.name());
        write_text(writer, "content_type", attachment.media_type());
        writer.key("bytes").integer(static_cast<std::int64_t>(attachment.size_bytes()));
        if (attachment.content_id()) write_text(writer, "content_id", *attachment.content_id());
        writer.key("inline").boolean(attachment.is_inline()).close_object();
    }
    writer.close_list();
}

std::string message_json(const std::string& id, std::string_view message) {
    const auto mail = mime::parse(message);
    std::string body;
    json::Writer writer(body);
    writer.open_object();
    write_text(writer, "id", id);
    write_mailboxes(writer, "from", mail.from);
    write_mailboxes(writer, "to", mail.to);
    write_mailboxes(writer, "cc", mail.cc);
    write_mailboxes(writer, "reply_to", mail.reply_to);
    write_text(writer, "subject", mail.subject);
    writer.key("date");
    if (mail.date) writer.text(format_rfc3339_seconds(*mail.date));
    if (!mail.date) writer.null();
    write_text(writer, "text", mail.text);
    writer.key("html");
    if (mail.html) {
        mime::SanitiseOptions options;
        options.content_address = [&](std::string_view content_id) {
            return image_address(mail, content_id);
        };
        append_json_string(writer.value(), mime::sanitise_html(*mail.html, options).html);
    } else {
        writer.null();
    }
    write_attachments(writer, mail);
    writer.close_object();
    return body;
}

Result<std::string, Response> message_of(const std::string& id, outbox::Outbox& outbox) {
    const auto history = outbox.history(id);
    if (!history) return failure_response(history.error());
    if (!*history) return not_found_response("no mail " + id);
    auto message = outbox.message((*history)->mail);
    if (!message) return failure_response(message.error());
    if (!*message) return not_found_response("the message of mail " + id + " is not made yet");
    return **std::move(message);
}

Response show(const std::string& id, outbox::Outbox& outbox) {
    const auto message = message_of(id, outbox);
    return message ? json_response(200, message_json(id, *message)) : message.error();
}

// Never as what it says it is: a browser would show an HTML file as a page of ours.
Response file_response(const mime::ReceivedAttachment& file) {
    Response response;
    response.content_type = "application/octet-stream";
    response.headers = {{"Content-Disposition", "attachment"},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Content-Security-Policy", "default-src 'none'; sandbox"}};
    response.body = file.content();
    return response;
}

// `number` as in the list of attachments, which begins with 1.
Response attachment(const std::string& id, const std::string& number, outbox::Outbox& outbox) {
    const auto message = message_of(id, outbox);
    if (!message) return message.error();
    const auto mail = mime::parse(*message);
    for (std::size_t index = 0; index < mail.attachments.size(); ++index) {
        if (std::to_string(index + 1) == number) return file_response(mail.attachments[index]);
    }
    return not_found_response("mail " + id + " has no attachment " + number);
}

}  // namespace

void add_captured_routes(Routes& routes, outbox::Captured& captured, outbox::Outbox& outbox) {
    routes.add("GET", "/v1/captured?q&limit&after", scope::read,
               [&captured](const Call& call) { return list(call, captured); });
    routes.add("GET", "/v1/captured/{id}", scope::read,
               [&outbox](const Call& call) { return show(call.parameter("id"), outbox); });
    routes.add("GET", "/v1/captured/{id}/attachments/{number}", scope::read,
               [&outbox](const Call& call) {
                   return attachment(call.parameter("id"), call.parameter("number"), outbox);
               });
}

}  // namespace mailroom::api
