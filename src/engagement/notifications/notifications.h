// Takes what providers tell of mails: only if it is theirs, and each thing once.
//
// A notification that is forged, too old, or of somebody else's account is refused before anything
// of it is looked at. What is told again is known already. A webhook of Mailgun has a signature of
// nothing that is in it, so its token is good for one:
//   table of engagement   MAILGUN#{token}   TOKEN   ttl N (s)
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "engagement/events/account.h"
#include "engagement/notifications/certificates.h"
#include "engagement/notifications/mailgun.h"
#include "engagement/notifications/notification_settings.h"
#include "engagement/notifications/sns_message.h"
#include "engagement/notifications/told.h"
#include "table/store.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement::notifications {

// What became of what a notification tells.
struct NotificationCounts {
    std::int64_t added = 0;    // Events.
    std::int64_t known = 0;    // Told before.
    std::int64_t ignored = 0;  // Nothing that is kept.
};

// Of refusals: Mailgun must be told in words of its own that coming again is of no use.
inline constexpr const char* replayed_code = "replayed";

// Thread-safe.
class Notifications {
public:
    // `table` has PK and SK and the time to live `ttl`. All must outlive this object.
    Notifications(const NotificationSettings& settings, Account& account, table::Store& store,
                  const Clock& clock, std::string table, Fetch fetch);

    // Each: `not_found` if the provider is not set up, `forbidden` if it is not theirs, `invalid`
    // if it cannot be read; durable otherwise. An SNS topic is subscribed to when it asks.
    Answer<NotificationCounts> take_ses(std::string_view body);
    Answer<NotificationCounts> take_mailgun(std::string_view body);
    Answer<NotificationCounts> take_postmark(std::string_view body, std::string_view authorization);
    Answer<NotificationCounts> take_sendgrid(std::string_view body, std::string_view timestamp,
                                             std::string_view signature);

    std::uint64_t taken() const { return taken_; }
    std::uint64_t refused() const { return refused_; }

private:
    Answer<NotificationCounts> read_ses_message(std::string_view body);
    Answer<NotificationCounts> confirm(const SnsMessage& message);
    Answer<NotificationCounts> read_mailgun_event(std::string_view body);
    Answer<NotificationCounts> counted(const char* provider, Answer<NotificationCounts> answer);
    void say_refused(const char* provider, const Refusal& refusal);

    Answer<NotificationCounts> note(const Result<Telling>& telling);
    Result<> find_mail(Told& told);
    Answer<NotificationCounts> note_all(const std::vector<Happening>& happenings);
    Answer<NotificationCounts> note_each(const std::vector<Happening>& happenings);

    table::Item token_key(const MailgunSignature& signature) const;
    Answer<> check_token(const MailgunSignature& signature);
    Result<> spend_token(const MailgunSignature& signature);

    const NotificationSettings& settings_;
    Account& account_;
    table::Store& store_;
    const Clock& clock_;
    const std::string table_;
    const Fetch fetch_;
    Certificates certificates_;
    const std::optional<PublicKey> sendgrid_key_;
    std::atomic<std::uint64_t> taken_ = 0, refused_ = 0;
    std::atomic<std::int64_t> refusal_said_ms_ = 0;
};

}  // namespace mailroom::engagement::notifications
