// What tests of sequences that are kept share: the tables, and the routes.
#pragma once

#include "base/time_format.h"
#include "campaigns/sequences/execution_routes.h"
#include "campaigns/sequences/executions.h"
#include "campaigns/sequences/sequence_routes.h"
#include "campaigns/sequences/sequences_for_tests.h"
#include "campaigns/sequences/simulation.h"
#include "people/people_fixture.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::campaigns {

inline constexpr std::string_view letter =
    R"({"type": "send", "templateKey": "a", "subject": "A"})";
inline constexpr std::string_view other_letter =
    R"({"type": "send", "templateKey": "b", "subject": "B"})";

class SequencesTest : public people::PeopleTest {
protected:
    void SetUp() override {
        PeopleTest::SetUp();
        books.emplace(front->store(), *schedule, clock, random);
        ASSERT_TRUE(books->open());
        segments.emplace(suppressions->books());
        sequences.emplace(*books, *segments);
        simulation.emplace(*sequences, suppressions->books());
        executions.emplace(*books, *sequences, *people);
        add_sequence_routes(api, *sequences, *simulation);
        add_execution_routes(api, *sequences, *executions);
    }
    void TearDown() override {
        executions.reset();
        simulation.reset();
        sequences.reset();
        segments.reset();
        books.reset();
    }

    program::Rendered ask(const std::string& method, const std::string& path,
                          const std::string& body = "", const program::Pairs& in_path = {},
                          const program::Pairs& query = {}) {
        const auto who = program::mailroom_itself();
        for (const auto& route : api.routes()) {
            if (route.method != method || route.path != path) continue;
            return route.act({.path = in_path, .query = query, .body = body, .actor = who});
        }
        ADD_FAILURE() << "no route " << method << " " << path;
        return {};
    }
    program::Rendered put_one(const std::string& id, const std::string& body) {
        return ask("PUT", "/v1/sequences/{id}", body, {{"id", id}});
    }
    program::Rendered get_one(const std::string& id) {
        return ask("GET", "/v1/sequences/{id}", "", {{"id", id}});
    }
    program::Rendered remove_one(const std::string& id) {
        return ask("DELETE", "/v1/sequences/{id}", "", {{"id", id}});
    }
    std::string exported() { return ask("GET", "/v1/sequences/export").body; }
    // The versions of a sequence, newest first: "3 2 1 ".
    std::string versions(const std::string& id) {
        std::string text;
        const auto all = taken(table::whole_list(
            [&](const table::PageWish& wish) { return sequences->versions(id, wish); }));
        for (const auto& one : all) {
            text += std::to_string(one.version) + " ";
        }
        return text;
    }
    bool has(const program::Rendered& answer, std::string_view text) {
        return answer.body.find(text) != answer.body.npos;
    }
    static std::string forwarding(std::string_view id, std::string_view to) {
        return R"({"id": ")" + std::string(id) +
               R"(", "sender": {"fromEmail": "a@example.com", "fromName": "A",
               "replyToEmail": "r@example.com", "captureReplies": true, "forwardRepliesTo": ")" +
               std::string(to) + R"("}, "trigger": {"detailType": "t"}, "timeoutMinutes": 60,
               "steps": []})";
    }
    // As another program has somebody in a sequence.
    void others_enter(const std::string& id, const std::string& address) {
        others_put({{"PK", "EXEC#" + id},
                    {"SK", "SUB#" + address},
                    {"email", address},
                    {"executionArn", "arn:aws:states:eu-west-1:1:execution:x:1"},
                    {"startedAt", "2026-01-01T00:00:00.000Z"}});
    }

    std::optional<Books> books;
    std::optional<people::Segments> segments;
    std::optional<Sequences> sequences;
    std::optional<Simulation> simulation;
    std::optional<Executions> executions;
    program::Api api;
};

}  // namespace mailroom::campaigns
