// The account under kill -9: a process of its own notes, tags and unsubscribes until it is killed,
// again and again on the same tables; then everything that it was acknowledged is there, and what
// is counted is what there is. Five kills each time; tests/crash repeats it for the long form.
#include "base/scratch_directory.h"
#include "engagement/bounces/consequences.h"
#include "engagement/events/kept_account.h"
#include "engagement/events/rows.h"
#include "engagement/numbers/counts.h"
#include "kv/rocks_store.h"
#include "people/people.h"
#include "table/engine/engine.h"
#include "table/query_builder.h"
#include "table/records/ensure_table.h"
#include "table/records/many.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::engagement {
namespace {

constexpr int persons = 30, happenings = 4000, tags = 4, tellers = 4;

template <class T, class E>
T taken(Result<T, E> result) {
    if (!result) {
        ADD_FAILURE() << static_cast<Error>(result.error()).message;
        std::abort();
    }
    return *std::move(result);
}

std::string person(std::uint64_t number) { return "p" + std::to_string(number) + "@example.org"; }
std::string tag(std::uint64_t number) { return "tag" + std::to_string(number); }

// What a server has for it, on a disk.
struct Desk {
    explicit Desk(const std::filesystem::path& directory)
        : kv(taken(kv::open_rocks(directory, {}))),
          engine(taken(table::Engine::open(*kv, clock, random, {}))),
          schedule(taken(schedule::Schedule::open(*engine, clock, random))),
          ledger(taken(outbox::Ledger::open(*engine, clock))),
          suppressions(taken(people::Suppressions::open(*engine, clock, random))),
          people(suppressions, *schedule),
          activities(*engine, suppressions.books().tables.people),
          pauses(taken(outbox::Pauses::open(*engine, clock, random))),
          streaks(*engine, clock, settings.tables.own, settings.soft_bounces_max),
          faults(*engine, *schedule, clock, *pauses, settings.tables.own, 0),
          consequences(people, streaks, faults),
          account({*engine, *schedule, schedule::Ownership::sole, clock, random, ledger, activities,
                   suppressions, suppressions.books().tables.audience, settings}) {
        taken(table::ensure_table(*engine, rows::declared_events(settings.tables.events)));
        taken(table::ensure_table(*engine, rows::declared_own(settings.tables.own)));
        taken(streaks.refresh());
        account.tell(consequences);
    }

    const SystemClock clock;
    SystemRandom random;
    const Settings settings;
    std::unique_ptr<kv::Store> kv;
    std::unique_ptr<table::Engine> engine;
    std::unique_ptr<schedule::Schedule> schedule;
    outbox::Ledger ledger;
    people::Suppressions suppressions;
    people::People people;
    people::Activities activities;
    std::unique_ptr<outbox::Pauses> pauses;
    Streaks streaks;
    bounces::Faults faults;
    bounces::Consequences consequences;
    KeptAccount account;
};

// Always the same for the same number.
Happening happening(int number) {
    constexpr std::array types = {EventType::open, EventType::click, EventType::delivery,
                                  EventType::bounce};
    Happening one;
    one.id = "e" + std::to_string(number);
    one.type = types[static_cast<std::size_t>(number) % types.size()];
    one.at = from_unix_ms(1'768'471'200'000 + number % 7);
    one.email = person(static_cast<std::uint64_t>(number) % persons);
    one.mail_id = "mail " + std::to_string(number % 900);
    one.sequence_id = number % 3 == 0 ? "april" : "onboarding";
    if (one.type == EventType::bounce) {
        one.bounce.emplace();
        one.bounce->severity = number % 5 == 0 ? bounces::Severity::hard : bounces::Severity::soft;
    }
    return one;
}

// What the process says on its way: a line that is as short as this is written at once.
void say(int to, char what, std::uint64_t number) {
    const auto line = what + std::to_string(number) + "\n";
    if (::write(to, line.data(), line.size()) < 0) std::_Exit(3);
}

void work(Desk& desk, SeededRandom random, int to) {
    for (;;) {
        std::vector<Happening> told;
        std::vector<std::uint64_t> numbers;
        for (auto count = random_up_to(random, 5) + 1; count > 0; --count) {
            numbers.push_back(random_up_to(random, happenings - 1));
            told.push_back(happening(static_cast<int>(numbers.back())));
        }
        if (desk.account.note(told)) {
            for (const auto number : numbers) say(to, 'e', number);
        }
        const auto who = random_up_to(random, persons - 1);
        const auto what = tag(random_up_to(random, tags - 1));
        const bool comes = random_up_to(random, 1) == 0;
        if (comes) (void)desk.people.tag(person(who), what);
        if (!comes) (void)desk.people.untag(person(who), what);
        if (random_up_to(random, 20) > 0) continue;
        people::Change change;
        change.unsubscribed = true;
        if (desk.people.change(person(who), change)) say(to, 'u', who);
    }
}

[[noreturn]] void live(const std::filesystem::path& directory, std::uint64_t seed, int to) {
    Desk desk(directory);
    say(to, 'r', 0);  // Ready.
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i < tellers; ++i) {
        threads.emplace_back([&, i] { work(desk, SeededRandom(seed * tellers + i), to); });
    }
    for (auto& thread : threads) thread.join();
    std::_Exit(0);
}

std::string text_of(const table::Item& row, std::string_view name) {
    return std::string(row.text(name).value_or(""));
}

