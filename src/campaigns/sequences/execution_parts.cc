#include "campaigns/sequences/execution_parts.h"

#include <utility>

namespace mailroom::campaigns {

Result<> ExecutionParts::show(const std::string& person, json::Writer& writer) {
    writer.open_object().key("inside");
    TRY(inside_.show(person, writer));
    writer.key("past");
    TRY(past_.show(person, writer));
    writer.close_object();
    return Ok{};
}

Result<> ExecutionParts::move(const std::string& person, const std::string& to) {
    for (auto& execution : TRY(executions_.all_of(person))) {
        schedule::Transaction together;
        executions_.forget(together, execution);
        if (!TRY(executions_.find(to, execution.sequence))) {
            execution.address = to;
            execution.version = 0;
            const bool is_running = execution.state == Execution::State::running;
            if (is_running) executions_.save_with_job(together, execution, books_.clock.now());
            if (!is_running) executions_.save(together, execution);
        }
        const auto committed = books_.schedule.commit(together);
        if (!committed) return static_cast<Error>(committed.error());
    }
    return past_.move(person, to);
}

Result<> ExecutionParts::erase(const std::string& person) {
    TRY(inside_.erase(person));
    return past_.erase(person);
}

}  // namespace mailroom::campaigns
