// What each webhook was told, and is to be told still.
//
//   table of engagement
//   TOLD#{webhook}     {time}#{tail}   one event for it; the time is the event's
//                      Id S (webhook-id: the same at each attempt)   Type S   State S
//                      Partition, Sort S (of the event's row)   Attempts, Status N   Text S
//                      Since N (ms; when it was first to be told)   ttl N (s)
//   UNTOLD#{webhook}   {time}#{tail}   the same row once more, of one that was given up
//   job of the queue   key: {webhook}/{time}#{tail}
// On disk: never change.
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "engagement/events/witness.h"
#include "schedule/schedule.h"
#include "table/records/pages.h"
#include "table/records/record.h"
#include "table/records/rows.h"
#include "table/store.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::engagement::webhooks {

inline constexpr std::string_view calls_queue = "engagement.webhooks";
inline constexpr auto deliveries_kept = std::chrono::hours(30 * 24);

enum class DeliveryState { waiting, delivered, failed, gone };
constexpr auto names_of(DeliveryState) {
    using enum DeliveryState;
    return std::array{Name{waiting, "waiting"}, Name{delivered, "delivered"},
                      Name{failed, "failed"},  // Given up.
                      Name{gone, "gone"}};     // The event was deleted before it could be told.
}

struct Delivery {
    std::string partition, sort;  // Of its own row.
    std::string id;
    EventType type = EventType::delivery;
    DeliveryState state = DeliveryState::waiting;
    std::string event_partition, event_sort;
    std::int64_t attempts = 0, status = 0;
    std::string text;
    Time since = {};
    Time expires = {};

    std::string at() const { return sort.substr(0, sort.find('#')); }

    static constexpr std::string_view record_name = "WebhookDelivery";
    static constexpr auto fields =
        std::tuple{table::kept("PK", "", &Delivery::partition),
                   table::kept("SK", "", &Delivery::sort),
                   table::kept("Id", "id", &Delivery::id, "The webhook-id of each attempt."),
                   table::kept("Type", "event", &Delivery::type),
                   table::shown("at", &Delivery::at, "When the event happened."),
                   table::kept("State", "state", &Delivery::state,
                               "gone: the event was deleted before it could be told."),
                   table::kept("Partition", "", &Delivery::event_partition),
                   table::kept("Sort", "", &Delivery::event_sort),
                   table::kept("Attempts", "attempts", &Delivery::attempts),
                   table::kept("Status", "status", &Delivery::status,
                               "Of the last answer; 0: there was none."),
                   table::kept("Text", "text", &Delivery::text, "What came of the last attempt."),
                   table::kept("Since", "since", &Delivery::since, "Since when it is to be told."),
                   table::spelled<table::InSeconds>(table::kept("ttl", "", &Delivery::expires))};
};

// Thread-safe.
class Deliveries {
public:
    // `declared` as the table is made. All must outlive this object.
    Deliveries(table::Store& store, schedule::Schedule& schedule, const Clock& clock,
               table::CreateTable declared);

    // Two writes: what is to be told, and the job that does.
    void add_to(schedule::Transaction& transaction, const std::string& webhook, const Event& event);
    // The same of one that is durable already: the transaction is refused if that was done before.
    struct Told {
        std::string event_id;
        EventType type = EventType::delivery;
        Time at = {};
        std::string partition, sort;  // Of the event's row.
    };
    void add_once_to(schedule::Transaction& transaction, const std::string& webhook,
                     const Told& told);

    // By the key of its job.
    Result<std::optional<Delivery>> find(std::string_view job_key);
    // Ends an attempt: `delivery` as it is now, in place of what it was.
    void save(schedule::Transaction& transaction, const Delivery& delivery) const;

    // The newest first, by when the event happened; only those given up if so wished.
    enum class Which { all, failed };
    Result<table::Slice<Delivery>> list(const std::string& webhook, Which which,
                                        const table::PageWish& wish);

    // Tells what happened from `from` on, and before `until`, again: the next of them from `after`
    // on. Where to go on, or none. What still waits is left alone.
    struct Again {
        std::string webhook;
        Time from, until;
        bool only_failed = false;
    };
    Result<std::optional<std::string>> tell_again(const Again& again, const std::string& after);

    // Of the rows that may be kept for the webhook of this event: the table's keys.
    static std::vector<table::Item> keys_of(const std::string& webhook, Time at,
                                            std::string_view event_id);

    static std::string job_key(const std::string& webhook, std::string_view sort);

private:
    Delivery add_job(schedule::Transaction& transaction, const std::string& webhook,
                     const Told& told);
    Result<> tell_again(const std::string& webhook, Delivery delivery);

    table::Store& store_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    const table::Rows<Delivery> rows_;
};

}  // namespace mailroom::engagement::webhooks
