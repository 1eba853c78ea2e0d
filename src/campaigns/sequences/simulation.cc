#include "campaigns/sequences/simulation.h"

#include "campaigns/sequences/person_facts.h"
#include "campaigns/sequences/subscriber.h"
#include "people/canonical.h"
#include "people/json_value.h"
#include "people/locale.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

constexpr std::size_t events_max = 100;

// What is known of somebody, as if they came with it.
Subscriber known_subscriber(const table::ItemView& row) {
    Subscriber subscriber;
    subscriber.first_name = row.text("firstName").value_or("");
    for (const auto field : row) {
        if (!people::is_system_column(field.name)) {
            subscriber.attributes.set(field.name, field.value);
        }
    }
    return subscriber;
}

}  // namespace

void SimulationWish::check(const SimulationWish& wish, table::Reading& reading) {
    if (!people::canonical_of(wish.email)) {
        reading.wrong_member("email", "must be an e-mail address");
    }
    if (!wish.zone.empty() && !people::is_time_zone(wish.zone)) {
        reading.wrong_member("zone", "must be a time zone such as Europe/Berlin");
    }
    if (wish.events.size() > events_max) {
        reading.wrong_member("events", "must be at most " + std::to_string(events_max));
    }
}

Answer<Definition> Simulation::definition(const SimulationWish& wish) const {
    if (!wish.version) return TRY(sequences_.require(wish.id)).definition;
    return TRY(sequences_.require_version(wish.id, *wish.version)).definition;
}

Answer<Outlook> Simulation::outlook(const SimulationWish& wish,
                                    const Definition& definition) const {
    const auto canonical = TRY(people::canonical_of(wish.email));
    auto facts = TRY(facts_of(people_, canonical));
    Outlook outlook;
    if (wish.detail) {
        const table::Item event{{"detail-type", definition.trigger.detail_type},
                                {"detail", table::Value::map(wish.detail->members)}};
        outlook.subscriber = subscriber_in(table::Value::map(event), definition.trigger.mapping);
    } else if (facts.profile) {
        outlook.subscriber = known_subscriber(*facts.profile);
    }
    outlook.subscriber.email = canonical;
    if (!wish.zone.empty()) {
        if (!facts.profile) facts.profile = people::profile_key(canonical);
        facts.profile->set("mailroomZone", table::Value(wish.zone));
    }
    outlook.begin = wish.begin.value_or(people_.clock.now());
    outlook.profile = std::move(facts.profile);
    outlook.activity = facts.activity;
    outlook.sent = std::move(facts.sent);
    for (const auto& event : wish.events) {
        outlook.events.push_back(
            {event.time, event.detail_type, table::Value::map(event.detail.members)});
    }
    return outlook;
}

Answer<Timeline> Simulation::run(const SimulationWish& wish) const {
    const auto wanted = TRY(definition(wish));
    const auto plan = TRY(sequences_.plan_of(wanted));
    const auto expected = TRY(outlook(wish, wanted));
    return TRY(foretell(plan, expected, *zones_));
}

}  // namespace mailroom::campaigns

namespace mailroom::table {

void Form<campaigns::AnyObject>::read(const json::View& view, campaigns::AnyObject& to,
                                      Reading& reading) {
    const bool is_object = view.type() == json::View::Type::object;
    const auto value = is_object ? people::value_of(view) : Error{Errc::invalid, ""};
    if (!value) return reading.wrong("must be an object of at most 30 levels");
    to.members = Item(value->view().map());
}

}  // namespace mailroom::table
