// Whom we tell of events, and of which.
#pragma once

#include "base/clock.h"
#include "engagement/events/happening.h"
#include "engagement/events/witness.h"
#include "table/records/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::engagement::webhooks {

inline constexpr std::size_t id_bytes_max = 64;
inline constexpr std::size_t filter_names_max = 100;
// Each event is compared with each of them.
inline constexpr std::size_t webhooks_max = 100;
// Each takes two writes in the transaction of an event; if there are more, they hear of it by a job
// that is the last write.
inline constexpr std::size_t webhooks_at_once = Witness::witness_items_max / 2 - 1;
// After a change of its secret, what is told is signed with both for so long.
inline constexpr auto old_secret_kept = std::chrono::hours(24);

// A list that is empty leaves nothing out.
struct Webhook {
    std::string id, url;
    std::vector<EventType> events;
    std::vector<std::string> template_keys, sequence_ids;
    bool machines = false;  // Whether it hears of what no person did.
    std::string secret, old_secret;
    std::optional<Time> old_secret_until;
    Time created = {}, updated = {};
    std::int64_t version = 0;

    bool wants(const Happening& happening) const;

    static constexpr std::string_view record_name = "Webhook";
    // The names in the row are on disk: never change.
    static constexpr auto fields = std::tuple{
        table::kept("SK", "id", &Webhook::id),
        table::kept("Url", "url", &Webhook::url, "Where events are posted to."),
        table::kept("Events", "events", &Webhook::events, "Of these types; none: of all."),
        table::kept("Templates", "template_keys", &Webhook::template_keys,
                    "Of mails of these templates; none: of all."),
        table::kept("Sequences", "sequence_ids", &Webhook::sequence_ids,
                    "Of mails of these sequences and broadcasts; none: of all."),
        table::kept("Machines", "machines", &Webhook::machines,
                    "Whether it hears of opens and clicks that no person made."),
        table::kept("Secret", "", &Webhook::secret),
        table::kept_if_any("OldSecret", "", &Webhook::old_secret),
        table::kept_if_any("OldSecretUntil", "", &Webhook::old_secret_until),
        table::kept("Created", "created_at", &Webhook::created),
        table::kept("Updated", "updated_at", &Webhook::updated),
        table::kept("version", "", &Webhook::version)};
};

// What is asked for. One that is there already is changed to that.
struct NewWebhook {
    std::string id, url;
    std::vector<EventType> events;
    std::vector<std::string> template_keys, sequence_ids;
    bool machines = false;
    std::string secret;

    static constexpr std::string_view record_name = "NewWebhook";
    static constexpr auto fields = std::tuple{
        table::required("id", &NewWebhook::id, "1 to 64 letters, digits, '-', '_' and '.'."),
        table::required("url", &NewWebhook::url, "Where events are posted to."),
        table::asked("events", &NewWebhook::events, "Of these types; none: of all."),
        table::asked("template_keys", &NewWebhook::template_keys,
                     "Of mails of these templates; none: of all."),
        table::asked("sequence_ids", &NewWebhook::sequence_ids,
                     "Of mails of these sequences and broadcasts; none: of all."),
        table::asked("machines", &NewWebhook::machines,
                     "Whether it hears of opens and clicks that no person made."),
        table::asked("secret", &NewWebhook::secret,
                     "What is told is signed with it: whsec_ and base 64, or 24 bytes or more of "
                     "text. One is made up if there is none.")};
    static void check(const NewWebhook& in, table::Reading& reading);
};

}  // namespace mailroom::engagement::webhooks
