// Making, changing and removing tables.
//
// A change is one commit to the catalog; what it entails for the rows (filling a new index, erasing
// an old one) is a job behind it. A job that fails is tried again, and one that a crash cut short
// is started again at the next start: the catalog says that it is due, and doing it twice does no
// harm.
#pragma once

#include "table/engine/core.h"
#include "table/engine/jobs.h"
#include "table/engine/writer.h"

#include <functional>
#include <string>

namespace mailroom::table {

class Tables {
public:
    // Both must outlive this object.
    Tables(Core& core, Writer& writer);

    // Takes up the jobs that were due when the process ended.
    void resume();

    Outcome<TableDescription> create(const CreateTable& request);
    Outcome<TableDescription> describe(const std::string& table) const;
    Outcome<TableDescription> update(const UpdateTable& request);
    // Also of a table that is being restored, which ends that.
    Outcome<TableDescription> remove(const std::string& table);
    Outcome<TimeToLive> set_time_to_live(const std::string& table, const TimeToLive& setting);
    Outcome<TimeToLive> time_to_live(const std::string& table) const;
    Outcome<> tag(const std::string& arn, const Tags& tags);
    Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys);
    Outcome<Tags> tags(const std::string& arn) const;

    // As create, for a definition that is complete but for its ids. `table_already_exists`.
    Outcome<TableDescription> add(Definition table);
    using Edit = std::function<Outcome<>(Definition&, kv::Batch&)>;
    // Changes a definition under the catalog's lock and waits until that is durable.
    Outcome<DefinitionPtr> edit(const std::string& table, const Edit& edit);

    // Work behind the requests: one job after another.
    Jobs& jobs() { return jobs_; }
    // Blocks until no job is left but those that failed and wait.
    void drain() { jobs_.drain(); }

private:
    Outcome<std::string> table_of(const std::string& arn) const;
    void start_jobs(const Definition& table);

    Core& core_;
    Writer& writer_;
    Jobs jobs_;  // Last: its thread uses the others.
};

}  // namespace mailroom::table
