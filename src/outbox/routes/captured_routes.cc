#include "base/base64.h"
#include "mime/html/sanitise.h"
#include "mime/read/parse.h"
#include "outbox/routes/forms.h"
#include "outbox/routes/routes.h"
#include "program/action.h"
#include "table/records/record.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mailroom::table {

template <>
struct Record<outbox::CapturedMail> {
    using Mail = outbox::CapturedMail;
    static constexpr std::string_view record_name = "CapturedMail";
    static constexpr auto fields =
        std::tuple{shown("id", &Mail::id), shown("sender", &Mail::sender),
                   shown("recipients", &Mail::recipients), shown("subject", &Mail::subject),
                   shown("at", &Mail::at)};
};

}  // namespace mailroom::table

namespace mailroom::outbox {

namespace {

using program::Actor;
using program::ById;
using program::File;
using table::asked;
using table::PageWish;
using table::required;
using table::shown;
using table::Slice;

// Of one image that goes into the page as a part of its HTML.
constexpr std::uint64_t shown_image_bytes_max = 2 * 1024 * 1024;
constexpr std::array<std::string_view, 4> shown_images = {"image/png", "image/jpeg", "image/gif",
                                                          "image/webp"};

struct ShownAttachment {
    std::string filename, content_type;
    std::int64_t bytes = 0;
    std::optional<std::string> content_id;
    bool is_inline = false;

    static constexpr std::string_view record_name = "ReceivedAttachment";
    static constexpr auto fields = std::tuple{
        shown("filename", &ShownAttachment::filename),
        shown("content_type", &ShownAttachment::content_type),
        shown("bytes", &ShownAttachment::bytes),
        table::shown_or_omitted("content_id", &ShownAttachment::content_id),
        shown("inline", &ShownAttachment::is_inline, "Shown in the text, not offered beside it.")};
};
struct ShownMessage {
    std::string id;
    std::vector<std::string> from, to, cc, reply_to;
    std::string subject;
    std::optional<WholeSecond> date;
    std::string text;
    std::optional<std::string> html;
    std::vector<ShownAttachment> attachments;

    static constexpr std::string_view record_name = "CapturedMessage";
    static constexpr auto fields =
        std::tuple{shown("id", &ShownMessage::id),
                   shown("from", &ShownMessage::from),
                   shown("to", &ShownMessage::to),
                   shown("cc", &ShownMessage::cc),
                   shown("reply_to", &ShownMessage::reply_to),
                   shown("subject", &ShownMessage::subject),
                   shown("date", &ShownMessage::date, "As its sender says."),
                   shown("text", &ShownMessage::text),
                   shown("html", &ShownMessage::html, "Made safe to show."),
                   shown("attachments", &ShownMessage::attachments)};
};

struct CapturedFilter {
    std::string words;

    static constexpr auto fields =
        std::tuple{asked("q", &CapturedFilter::words,
                         "Only mails with these words in their subject or addresses, in upper or "
                         "lower case.")};
};
struct WhichAttachment {
    std::string id, number;

    static constexpr auto fields =
        std::tuple{required("id", &WhichAttachment::id, "Of the mail."),
                   required("number", &WhichAttachment::number,
                            "Its place among the mail's attachments; the first is 1.")};
};

Result<Slice<CapturedMail>> list(const CapturedFilter& in, const PageWish& page,
                                 Captured& captured) {
    auto found = TRY(captured.list(page.limit, page.after, in.words));
    return Slice<CapturedMail>{std::move(found.mails), std::move(found.next)};
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

mailroom::Answer<std::string> message_of(const std::string& id, Outbox& outbox) {
    const auto history = TRY(outbox.history(id));
    if (!history) return mailroom::Refusal::not_found("no mail " + id);
    auto message = TRY(outbox.message(history->mail));
    if (!message)
        return mailroom::Refusal::not_found("the message of mail " + id + " is not made yet");
    return *std::move(message);
}

std::vector<std::string> texts_of(const std::vector<mime::Mailbox>& mailboxes) {
    std::vector<std::string> texts;
    for (const auto& mailbox : mailboxes) {
        const auto& name = mailbox.display_name;
        texts.push_back(name.empty() ? mailbox.address() : name + " <" + mailbox.address() + ">");
    }
    return texts;
}

std::string safe_html(const mime::ParsedMail& mail) {
    mime::SanitiseOptions options;
    options.content_address = [&](std::string_view content_id) {
        return image_address(mail, content_id);
    };
    return mime::sanitise_html(*mail.html, options).html;
}

mailroom::Answer<ShownMessage> show(const std::string& id, Outbox& outbox) {
    const auto message = TRY(message_of(id, outbox));
    const auto mail = mime::parse(message);
    ShownMessage shown;
    shown.id = id;
    shown.from = texts_of(mail.from);
    shown.to = texts_of(mail.to);
    shown.cc = texts_of(mail.cc);
    shown.reply_to = texts_of(mail.reply_to);
    shown.subject = mail.subject;
    if (mail.date) shown.date = WholeSecond{*mail.date};
    shown.text = mail.text;
    if (mail.html) shown.html = safe_html(mail);
    for (const auto& file : mail.attachments) {
        shown.attachments.push_back({file.name(), file.media_type(),
                                     static_cast<std::int64_t>(file.size_bytes()),
                                     file.content_id(), file.is_inline()});
    }
    return shown;
}

struct AttachmentFile : File {
    static constexpr const char* type = "application/octet-stream";
};

// Never as what it says it is: a browser would show an HTML file as a page of ours.
AttachmentFile file_of(const mime::ReceivedAttachment& file) {
    return {{AttachmentFile::type,
             file.content(),
             {{"Content-Disposition", "attachment"},
              {"X-Content-Type-Options", "nosniff"},
              {"Content-Security-Policy", "default-src 'none'; sandbox"}}}};
}

mailroom::Answer<AttachmentFile> attachment(const WhichAttachment& in, Outbox& outbox) {
    const auto message = TRY(message_of(in.id, outbox));
    const auto mail = mime::parse(message);
    for (std::size_t index = 0; index < mail.attachments.size(); ++index) {
        if (std::to_string(index + 1) == in.number) return file_of(mail.attachments[index]);
    }
    return mailroom::Refusal::not_found("mail " + in.id + " has no attachment " + in.number);
}

}  // namespace

void add_captured_routes(program::Api& api, const Desk& desk) {
    using program::scope::read;
    api.list(
        "/v1/captured",
        {.name = "list_captured", .scope = read, .summary = "List captured mails, newest first"},
        [desk](const CapturedFilter& in, const PageWish& page, const Actor&) {
            return list(in, page, desk.captured);
        });
    api.get("/v1/captured/{id}",
            {.name = "show_captured",
             .scope = read,
             .summary = "Show a captured mail as its reader sees it",
             .more = "The HTML is made safe to show."},
            [desk](const ById& in, const Actor&) { return show(in.id, desk.outbox); });
    api.get(
        "/v1/captured/{id}/attachments/{number}",
        {.name = "save_captured_attachment",
         .scope = read,
         .summary = "Save an attachment of a captured mail"},
        [desk](const WhichAttachment& in, const Actor&) { return attachment(in, desk.outbox); });
}

}  // namespace mailroom::outbox
