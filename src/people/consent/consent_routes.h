// /v1/topics, and what people agreed to: their preferences, opting in, the trail.
#pragma once

#include "people/consent/preferences.h"
#include "program/api.h"

namespace mailroom::people {

class Importer;

// All must outlive the routes. `importer` knows the evidence of those whom a file brought.
void add_topic_routes(program::Api& api, const TopicCatalog& topics);
void add_consent_routes(program::Api& api, const Preferences& preferences, const People& people,
                        const Importer& importer);

}  // namespace mailroom::people
