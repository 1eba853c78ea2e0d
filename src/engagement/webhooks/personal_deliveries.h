// What webhooks were told of one person. To be kept after the events, which say what there is: then
// it goes first.
#pragma once

#include "engagement/webhooks/deliveries.h"
#include "engagement/webhooks/webhooks.h"
#include "people/lifecycle/personal_data.h"
#include "table/store.h"

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement::webhooks {

struct EventTables {
    std::string own, events, audience;
};

// Thread-safe.
class PersonalDeliveries final : public people::PersonalData {
public:
    // Both must outlive this object.
    PersonalDeliveries(table::Store& store, Webhooks& webhooks, EventTables tables);

    std::string_view name() const override { return "webhooks"; }
    Result<> show(const std::string& person, json::Writer& writer) override;
    // What is to be told is told of the event where it is then.
    Result<> move(const std::string& person, const std::string& to) override;
    // Whoever was told of it knows it; nobody is told from here any more.
    Result<> erase(const std::string& person) override;
    Result<> erase_until(const std::string& person, Time until) override;

private:
    // The keys that rows of them can have, by their events until then.
    Result<std::vector<table::Item>> keys_of(const std::string& person,
                                             Time until = Time::max()) const;
    Result<std::vector<table::Item>> rows_of(const std::string& person) const;

    table::Store& store_;
    Webhooks& webhooks_;
    const EventTables tables_;
};

}  // namespace mailroom::engagement::webhooks
