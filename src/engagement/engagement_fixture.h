// What tests of engagement share: an outbox whose transport is a fake, people, the account of what
// becomes of mails, on tables in memory (or what stands in front of them), and a clock that stands
// still.
#pragma once

#include "base/time_format.h"
#include "engagement/bounces/consequences.h"
#include "engagement/events/fates.h"
#include "engagement/events/kept_account.h"
#include "engagement/events/rows.h"
#include "engagement/events/streaks.h"
#include "outbox/sending/sending_for_tests.h"
#include "people/people.h"
#include "table/query_builder.h"
#include "table/records/ensure_table.h"
#include "table/records/many.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::engagement {

class EngagementTest : public outbox::SendingTest {
protected:
    // Everything that a node of the server has for it.
    struct Office {
        Office(EngagementTest& test, const Settings& settings)
            : store(test.front->store()),
              suppressions(taken(people::Suppressions::open(store, test.clock, test.random))),
              people(suppressions, *test.node->schedule),
              activities(store, suppressions.books().tables.people),
              pauses(taken(outbox::Pauses::open(store, test.clock, test.random))),
              streaks(store, test.clock, settings.tables.own, settings.soft_bounces_max),
              faults(store, *test.node->schedule, test.clock, *pauses, settings.tables.own,
                     settings.policy_faults_max),
              consequences(people, streaks, faults),
              account({store, *test.node->schedule,
                       test.front->is_shared() ? schedule::Ownership::shared
                                               : schedule::Ownership::sole,
                       test.clock, test.random, test.node->ledger, activities, suppressions,
                       suppressions.books().tables.audience, settings}),
              fates(account, streaks, test.node->ledger, *test.node->schedule),
              crew(
                  *test.node->schedule, test.clock,
                  {.queues = {std::string(outbox::fates_queue), std::string(bounces::faults_queue)},
                   .threads = 0},
                  [this](schedule::JobInHand job) {
                      if (job->queue() == outbox::fates_queue)
                          fates.run(std::move(job));
                      else
                          faults.run(std::move(job));
                  }) {
            taken(table::ensure_table(store, rows::declared_events(settings.tables.events)));
            taken(table::ensure_table(store, rows::declared_own(settings.tables.own)));
            taken(streaks.refresh());
            account.tell(consequences);
            test.node->ledger.account_with(fates);
            crew.start();
        }

        table::Store& store;
        people::Suppressions suppressions;
        people::People people;
        people::Activities activities;
        std::unique_ptr<outbox::Pauses> pauses;
        Streaks streaks;
        bounces::Faults faults;
        bounces::Consequences consequences;
        KeptAccount account;
        Fates fates;
        schedule::Crew crew;
    };

    void SetUp() override {
        SendingTest::SetUp();
        office = std::make_unique<Office>(*this, settings);
        engine->finish_jobs();
    }
    void TearDown() override { office.reset(); }
    // As after the server was stopped, with these settings.
    void reopen() {
        office.reset();
        restart();
        office = std::make_unique<Office>(*this, settings);
    }
    // Sends what is due, and notes what came of it.
    void run() {
        node->run_due();
        office->crew.run_due();
    }

    template <class T, class E>
    static T taken(Result<T, E> result) {
        if (!result) {
            ADD_FAILURE() << static_cast<Error>(result.error()).message;
            std::abort();
        }
        return *std::move(result);
    }
    static Time at(std::string_view text) { return taken(parse_rfc3339(text)); }

    // Ready to leave, and its events count.
    std::string add_followed(const std::vector<std::string>& to,
                             outbox::Stream stream = outbox::Stream::bulk) {
        Wish wish;
        wish.to = to;
        wish.stream = stream;
        auto mail = ready_mail(wish);
        mail.engagement.emplace();
        mail.engagement->template_key = "welcome";
        mail.engagement->sequence_id = "onboarding";
        mail.engagement->subject = "Welcome!";
        schedule::Transaction together;
        mail.job = node->schedule->add(
            together,
            {.queue = std::string(outbox::send_queue(stream)), .key = mail.id, .due = clock.now()});
        constexpr outbox::State entered[] = {outbox::State::accepted, outbox::State::intaking,
                                             outbox::State::ready};
        node->ledger.insert(together, mail, entered);
        add_blobs(together, mail, wish);
        EXPECT_TRUE(node->schedule->commit(together));
        return mail.id;
    }

    Noted note(const Happening& happening) { return taken(office->account.note({&happening, 1})); }
    static Happening happening(EventType type, std::string_view id, std::string_view email,
                               std::string_view when = "2026-01-15T10:00:00.000Z") {
        Happening one;
        one.id = id;
        one.type = type;
        one.at = at(when);
        one.email = email;
        return one;
    }

    // The events, or the send log, of a person: whole rows, the oldest first.
    std::vector<table::Item> events(const std::string& email) {
        return all(table::from("EmailEvents")
                       .partition("PK", "SUB#" + email)
                       .begins_with("SK", "EVT#")
                       .consistent());
    }
    std::vector<table::Item> send_log(const std::string& email) {
        return all(table::from("Audience")
                       .partition("PK", "SUB#" + email)
                       .begins_with("SK", "SENT#")
                       .consistent());
    }
    std::vector<table::Item> all(const table::Query& query) {
        return taken(table::query_all(*engine, query));
    }
    std::optional<table::Item> row(const std::string& table, const std::string& partition,
                                   const std::string& sort) {
        table::GetItem request;
        request.table = table;
        request.key = {{"PK", partition}, {"SK", sort}};
        request.consistent = true;
        return taken(engine->get(request)).item;
    }
    // "delivery open": the types, in the order of their times.
    std::string types(const std::string& email) {
        std::string text;
        for (const auto& event : events(email)) {
            if (!text.empty()) text += ' ';
            text += event.text("eventType").value_or("?");
        }
        return text;
    }
    std::int64_t counted(const std::string& sequence, std::string_view name) {
        taken(office->account.sequences().fold());
        const auto stats = row("Audience", "STATS#" + sequence, "COUNTERS");
        return stats ? stats->integer(name).value_or(0) : 0;
    }
    bool is_suppressed(const std::string& email) {
        const auto found = taken(office->people.find(email));
        return found && found->suppressed;
    }

    Settings settings;
    std::unique_ptr<Office> office;
};

}  // namespace mailroom::engagement
