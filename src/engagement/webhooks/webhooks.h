// The webhooks that there are, and what of each event they are to hear: as a witness, in the
// transaction of the event. So nothing that happened is forgotten, and nothing else is told.
//
//   table of engagement   WEBHOOKS   {id}   see Webhook
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/refusal.h"
#include "engagement/events/witness.h"
#include "engagement/webhooks/deliveries.h"
#include "engagement/webhooks/webhook.h"
#include "net/guard.h"
#include "table/records/rows.h"
#include "table/store.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::engagement::webhooks {

// Thread-safe.
class Webhooks final : public Witness {
public:
    // `declared` as the table is made. All must outlive this object; `guard` may be null.
    Webhooks(table::Store& store, schedule::Schedule& schedule, const Clock& clock, Random& random,
             const net::Guard* guard, Deliveries& deliveries, table::CreateTable declared);

    // Adds or changes it. What it is told from then on is signed with the new secret, and for a day
    // with the old one, too.
    Answer<Webhook> put(const NewWebhook& asked);
    Result<std::optional<Webhook>> find(const std::string& id);
    Result<std::vector<Webhook>> list();  // By id.
    Result<table::Slice<Webhook>> page(const table::PageWish& wish);
    // What waits for it is not told any more. False: there is none.
    Answer<bool> remove(const std::string& id);

    // Events are told to the webhooks of this process at once, and to those that another node made
    // within `known_for`.
    Result<> add_to(schedule::Transaction& transaction, const Event& event) override;
    static constexpr auto known_for = std::chrono::seconds(5);

private:
    using List = std::shared_ptr<const std::vector<Webhook>>;
    Result<List> known();
    void forget_known();
    Answer<Webhook> put_once(const NewWebhook& asked);
    std::string make_secret();

    table::Store& store_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    Random& random_;
    const net::Guard* const guard_;
    Deliveries& deliveries_;
    const table::Rows<Webhook> rows_;
    std::mutex mutex_;
    List known_;  // Shared with those who use it while another is read.
    Time known_until_{};
    std::uint64_t changes_ = 0;  // By this process.
};

}  // namespace mailroom::engagement::webhooks
