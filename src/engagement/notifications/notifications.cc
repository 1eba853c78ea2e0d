#include "engagement/notifications/notifications.h"

#include "base/log.h"
#include "engagement/notifications/postmark.h"
#include "engagement/notifications/sendgrid.h"
#include "engagement/notifications/ses.h"
#include "engagement/tracking/machines.h"
#include "table/write_builder.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mailroom::engagement::notifications {

namespace {

using namespace std::chrono_literals;

// Longer than each goes on trying when it is not answered.
constexpr auto sns_age_max = 6h;
constexpr auto mailgun_age_max = 12h;
constexpr auto sendgrid_age_max = 26h;
// A token is remembered until its signature is too old, by any clock of ours.
constexpr auto token_kept = mailgun_age_max + 1h;
constexpr auto said_every = 1min;

Refusal not_set_up(const char* setting) {
    return Refusal::not_found(std::string("There is nobody to tell: the setting ") + setting +
                              " is empty.");
}
Refusal forged(const char* what) { return Refusal(Refusal::Kind::forbidden, "forged", what); }
Refusal too_old() {
    return Refusal(Refusal::Kind::forbidden, replayed_code,
                   "This was signed too long ago, or by a clock that is wrong.");
}
Refusal replayed() {
    return Refusal(Refusal::Kind::conflict, replayed_code, "This was told before.");
}

NotificationCounts counts_of(const Noted& noted) {
    return {.added = static_cast<std::int64_t>(noted.added),
            .known = static_cast<std::int64_t>(noted.known)};
}

// Where the provider does not say.
void find_machine(Happening& happening) {
    const bool is_seen = happening.type == EventType::open || happening.type == EventType::click;
    if (!is_seen || happening.is_machine) return;
    Hit hit;
    hit.at = happening.at;
    hit.kind = happening.type == EventType::open ? Hit::Kind::open : Hit::Kind::click;
    hit.user_agent = happening.user_agent;
    happening.machine_reason = machine_reason(hit, {}, std::nullopt);
    happening.is_machine = !happening.machine_reason.empty();
}

std::optional<PublicKey> key_of(const std::string& text) {
    if (text.empty()) return std::nullopt;
    auto key = PublicKey::of_base64(text);
    return key ? std::optional(*std::move(key)) : std::nullopt;
}

}  // namespace

Notifications::Notifications(const NotificationSettings& settings, Account& account,
                             table::Store& store, const Clock& clock, std::string table,
                             Fetch fetch)
    : settings_(settings),
      account_(account),
      store_(store),
      clock_(clock),
      table_(std::move(table)),
      fetch_(std::move(fetch)),
      certificates_(fetch_, clock),
      sendgrid_key_(key_of(settings.sendgrid_key)) {}

Answer<NotificationCounts> Notifications::counted(const char* provider,
                                                  Answer<NotificationCounts> answer) {
    ++(answer ? taken_ : refused_);
    if (!answer) say_refused(provider, answer.error());
    return answer;
}

// Anybody may be refused: it is said now and then only.
void Notifications::say_refused(const char* provider, const Refusal& refusal) {
    const auto now_ms = to_unix_ms(clock_.now());
    auto said_ms = refusal_said_ms_.load();
    if (now_ms >= said_ms && now_ms - said_ms < std::chrono::milliseconds(said_every).count()) {
        return;
    }
    if (!refusal_said_ms_.compare_exchange_strong(said_ms, now_ms)) return;
    log::warn("notifications were refused, this one among them",
              {{"provider", provider}, {"why", refusal.text()}});
}

Answer<NotificationCounts> Notifications::take_ses(std::string_view body) {
    return counted("ses", read_ses_message(body));
}

// What costs least is checked first, and nothing is fetched for a topic that is not ours.
Answer<NotificationCounts> Notifications::read_ses_message(std::string_view body) {
    if (settings_.ses_topics.empty()) return not_set_up("notifications.ses_topics");
    const auto message = TRY(SnsMessage::parse(body));
    if (std::ranges::find(settings_.ses_topics, message.topic) == settings_.ses_topics.end()) {
        return forged("The topic is none of notifications.ses_topics.");
    }
    if (!is_within(message.at, clock_.now(), sns_age_max)) return too_old();
    const auto key = TRY(certificates_.key_at(message.certificate_url));
    if (!key.verifies(message.signed_text(), message.signature, message.digest)) {
        return forged("The signature is not Amazon's.");
    }
    if (message.type == SnsMessage::Type::subscription) return confirm(message);
    if (message.type == SnsMessage::Type::farewell) {
        log::warn("an SNS topic tells nothing any more: it was unsubscribed from",
                  {{"topic", message.topic}});
        return NotificationCounts{.ignored = 1};
    }
    return note(read_ses(message.message));
}

