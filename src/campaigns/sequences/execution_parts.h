// Where somebody is in sequences, as a part of what is known of them.
#pragma once

#include "campaigns/books.h"
#include "campaigns/sequences/executions.h"
#include "people/lifecycle/personal_data.h"

#include <string>
#include <string_view>

namespace mailroom::campaigns {

// The rows that other programs know are people's own part: they move and go with it.
class ExecutionParts final : public people::PersonalData {
public:
    // Both must outlive this object.
    ExecutionParts(const Books& books, const Executions& executions)
        : books_(books),
          executions_(executions),
          inside_(books.store, "sequences_inside", books.tables.campaigns,
                  std::string(Execution::prefix)),
          past_(books.store, "sequences_past", books.tables.campaigns,
                std::string(PastExecution::prefix)) {}

    std::string_view name() const override { return "sequence_steps"; }
    Result<> show(const std::string& person, json::Writer& writer) override;
    // One sequence has a person once: who is in it under both addresses stays as the other one.
    Result<> move(const std::string& person, const std::string& to) override;
    Result<> erase(const std::string& person) override;

private:
    const Books& books_;
    const Executions& executions_;
    people::PersonalRows inside_, past_;
};

}  // namespace mailroom::campaigns
