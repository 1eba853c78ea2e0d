// People on tables in memory, or on what stands in front of them (table/front_for_tests.h).
#pragma once

#include "people/people.h"
#include "people/suppressions.h"
#include "schedule/crew.h"
#include "schedule/schedule.h"
#include "table/engine/engine_fixture.h"
#include "table/front_for_tests.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::people {

class PeopleTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        front = table::make_front(*engine, clock);
        begin(front->store());
    }
    // As after a restart of the process.
    void begin(table::Store& on) {
        crew.reset();
        people.reset();
        suppressions.reset();
        schedule.reset();
        const bool is_shared = front->is_shared();
        schedule = taken(schedule::Schedule::open(
            on, clock, random,
            {.ownership = is_shared ? schedule::Ownership::shared : schedule::Ownership::sole}));
        suppressions.emplace(taken(Suppressions::open(
            on, clock, random,
            is_shared ? Suppressions::Writers::others_too : Suppressions::Writers::only_this)));
        people.emplace(*suppressions, *schedule);
        crew.emplace(*schedule, clock,
                     schedule::CrewOptions{.queues = {std::string(people_queue)}, .threads = 0},
                     [this](schedule::JobInHand job) { people->run(*job); });
        crew->start();
    }

    template <class T, class E>
    static T taken(Result<T, E> result) {
        EXPECT_TRUE(result) << static_cast<Error>(result.error()).message;
        if (!result) std::abort();
        return *std::move(result);
    }
    template <class T>
    static std::string code(const Answer<T>& answer) {
        return answer ? "" : answer.error().code;
    }

    // What is in the tables, past whatever is late.
    std::optional<table::Item> row(const std::string& table, table::Item key) {
        return get(table, std::move(key));
    }
    std::optional<table::Item> profile_row(const std::string& canonical) {
        return row("Audience", profile_key(canonical));
    }
    std::vector<table::Item> partition(const std::string& table, const std::string& key) {
        return taken(table::query_all(
            *engine, table::from(table).partition("PK", table::Value(key)).consistent()));
    }
    std::vector<table::Item> all_rows(const std::string& table) {
        table::Scan scan;
        scan.table = table;
        scan.consistent = true;
        std::vector<table::Item> rows;
        for (;;) {
            auto page = engine->scan(scan);
            EXPECT_TRUE(page);
            for (auto& item : page->items) rows.push_back(std::move(item));
            if (!page->last_key) return rows;
            scan.start_key = page->last_key;
        }
    }
    // "tag address" of each tag row, and of each tag of a profile: they must be the same.
    std::set<std::string> tag_rows() {
        std::set<std::string> all;
        for (const auto& item : all_rows("Audience")) {
            const auto key = *item.text("PK");
            if (!key.starts_with("TAG#")) continue;
            all.insert(std::string(key.substr(4)) + " " + std::string(item.text("SK")->substr(4)));
        }
        return all;
    }
    std::set<std::string> tags_of_profiles() {
        std::set<std::string> all;
        for (const auto& item : all_rows("Audience")) {
            if (item.text("SK") != "PROFILE") continue;
            const auto profile = taken(read_profile(item));
            for (const auto& tag : profile.tags) all.insert(tag + " " + profile.canonical);
        }
        return all;
    }
    // What another program does, which knows nothing of us.
    void others_put(table::Item item) {
        ASSERT_TRUE(engine->put(put("Audience", std::move(item))));
    }
    void others_set(const std::string& canonical, std::string_view column, table::Value value) {
        ASSERT_TRUE(engine->update(table::write::Update("Audience", profile_key(canonical))
                                       .set(column, std::move(value))));
    }
    std::string refusal(const MailKind& kind, const std::string& address) {
        return taken(suppressions->refusal(kind, address)).value_or("");
    }
    std::vector<std::string> consents(const std::string& canonical) {
        std::vector<std::string> all;
        for (const auto& item : partition("MailroomPeople", "CONSENT#" + canonical)) {
            all.push_back(std::string(item.text("what").value_or("")) + ": " +
                          std::string(item.text("from").value_or("")) + " > " +
                          std::string(item.text("to").value_or("")));
        }
        return all;
    }

    static Change tagged(std::vector<std::string> tags) {
        Change change;
        change.tags = std::move(tags);
        return change;
    }
    static std::vector<std::string> numbered(const std::string& stem, int count) {
        std::vector<std::string> all;
        for (int i = 0; i < count; ++i) all.push_back(stem + std::to_string(i));
        return all;
    }

    std::unique_ptr<table::Front> front;
    std::unique_ptr<schedule::Schedule> schedule;
    std::optional<Suppressions> suppressions;
    std::optional<People> people;
    std::optional<schedule::Crew> crew;
};

}  // namespace mailroom::people
