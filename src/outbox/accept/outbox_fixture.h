// What tests of accepting share: an outbox on an engine in memory, and requests from JSON.
#pragma once

#include "net/fake_resolver.h"
#include "outbox/accept/outbox.h"
#include "outbox/blobs/table_blobs.h"
#include "outbox/fetching/fetching.h"
#include "outbox/mail/ledger_fixture.h"
#include "schedule/crew.h"

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::outbox {

class OutboxTest : public LedgerTest {
protected:
    void SetUp() override {
        LedgerTest::SetUp();
        clock.set(*parse_rfc3339("2025-11-20T10:00:00Z"));
        open();
    }

    // As after a restart of the process.
    void restart() {
        outbox.reset();
        schedule.reset();
        ledger.reset();
        front.reset();
        reopen();
        open_ledger();
        open();
    }

    void open() {
        auto opened = TableBlobs::open(front->store());
        ASSERT_TRUE(opened) << opened.error().message;
        blobs.emplace(*std::move(opened));
        schedule::ScheduleOptions options_of_schedule;
        if (front->is_shared()) options_of_schedule.ownership = schedule::Ownership::shared;
        auto made = schedule::Schedule::open(front->store(), clock, random, options_of_schedule);
        ASSERT_TRUE(made) << made.error().message;
        schedule = *std::move(made);
        engine->finish_jobs();
        outbox.emplace(*ledger, *blobs, *schedule, clock, random, options_of_outbox);
    }

    static std::string minimal(const std::string& id, const std::string& more = "") {
        return R"({"id":")" + id +
               R"(","from":"a@example.com","reply_to":"a@example.com","to":"b@example.org",)" +
               R"("subject":"Ciao","text":"x")" + more + "}";
    }

    Request parsed(std::string_view text) {
        json::Parser parser;
        const auto view = parser.parse(text);
        EXPECT_TRUE(view) << text;
        auto request = parse_request(*view, clock.now());
        EXPECT_TRUE(request) << request.error().text();
        return request ? std::move(*request) : Request{};
    }

    Result<Accepted, Refusal> accept(const std::string& text) {
        return outbox->accept(parsed(text), text);
    }

    // Without waiting for the disk, as far as the outbox is concerned.
    Result<Accepted, Refusal> accept_later(const std::string& text, Outbox::Also also = {}) {
        std::promise<Result<Accepted, Refusal>> promise;
        outbox->accept(
            parsed(text), text, [&](auto accepted) { promise.set_value(std::move(accepted)); },
            std::move(also));
        return promise.get_future().get();
    }

    // Runs what is due for fetching; the number of jobs.
    std::size_t take_in(const FetchingOptions& options_of_fetching) {
        net::HttpClient http({}, guard);  // Servers of tests wait until it has closed.
        schedule::Crew* running = nullptr;
        Fetching fetching(*ledger, *blobs, *schedule, http, clock, random, options_of_fetching,
                          [&] { return running->await(); });
        schedule::Crew crew(*schedule, clock,
                            {.queues = {std::string(fetching_queue)}, .threads = 0},
                            [&](schedule::JobInHand job) { fetching.run(std::move(job)); });
        running = &crew;
        return crew.run_due();
    }

    // The keys of the due jobs of a queue, each of which is left as it was.
    std::vector<std::string> due(std::string_view queue) {
        std::vector<std::string> keys;
        schedule::Crew crew(*schedule, clock, {.queues = {std::string(queue)}, .threads = 0},
                            [&](schedule::JobInHand job) { keys.emplace_back(job->key()); });
        crew.run_due();
        return keys;
    }

    std::string message_of(const std::string& id) {
        auto text = outbox->message(found(id));
        EXPECT_TRUE(text && *text);
        return text && *text ? **text : "";
    }

    // All rows of all tables that mails make.
    std::size_t rows() {
        std::size_t count = 0;
        for (const char* name : {"EmailOutbox", "MailroomBlobs", "MailroomSchedule",
                                 "MailroomOutboxLog", "MailroomOutboxCounts"}) {
            table::Scan scan;
            scan.table = name;
            const auto page = engine->scan(scan);
            EXPECT_TRUE(page) << name;
            if (page) count += page->count;
        }
        return count;
    }

    OutboxOptions options_of_outbox;
    net::FakeResolver resolver;
    net::Guard guard{resolver, {.allowed = {*net::Network::parse("127.0.0.1/32")}}};
    std::optional<TableBlobs> blobs;
    std::unique_ptr<schedule::Schedule> schedule;
    std::optional<Outbox> outbox;
};

}  // namespace mailroom::outbox