class AccountKillTest : public ::testing::Test {
protected:
    // A life that ends after so many acknowledged lines.
    void live_and_die(std::uint64_t seed, int lines_max) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const auto child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::close(ends[0]);
            live(directory.path(), seed, ends[1]);
        }
        ::close(ends[1]);
        read_lines(ends[0], child, lines_max);
        ::close(ends[0]);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    // To the end, also what was said between the last line and the kill.
    void read_lines(int from, pid_t child, int lines_max) {
        std::string text;
        std::array<char, 4096> buffer;
        int lines = 0;
        for (ssize_t got; (got = ::read(from, buffer.data(), buffer.size())) > 0;) {
            text.append(buffer.data(), static_cast<std::size_t>(got));
            for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
                take(text.substr(0, end));
                text.erase(0, end + 1);
                if (++lines == lines_max) ::kill(child, SIGKILL);
            }
        }
    }
    void take(const std::string& line) {
        if (line[0] == 'e') acknowledged.insert("e" + line.substr(1));
        if (line[0] == 'u') left.insert(person(std::stoul(line.substr(1))));
    }

    static std::vector<table::Item> all_of(Desk& desk, const std::string& name) {
        table::Scan scan;
        scan.table = name;
        std::vector<table::Item> rows;
        for (;;) {
            auto page = taken(desk.engine->scan(scan));
            for (auto& row : page.items) rows.push_back(std::move(row));
            if (!page.last_key) return rows;
            scan.start_key = std::move(page.last_key);
        }
    }

    // What the rows of events say.
    struct Events {
        std::map<std::string, std::map<std::string, std::int64_t>> counts;  // By sequence and type.
        std::map<std::string, std::int64_t> all;                            // By type.
        std::set<std::string> bounced_hard;
    };
    Events read_events(Desk& desk) {
        Events events;
        std::set<std::string> ids;
        for (const auto& row : all_of(desk, "EmailEvents")) {
            EXPECT_TRUE(ids.insert(text_of(row, "eventId")).second) << text_of(row, "eventId");
            ++events.counts[text_of(row, "sequenceId")][text_of(row, "eventType")];
            ++events.all[text_of(row, "eventType")];
            if (row.text("bounceSeverity") == "hard") {
                events.bounced_hard.insert(text_of(row, "PK").substr(4));
            }
        }
        // A delivery is one for each person and mail, whatever it was called.
        for (const auto& id : acknowledged) {
            const auto type = happening(std::stoi(id.substr(1))).type;
            EXPECT_TRUE(type == EventType::delivery || ids.contains(id)) << id;
        }
        return events;
    }

    static void compare_numbers(Desk& desk, Events events) {
        Figures kept;
        const auto day = happening(0).at;
        for (const auto& one : taken(desk.account.numbers().by_day({}, day, day))) {
            kept += one.figures;
        }
        EXPECT_EQ(kept.opens, events.all["open"]);
        EXPECT_EQ(kept.clicks, events.all["click"]);
        EXPECT_EQ(kept.delivered, events.all["delivery"]);
        EXPECT_EQ(kept.bounces, events.all["bounce"]);
    }

    void compare_audience(Desk& desk, Events events) {
        std::set<std::pair<std::string, std::string>> tag_rows, listed;
        for (const auto& row : all_of(desk, "Audience")) {
            const auto partition = text_of(row, "PK"), sort = text_of(row, "SK");
            if (partition.starts_with("STATS#")) {
                compare_counters(row, events.counts[partition.substr(6)]);
            } else if (partition.starts_with("TAG#")) {
                tag_rows.emplace(partition.substr(4), sort.substr(4));
            } else if (sort == "PROFILE") {
                const auto profile = taken(people::read_profile(row));
                const auto& who = profile.canonical;
                for (const auto& one : profile.tags) listed.emplace(one, who);
                EXPECT_TRUE(!left.contains(who) || profile.unsubscribed) << who;
                EXPECT_TRUE(profile.suppressed || !events.bounced_hard.contains(who)) << who;
            }
        }
        EXPECT_EQ(tag_rows, listed);
    }
    static void compare_counters(const table::Item& row,
                                 std::map<std::string, std::int64_t>& counts) {
        for (const std::string type : {"open", "click", "delivery", "bounce"}) {
            EXPECT_EQ(row.integer(type + "Count").value_or(0), counts[type]) << type;
        }
    }

    void expect_refused(Desk& desk, const Events& events) {
        for (const auto& who : events.bounced_hard) {
            EXPECT_TRUE(taken(desk.suppressions.refusal(outbox::Stream::transactional, who)));
        }
        for (const auto& who : left) {
            EXPECT_TRUE(taken(desk.suppressions.refusal(outbox::Stream::bulk, who))) << who;
        }
    }

    ScratchDirectory directory;
    std::set<std::string> acknowledged, left;
};

TEST_F(AccountKillTest, WhatIsCountedIsWhatThereIsAndNothingAcknowledgedIsMissing) {
    SystemRandom random;
    const auto seed = random_up_to(random, 1'000'000);
    SCOPED_TRACE(seed);
    SeededRandom chance(seed);
    for (std::uint64_t life = 0; life < 5; ++life) {
        live_and_die(seed + life, 2 + static_cast<int>(random_up_to(chance, 120)));
        if (HasFatalFailure()) return;
    }
    Desk desk(directory.path());
    const auto events = read_events(desk);
    compare_numbers(desk, events);
    compare_audience(desk, events);
    expect_refused(desk, events);
    EXPECT_FALSE(acknowledged.empty());
}

}  // namespace
}  // namespace mailroom::engagement
