#include "people/lifecycle/lifecycle.h"

#include "people/consent/consent_routes.h"
#include "people/import/import_routes.h"
#include "people/lifecycle/lifecycle_routes.h"

#include <string_view>

namespace mailroom::people {

namespace {

bool is_sent(std::string_view sort) { return sort.starts_with("SENT#"); }

}  // namespace

Lifecycle::Lifecycle(People& people, schedule::Schedule& schedule, std::size_t import_threads)
    : people_(people),
      topics_(people.books().store, people.books().clock,
              Books::people_table(people.books().tables.people)),
      confirmations_(people.books().store, people.books().clock, people.books().random,
                     Books::people_table(people.books().tables.people)),
      preferences_(people, topics_, confirmations_, schedule),
      importer_(people, schedule, import_threads),
      sent_(people.books().store, "sent", people.books().tables.audience, "SUB#", is_sent),
      consent_(people.books().store, "consent", people.books().tables.people, "CONSENT#"),
      sequences_(people.books()),
      activity_(people.books()),
      pending_(people.books(), confirmations_),
      mover_(people, people.books().parts, schedule) {
    for (auto* part : std::initializer_list<PersonalData*>{&sent_, &consent_, &sequences_,
                                                           &activity_, &pending_}) {
        people.keep(*part);
    }
}

void Lifecycle::add_routes(program::Api& api) {
    add_topic_routes(api, topics_);
    add_consent_routes(api, preferences_, people_, importer_);
    add_import_routes(api, importer_);
    add_lifecycle_routes(api, people_, mover_, people_.books().parts);
}

std::vector<program::Work> Lifecycle::jobs() {
    return {{{.queues = {import_queue}, .threads = 1, .jobs_max = 1},
             [this](schedule::JobInHand job) { importer_.run(std::move(job)); }},
            {{.queues = {moving_queue}, .threads = 1},
             [this](schedule::JobInHand job) { mover_.run(std::move(job)); }}};
}

}  // namespace mailroom::people
