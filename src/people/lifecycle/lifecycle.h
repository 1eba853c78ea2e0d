// All of a person's life in one place, as a server has it: consent, files, other addresses.
#pragma once

#include "people/consent/confirmations.h"
#include "people/consent/preferences.h"
#include "people/consent/topics.h"
#include "people/import/importer.h"
#include "people/lifecycle/mover.h"
#include "people/lifecycle/own_parts.h"
#include "people/lifecycle/personal_data.h"
#include "people/people.h"
#include "program/program.h"

#include <cstddef>
#include <vector>

namespace mailroom::people {

inline constexpr std::size_t import_threads_of_a_server = 24;

// Thread-safe once it runs.
class Lifecycle {
public:
    // Both must outlive this object. Files are written on so many threads, each of which waits for
    // its commit most of the time; 0: on those of their jobs.
    Lifecycle(People& people, schedule::Schedule& schedule,
              std::size_t import_threads = import_threads_of_a_server);
    Lifecycle(const Lifecycle&) = delete;
    Lifecycle& operator=(const Lifecycle&) = delete;

    Preferences& preferences() { return preferences_; }
    const TopicCatalog& topics() const { return topics_; }

    void add_routes(program::Api& api);
    std::vector<program::Work> jobs();

private:
    // Members stand in the order in which they are made, and each uses only those above it.
    People& people_;
    const TopicCatalog topics_;
    const Confirmations confirmations_;
    Preferences preferences_;
    const Importer importer_;
    PersonalRows sent_, consent_;
    SequenceParts sequences_;
    ActivityParts activity_;
    PendingParts pending_;
    const Mover mover_;
};

}  // namespace mailroom::people
