// The programs of this server, in the order in which they need each other: a line for each.
#pragma once

#include "campaigns/program.h"
#include "engagement/program.h"
#include "outbox/program.h"
#include "people/program.h"
#include "program/house.h"
#include "reminders/program.h"

namespace mailroom::app {

struct Programs {
    program::House house;
    people::Program& people = house.add<people::Program>();
    outbox::Program& outbox = house.add<outbox::Program>(people);
    engagement::Program& engagement = house.add<engagement::Program>(people, outbox);
    campaigns::Program& campaigns = house.add<campaigns::Program>(people, outbox, engagement);
    reminders::Program& reminders = house.add<reminders::Program>(people, outbox);
};

}  // namespace mailroom::app
