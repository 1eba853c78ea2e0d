// Puts into a mail what it asks for: the picture, links that lead past us, utm names, and how to
// unsubscribe.
#pragma once

#include "engagement/tracking/links.h"
#include "engagement/tracking/tracking_settings.h"
#include "outbox/accept/tailor.h"

#include <functional>
#include <string>
#include <string_view>

namespace mailroom::engagement {

// In the texts of a mail with `unsubscribe`, these words become the links.
inline constexpr std::string_view unsubscribe_word = "%unsubscribe_url%";
inline constexpr std::string_view preferences_word = "%preferences_url%";

// Whether what a person does with their mails may be followed.
using MayTrack = std::function<Result<bool>(const std::string& email)>;

// Immutable; thread-safe.
class MailTailor final : public outbox::Tailor {
public:
    // Both must outlive this object. Of whom `may_track` can tell nothing, nothing is followed.
    MailTailor(const Links& links, const TrackingSettings& settings, MayTrack may_track)
        : links_(links), settings_(settings), may_track_(std::move(may_track)) {}

    // Fails if the mail asks for links and it is not known where they are to lead, or for any of a
    // person and there are several. Headers that the mail has already stay as they are.
    Result<> fit(mime::Message& message, const outbox::Engagement& engagement,
                 const std::string& mail_id, std::string_view recipient) override;

private:
    Result<> add_unsubscribe(mime::Message& message, const PersonToken& person) const;
    void add_utm(mime::Message& message, const outbox::Utm& utm) const;
    // What of it is asked for, switched on, and not refused by whoever gets the mail.
    struct Followed {
        bool opens = false, clicks = false;
    };
    Followed followed(const outbox::Engagement& engagement, std::string_view recipient) const;
    void track(mime::Message& message, const Followed& followed, const std::string& mail_id) const;

    const Links& links_;
    const TrackingSettings& settings_;
    const MayTrack may_track_;
};

// What a mail to the unsubscribe address has as its subject.
std::string unsubscribe_subject(std::string_view token);
// The token in such a subject, also in that of an answer; none if there is none.
std::optional<std::string_view> token_in_subject(std::string_view subject);

}  // namespace mailroom::engagement
