// Sequences as tests write them.
#pragma once

#include "base/time_format.h"
#include "campaigns/sequences/definition_checks.h"
#include "campaigns/sequences/plan.h"
#include "people/json_value.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::campaigns {

inline Time at(std::string_view text) { return *parse_rfc3339(text); }

// With these steps, and perhaps more members: "\"zone\": \"Europe/Berlin\",".
inline std::string sequence_text(std::string_view steps, std::string_view more = "",
                                 std::string_view id = "onboarding") {
    return R"({"id": ")" + std::string(id) +
           R"(", "sender": {"fromEmail": "noreply@example.com", "fromName": "Example"},
        "trigger": {"detailType": "customer.created"}, )" +
           std::string(more) +
           (more.find("timeoutMinutes") == more.npos ? R"("timeoutMinutes": 525600, )" : "") +
           R"("steps": [)" + std::string(steps) + "]}";
}

inline Definition definition_of(std::string_view text) {
    auto read = parse_definition(text);
    EXPECT_TRUE(read) << read.error().text() << text;
    if (!read) std::abort();
    return *std::move(read);
}

inline Plan plan_of(std::string_view steps, std::string_view more = "") {
    auto plan = Plan::make(definition_of(sequence_text(steps, more)),
                           [](people::Filter filter) -> Answer<people::Filter> { return filter; });
    if (!plan) std::abort();
    return *std::move(plan);
}

inline table::Item item_of(std::string_view json) {
    json::Parser parser;
    const auto view = parser.parse(json);
    EXPECT_TRUE(view) << json;
    return table::Item(people::value_of(*view)->view().map());
}

}  // namespace mailroom::campaigns
