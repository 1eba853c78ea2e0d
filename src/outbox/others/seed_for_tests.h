// Programs of the seed, for tests: their own statements, through PartiQL.
#pragma once

#include "table/partiql/executor.h"
#include "table/store.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mailroom::outbox {

class SeedPrograms {
public:
    static constexpr std::int64_t seed_ttl = 1'766'224'800;

    explicit SeedPrograms(table::Store& store) : executor_(store) {}

    // T3
    table::Outcome<> accepts(const std::string& id) {
        return accepts(id, "/efs/json/2025/November/" + id + ".json");
    }
    table::Outcome<> accepts(const std::string& id, const std::string& payload_path) {
        const table::Item attributes{{"Latest", "ACCEPTED"},
                                     {"CreatedAt", "2025-11-20T10:00:00Z"},
                                     {"UpdatedAt", "2025-11-20T10:00:00Z"},
                                     {"PayloadFilePath", payload_path},
                                     {"TTL", seed_ttl}};
        const table::Item only_ttl{{"TTL", seed_ttl}};
        return run({insert_statement(id, "_META", attributes),
                    insert_statement(id, "ACCEPTED", only_ttl)});
    }

    // T1
    table::Outcome<> moves(const std::string& id, const std::string& to,
                           const std::string& reason) {
        return run({{R"(UPDATE "EmailOutbox" SET Attributes.Latest=?, Attributes.UpdatedAt=?, )"
                     R"(Attributes.Reason=? WHERE Id=? AND Status=?)",
                     {to, "2025-11-20T10:00:05Z", reason, id, "_META"}},
                    insert_statement(id, to, table::Item{{"TTL", seed_ttl}})});
    }

    // T2
    table::Outcome<> readies(const std::string& id) {
        return readies(id, "/efs/eml/" + id + ".EML");
    }
    table::Outcome<> readies(const std::string& id, const std::string& eml_path) {
        return run({{R"(UPDATE "EmailOutbox" SET Attributes.Latest=?, Attributes.UpdatedAt=?, )"
                     R"(Attributes.EMLFilePath=? WHERE Id=? AND Status=?)",
                     {"READY", "2025-11-20T10:00:06Z", eml_path, id, "_META"}},
                    insert_statement(id, "READY", table::Item{{"TTL", seed_ttl}})});
    }

    // Q1
    std::vector<table::Item> polls(const std::string& state) {
        return select(R"(SELECT Id, Status, Attributes FROM "EmailOutbox"."StatusIndex" )"
                      R"(WHERE Status=? AND Attributes.Latest =?)",
                      {"_META", state});
    }

    // Q4
    std::vector<table::Item> reads(const std::string& id) {
        return select(R"(SELECT Id, Status, Attributes FROM "EmailOutbox" )"
                      R"(WHERE Id=? AND Status=?)",
                      {id, "_META"});
    }

    // T4
    table::Outcome<> requeues(const std::string& id, const std::string& from,
                              const std::string& to) {
        return run({{R"(DELETE FROM "EmailOutbox" WHERE Id=? AND Status=?)", {id, from}},
                    {R"(UPDATE "EmailOutbox" SET Attributes.Latest=?, Attributes.UpdatedAt=? )"
                     R"(WHERE Id=? AND Status=?)",
                     {to, "2026-11-15T13:00:00Z", id, "_META"}}});
    }

    static table::partiql::Statement insert_statement(const std::string& id,
                                                      const std::string& status,
                                                      const table::Item& attributes) {
        return {R"(INSERT INTO "EmailOutbox" VALUE {'Id': ?, 'Status': ?, 'Attributes': ?})",
                {id, status, table::Value::map(attributes)}};
    }

    table::Outcome<> run(const std::vector<table::partiql::Statement>& statements) {
        const auto done = executor_.transact(statements, "");
        if (!done) return done.error();
        return Ok{};
    }

    std::vector<table::Item> select(const std::string& text, std::vector<table::Value> parameters) {
        auto done = executor_.execute({text, std::move(parameters)});
        EXPECT_TRUE(done) << done.error().message;
        return done ? done->items : std::vector<table::Item>();
    }

private:
    table::partiql::Executor executor_;
};

}  // namespace mailroom::outbox
