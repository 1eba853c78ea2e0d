#include "engagement/pages/confirmation_mails.h"

#include "engagement/pages/texts.h"
#include "mime/address.h"

#include <string>
#include <utility>

namespace mailroom::engagement {

// A mail that is waited for: a person who left our newsletters may ask for them again.
Answer<> ConfirmationMails::add_to(schedule::Transaction& transaction,
                                   const people::ToConfirm& to_confirm) {
    const auto& profile = to_confirm.profile;
    const auto language = pick_language(profile.language, "", settings_.language);
    const auto& texts = texts_in(language);
    const auto link = links_.confirm(to_confirm.token);
    const TextParts parts{
        .address = profile.email, .topic = "", .company = settings_.company, .link = link};
    outbox::Request mail;
    mail.from = TRY(mime::parse_address(settings_.from));
    if (mail.from.display_name.empty()) mail.from.display_name = settings_.company;
    mail.to.push_back(TRY(mime::parse_address(profile.email)));
    mail.subject =
        filled(settings_.company.empty() ? texts.mail_subject_plain : texts.mail_subject, parts);
    mail.text = filled(texts.mail_text, parts);
    for (const auto& topic : to_confirm.topics) {
        *mail.text += "\n• " + topic.details.text_in(name_of(language)).name;
    }
    const outbox::SendKey key{"confirm:" + to_confirm.token};
    const auto added = outbox_.add_to(transaction, mail, key);
    if (added) return Ok{};
    return Refusal(added.error());
}

}  // namespace mailroom::engagement
