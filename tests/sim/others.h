// Programs of the seeds, which write their rows past us: mails that wait for a processor of theirs,
// steps of these, records of reminders that they sent.
#pragma once

#include "sim/events.h"
#include "sim/judge.h"
#include "table/store.h"
#include "table/write_watch.h"

#include <functional>
#include <string>
#include <vector>

namespace mailroom::sim {

class Others {
public:
    // `wrote` is told of mails. All must outlive this object.
    Others(Events& events, Judge& judge, std::function<void(const std::string&)> wrote)
        : events_(events), judge_(judge), wrote_(std::move(wrote)) {}

    // One of them does something; `watch` hears of what it writes of people.
    void act(table::Store& store, table::WriteWatch& watch);

private:
    void accept(table::Store& store);
    void move_on(table::Store& store);
    void remind(table::Store& store);
    void change_person(table::Store& store, table::WriteWatch& watch);
    bool unsubscribe(table::Store& store, table::WriteWatch& watch, const std::string& address);
    bool suppress(table::Store& store, table::WriteWatch& watch, const std::string& address);
    void allow(table::Store& store, table::WriteWatch& watch, const std::string& address);

    Events& events_;
    Judge& judge_;
    const std::function<void(const std::string&)> wrote_;
    std::vector<std::string> waiting_;
};

}  // namespace mailroom::sim
