// The programs of this server, in the order in which they need each other: a line for each.
#pragma once

#include "outbox/program.h"
#include "program/house.h"
#include "reminders/program.h"

namespace mailroom::app {

struct Programs {
    program::House house;
    outbox::Program& outbox = house.add<outbox::Program>();
    reminders::Program& reminders = house.add<reminders::Program>(outbox);
};

}  // namespace mailroom::app