Answer<NotificationCounts> Notifications::confirm(const SnsMessage& message) {
    const auto url = net::Url::parse(message.subscribe_url);
    if (!url || !is_confirmation_url(*url)) return forged("SubscribeURL is not Amazon's.");
    const auto confirmed = fetch_(*url);
    if (!confirmed) {
        return Refusal(Refusal::Kind::unavailable,
                       "the subscription cannot be confirmed: " + confirmed.error().message);
    }
    log::info("an SNS topic is subscribed to", {{"topic", message.topic}});
    return NotificationCounts{.ignored = 1};
}

Answer<NotificationCounts> Notifications::take_mailgun(std::string_view body) {
    return counted("mailgun", read_mailgun_event(body));
}

Answer<NotificationCounts> Notifications::read_mailgun_event(std::string_view body) {
    if (settings_.mailgun_key.empty()) return not_set_up("notifications.mailgun_key");
    const auto signature = TRY(read_mailgun_signature(body));
    if (!is_signed_by(signature, settings_.mailgun_key)) {
        return forged("The signature is not Mailgun's.");
    }
    if (!is_within(signature.at, clock_.now(), mailgun_age_max)) return too_old();
    TRY(check_token(signature));
    auto counts = TRY(note(read_mailgun(body)));
    // Only now: what is not durable yet may be told again.
    TRY(spend_token(signature));
    return counts;
}

table::Item Notifications::token_key(const MailgunSignature& signature) const {
    return {{"PK", "MAILGUN#" + signature.token}, {"SK", "TOKEN"}};
}

Answer<> Notifications::check_token(const MailgunSignature& signature) {
    table::GetItem get;
    get.table = table_;
    get.key = token_key(signature);
    get.consistent = true;
    const auto found = TRY(store_.get(get));
    if (found.item) return replayed();
    return Ok{};
}

Result<> Notifications::spend_token(const MailgunSignature& signature) {
    auto row = token_key(signature);
    row.set("ttl", table::Value(to_unix_seconds(signature.at + token_kept)));
    TRY(store_.put(table::write::Put(table_, std::move(row))));
    return Ok{};
}

Answer<NotificationCounts> Notifications::take_postmark(std::string_view body,
                                                        std::string_view authorization) {
    if (settings_.postmark_password.empty()) {
        return counted("postmark", not_set_up("notifications.postmark_password"));
    }
    if (!is_basic_login(authorization, settings_.postmark_user, settings_.postmark_password)) {
        return counted("postmark", forged("The user or the password is wrong."));
    }
    return counted("postmark", note(read_postmark(body)));
}

Answer<NotificationCounts> Notifications::take_sendgrid(std::string_view body,
                                                        std::string_view timestamp,
                                                        std::string_view signature) {
    if (!sendgrid_key_) return counted("sendgrid", not_set_up("notifications.sendgrid_key"));
    if (!is_signed_by(*sendgrid_key_, timestamp, body, signature)) {
        return counted("sendgrid", forged("The signature is not SendGrid's."));
    }
    const auto at = read_sendgrid_time(timestamp);
    if (!at || !is_within(*at, clock_.now(), sendgrid_age_max))
        return counted("sendgrid", too_old());
    return counted("sendgrid", note(read_sendgrid(body)));
}

Answer<NotificationCounts> Notifications::note(const Result<Telling>& telling) {
    if (!telling) return Refusal(telling.error());
    std::vector<Happening> happenings;
    happenings.reserve(telling->told.size());
    for (auto told : telling->told) {
        TRY(find_mail(told));
        find_machine(told.happening);
        happenings.push_back(std::move(told.happening));
    }
    auto counts = TRY(note_all(happenings));
    counts.ignored += static_cast<std::int64_t>(telling->ignored);
    return counts;
}

// Whether it is a mail of ours; another program may send through the same provider.
Result<> Notifications::find_mail(Told& told) {
    auto& happening = told.happening;
    if (!told.our_message_id.empty()) {
        auto mail = TRY(account_.find_by_message_id(told.our_message_id));
        if (mail) happening.mail_id = std::move(mail->id);
    }
    return Ok{};
}

Answer<NotificationCounts> Notifications::note_all(const std::vector<Happening>& happenings) {
    if (happenings.empty()) return NotificationCounts();
    const auto noted = account_.note(happenings);
    if (noted) return counts_of(*noted);
    if (noted.error().kind != Refusal::Kind::invalid) return noted.error();
    return note_each(happenings);
}

// One that cannot be an event, such as that of an address that is none, must not hold up the
// others: the provider would tell all of them again for a day.
Answer<NotificationCounts> Notifications::note_each(const std::vector<Happening>& happenings) {
    NotificationCounts counts;
    for (const auto& happening : happenings) {
        const auto noted = account_.note({&happening, 1});
        if (noted) {
            counts.added += counts_of(*noted).added;
            counts.known += counts_of(*noted).known;
        } else if (noted.error().kind == Refusal::Kind::invalid) {
            ++counts.ignored;
            log::warn("what a provider told is no event", {{"why", noted.error().text()}});
        } else {
            return noted.error();
        }
    }
    return counts;
}

}  // namespace mailroom::engagement::notifications
