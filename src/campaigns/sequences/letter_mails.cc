#include "campaigns/sequences/letter_mails.h"

#include "campaigns/sequences/json_path.h"
#include "liquid/template.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

// The profile as it is now; the name as they came with it, and the rest of that where there is no
// profile.
Reader reader_of(const SequenceMails::Mail& mail) {
    const auto& profile = mail.known.profile;
    auto reader = profile ? Reader::of(*profile) : Reader();
    reader.email = mail.journey.address;
    const auto& came = mail.journey.data;
    auto first_name = text_by_path("$.subscriber.firstName", came);
    if (!first_name.empty()) reader.first_name = std::move(first_name);
    const auto attributes = find_by_path("$.subscriber.attributes", came);
    if (attributes && attributes->view().kind() == table::Kind::map) {
        reader.given = table::Item(attributes->view().map());
    }
    return reader;
}

Answer<mime::Mailbox> mailbox(const std::string& address, const std::string& name) {
    auto parsed = TRY(mime::parse_address(address));
    parsed.display_name = name;
    return parsed;
}

outbox::Engagement engagement_of(const SequenceMails::Mail& mail, bool has_links) {
    const auto& definition = mail.definition;
    outbox::Engagement engagement;
    engagement.template_key = mail.step.template_key;
    engagement.sequence_id = definition.id;
    if (!has_links) return engagement;
    engagement.track_opens = engagement.track_clicks = true;
    engagement.unsubscribe = !definition.transactional && definition.sender.list_unsubscribe;
    return engagement;
}

}  // namespace

Answer<outbox::Request> LetterMails::request(const Mail& mail) {
    const auto& sender = mail.definition.sender;
    const auto edition = TRY(templates_.edition(mail.step.template_key, std::nullopt));
    const auto letter = TRY(press_.letter(edition));
    const auto subject = TRY(liquid::Template::compile(mail.step.subject));
    auto rendered = TRY(letter->render(reader_of(mail), &subject));
    outbox::Request request;
    request.from = TRY(mailbox(sender.from_email, sender.from_name));
    request.to = {TRY(mailbox(mail.journey.address, ""))};
    if (!sender.reply_to.empty()) request.reply_to = {TRY(mailbox(sender.reply_to, ""))};
    request.subject = std::move(rendered.subject);
    request.html = std::move(rendered.html);
    request.text = std::move(rendered.text);
    request.attachments = letter->attachments();
    request.stream =
        mail.definition.transactional ? outbox::Stream::transactional : outbox::Stream::bulk;
    request.engagement = engagement_of(mail, has_links_);
    return request;
}

Answer<> LetterMails::add_to(schedule::Transaction& together, const Mail& mail) {
    const auto wanted = TRY(request(mail));
    const auto added = outbox_.add_to(together, wanted, {mail.step.send_key});
    if (!added) return Refusal(static_cast<Error>(added.error()));
    return Ok{};
}

Result<bool> LetterMails::has(const std::string& send_key) {
    return TRY(outbox_.history(outbox::mail_id_for({send_key}))).has_value();
}

}  // namespace mailroom::campaigns
