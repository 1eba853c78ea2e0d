#include "engagement/events/facts.h"

#include "base/text.h"
#include "engagement/events/rows.h"
#include "people/canonical.h"

#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::string_view email_name = "Email", template_name = "Template",
                           sequence_name = "Sequence", subject_name = "Subject",
                           message_name = "MessageId", stream_name = "Stream", sent_name = "Sent",
                           mail_name = "Mail";
constexpr std::size_t message_id_bytes_max = 998;  // A line: what is longer is none.

std::string text_of(const table::ItemView& row, std::string_view name) {
    return std::string(row.text(name).value_or(""));
}

FollowedMail read_facts(const std::string& mail_id, const table::ItemView& row) {
    FollowedMail mail{
        .id = mail_id,
        .email = text_of(row, email_name),
        .template_key = text_of(row, template_name),
        .sequence_id = text_of(row, sequence_name),
        .subject = text_of(row, subject_name),
        .message_id = text_of(row, message_name),
        .stream =
            people::stream_named(text_of(row, stream_name)).value_or(people::Stream::transactional),
        .sent = {}};
    if (const auto sent = row.integer(sent_name)) mail.sent = from_unix_ms(*sent);
    return mail;
}

}  // namespace

std::string domain_of(std::string_view email) {
    const auto at = email.rfind('@');
    return at == email.npos ? "" : ascii_lower(email.substr(at + 1));
}

std::string bare_message_id(std::string_view text) {
    text = trim(text);
    if (text.starts_with('<')) text.remove_prefix(1);
    if (text.ends_with('>')) text.remove_suffix(1);
    return std::string(text);
}

FollowedMail followed(const outbox::Mail& mail) {
    FollowedMail kept{.id = mail.id,
                      .email = {},
                      .template_key = {},
                      .sequence_id = {},
                      .subject = {},
                      .message_id = bare_message_id(mail.message_id),
                      .stream = mail.stream,
                      .sent = {}};
    if (mail.state == outbox::State::sent) kept.sent = mail.updated;
    if (mail.recipients.size() == 1) {
        auto canonical = people::canonical_of(mail.recipients.front().address);
        if (canonical) kept.email = *std::move(canonical);
    }
    if (mail.engagement) {
        kept.template_key = mail.engagement->template_key;
        kept.sequence_id = mail.engagement->sequence_id;
        kept.subject = mail.engagement->subject;
    }
    return kept;
}

Result<std::optional<table::Item>> MailFacts::row_of(table::Item key) const {
    table::GetItem request;
    request.table = table_;
    request.key = std::move(key);
    request.consistent = true;
    return TRY(store_.get(request)).item;
}

Result<std::optional<FollowedMail>> MailFacts::find(const std::string& mail_id) {
    if (mail_id.empty() || mail_id.size() > message_id_bytes_max) {
        return std::optional<FollowedMail>();
    }
    const auto kept = TRY(row_of(rows::mail(mail_id)));
    if (kept) return std::optional(read_facts(mail_id, *kept));
    const auto waiting = TRY(ledger_.find(mail_id));
    return waiting ? std::optional(followed(*waiting)) : std::optional<FollowedMail>();
}

Result<std::optional<FollowedMail>> MailFacts::find_by_message_id(std::string_view message_id) {
    const auto whole = bare_message_id(message_id);
    std::vector<std::string> names = {whole};
    if (const auto at = whole.find('@'); at != whole.npos) names.push_back(whole.substr(0, at));
    for (const auto& name : names) {
        if (name.empty() || name.size() > message_id_bytes_max) continue;
        const auto kept = TRY(row_of(rows::message_id(name)));
        if (kept) return find(text_of(*kept, mail_name));
    }
    return std::optional<FollowedMail>();
}

Result<Figures> MailFacts::figures(const std::string& mail_id) {
    const auto kept = TRY(row_of(rows::mail(mail_id)));
    return kept ? table::from_item<Figures>(*kept) : Figures();
}

void MailFacts::keep(schedule::Transaction& transaction, const FollowedMail& mail,
                     const std::vector<std::string_view>& counts, std::int64_t until) const {
    auto& row = transaction.update(table_, rows::mail(mail.id));
    for (const auto& [name, text] :
         {std::pair(email_name, &mail.email), std::pair(template_name, &mail.template_key),
          std::pair(sequence_name, &mail.sequence_id), std::pair(subject_name, &mail.subject),
          std::pair(message_name, &mail.message_id)}) {
        if (!text->empty()) row.set_if_absent(name, *text);
    }
    row.set_if_absent(stream_name, people::name_of(mail.stream));
    if (mail.sent) row.set_if_absent(sent_name, to_unix_ms(*mail.sent));
    for (const auto name : counts) row.add(name, 1);
    if (until > 0) row.set(rows::expiry, until);
}

void MailFacts::name(schedule::Transaction& transaction, const std::string& mail_id,
                     std::string_view message_id, std::int64_t until) const {
    const auto bare = bare_message_id(message_id);
    if (bare.empty() || bare.size() > message_id_bytes_max) return;
    auto row = rows::message_id(bare);
    row.set(mail_name, table::Value(mail_id));
    if (until > 0) row.set(rows::expiry, table::Value(until));
    transaction.put(table_, std::move(row));
}

}  // namespace mailroom::engagement
