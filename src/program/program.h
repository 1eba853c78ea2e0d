// A program: one folder with its data, rules, jobs, routes, settings and tables. This is all that
// `app/` asks of it; nothing outside its folder needs to know more.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "program/api.h"
#include "program/metrics.h"
#include "program/settings.h"
#include "schedule/crew.h"
#include "schedule/schedule.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace mailroom::program {

// What all programs stand on. It outlives them.
struct Ground {
    table::Store& store;
    schedule::Schedule& schedule;
    schedule::Ownership ownership;  // Of the tables: whether other nodes have them, too.
    const Clock& clock;
    Random& random;
    std::filesystem::path directory;  // Of this node alone: nothing that matters is lost with it.
};

// Due jobs of some queues, and who runs them: see schedule/crew.h.
struct Work {
    schedule::CrewOptions crew;
    schedule::Crew::Handler run;
};

// Each function is called at most once, in this order, but for those marked "at any time".
class Program {
public:
    virtual ~Program() = default;

    virtual void add_settings(Settings&) {}
    // A sentence, with the names of the settings, for those that do not go together.
    virtual Result<> check_settings() const { return Ok{}; }
    // The same for files that settings name, before anything is opened.
    virtual Result<> check_files() const { return Ok{}; }

    // All tables that it may make: what is not declared here is not hidden from strangers.
    virtual std::vector<table::OwnTable> tables() const { return {}; }
    virtual Result<> open(const Ground& ground) = 0;
    // It must live as long as the routes are asked, the metrics are read and the jobs run.
    virtual void add_routes(Api&) {}
    virtual void add_metrics(Metrics&) {}
    virtual std::vector<Work> jobs() { return {}; }

    // What runs besides the jobs.
    virtual void start() {}
    // Ends that, and settles what is in hand; beside its jobs, which have the same time. Nothing
    // runs any more when it returns. Also called when open() failed; later calls do nothing.
    virtual void stop(std::chrono::milliseconds) {}

    // At any time: why it cannot accept anything, for anybody to read. Quick.
    virtual Result<> ready() const { return Ok{}; }
    // At any time: reads anew what files hold; what cannot be read stays as it was.
    virtual Result<> reload() { return Ok{}; }
};

}  // namespace mailroom::program
