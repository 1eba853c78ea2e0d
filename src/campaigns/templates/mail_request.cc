#include "campaigns/templates/mail_request.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

Answer<mime::Mailbox> mailbox(const std::string& text, const char* field) {
    auto parsed = mime::parse_address(text);
    if (parsed) return *std::move(parsed);
    return Refusal::bad_field(field, "must be an e-mail address: " + parsed.error().message);
}

outbox::Engagement engagement_of(const Letter& letter, const Sending& sending) {
    outbox::Engagement engagement;
    engagement.template_key = letter.key();
    engagement.sequence_id = sending.sequence_id;
    engagement.topic = sending.topic;
    engagement.track_opens = sending.tracks_opens;
    engagement.track_clicks = sending.tracks_clicks;
    engagement.unsubscribe = sending.unsubscribes();
    return engagement;
}

}  // namespace

void give_links(Reader& reader, const Sending& sending, const engagement::Links& links) {
    if (sending.unsubscribes()) return;
    const engagement::PersonToken person{"", sending.topic, sending.to};
    const auto or_nothing = [&](std::optional<std::string> link) {
        return links.has_base() && link ? *std::move(link) : std::string();
    };
    reader.unsubscribe_url = or_nothing(links.unsubscribe(person));
    reader.preferences_url = or_nothing(links.preferences(person));
}

Answer<outbox::Request> mail_request(const Letter& letter, RenderedMail mail,
                                     const Sending& sending) {
    outbox::Request request;
    request.from = TRY(mailbox(sending.from_email, "fromEmail"));
    request.from.display_name = sending.from_name;
    request.to = {TRY(mailbox(sending.to, "to"))};
    if (!sending.reply_to.empty()) {
        request.reply_to = {TRY(mailbox(sending.reply_to, "replyToEmail"))};
    }
    request.subject = std::move(mail.subject);
    request.html = std::move(mail.html);
    request.text = std::move(mail.text);
    request.attachments = letter.attachments();
    request.stream =
        sending.is_transactional ? outbox::Stream::transactional : outbox::Stream::bulk;
    request.engagement = engagement_of(letter, sending);
    return request;
}

}  // namespace mailroom::campaigns
