// The sending half of an outbox for tests: tables in memory (or what stands in front of them: see
// table/front_for_tests.h), a manual clock, and mails that are ready to leave.
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "base/random.h"
#include "kv/memory_store.h"
#include "outbox/accept/outbox.h"
#include "outbox/blobs/table_blobs.h"
#include "outbox/callbacks/callbacks.h"
#include "outbox/sending/sender.h"
#include "schedule/crew.h"
#include "table/engine/engine.h"
#include "table/front_for_tests.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::outbox {

// Answers as it is told, at once or when it is told to. Thread-safe.
class FakeTransport final : public Transport {
public:
    // What each recipient gets, one mail after the other; when there is nothing left: accepted.
    using Answer = std::vector<smtp::Verdict>;

    void send(Outgoing mail, Done done) override {
        Visit visit{std::move(mail), std::move(done)};
        {
            const std::lock_guard lock(mutex_);
            if (!answers_.empty()) {
                visit.answer = answers_.front();
                answers_.pop_front();
            }
            mails_.push_back(visit.mail);
            mails_.back().before_end = {};  // Which holds the mail's job.
            if (silent) return silent_.push_back(std::move(visit));
        }
        offer(std::move(visit));
    }
    // With `silent`: the server goes on with the mails it has.
    void greet_all() {
        std::vector<Visit> visits;
        {
            const std::lock_guard lock(mutex_);
            visits.swap(silent_);
        }
        for (auto& visit : visits) offer(std::move(visit));
    }
    bool is_repeatable() const override { return repeatable; }
    void stop(std::chrono::milliseconds) override { answer_all(); }

    void say(Answer answer) {
        const std::lock_guard lock(mutex_);
        answers_.push_back(std::move(answer));
    }
    // With `patient`: gives the answers that are due.
    void answer_all() {
        std::vector<std::pair<Done, smtp::Delivery>> open;
        {
            const std::lock_guard lock(mutex_);
            open.swap(open_);
        }
        for (auto& [done, delivery] : open) done(std::move(delivery));
    }
    // As when the program ends.
    void forget_all() {
        std::vector<Visit> not_greeted;
        std::vector<std::pair<Done, smtp::Delivery>> open;
        const std::lock_guard lock(mutex_);
        not_greeted.swap(silent_);
        open.swap(open_);
    }
    void forget_mails() {
        const std::lock_guard lock(mutex_);
        mails_.clear();
    }
    // The mails whose end has left, by their ids.
    std::vector<std::string> ended() const {
        const std::lock_guard lock(mutex_);
        return ended_;
    }
    std::vector<Outgoing> mails() const {
        const std::lock_guard lock(mutex_);
        return mails_;
    }

    static smtp::Verdict taken() {
        return {.outcome = smtp::Outcome::accepted, .code = 250, .text = "taken"};
    }
    static smtp::Verdict refused(int code, std::string text) {
        return {.outcome =
                    code >= 500 ? smtp::Outcome::refused_for_good : smtp::Outcome::refused_for_now,
                .stage = smtp::Stage::recipient,
                .code = code,
                .text = std::move(text)};
    }
    static smtp::Verdict nobody_knows() {
        return {.outcome = smtp::Outcome::unknown,
                .stage = smtp::Stage::message,
                .text = "no answer came; it may have arrived"};
    }

    // Set before use. Silent: nothing is said before greet_all(). Patient: the answer comes with
    // answer_all().
    bool patient = false, silent = false, repeatable = false;

private:
    struct Visit {
        Outgoing mail;
        Done done;
        Answer answer = {};

        smtp::Verdict verdict(std::size_t recipient) const {
            return recipient < answer.size() ? answer[recipient] : taken();
        }
    };

    // As a real one: those that are refused before the message are not in doubt.
    void offer(Visit visit) {
        std::vector<std::size_t> recipients;
        for (std::size_t i = 0; i < visit.mail.recipients.size(); ++i) {
            const auto verdict = visit.verdict(i);
            const bool is_offered =
                verdict.outcome == smtp::Outcome::accepted || verdict.stage == smtp::Stage::message;
            if (is_offered) recipients.push_back(i);
        }
        const auto before_end = std::exchange(visit.mail.before_end, {});
        if (!before_end || repeatable || recipients.empty()) return answer(visit, true);
        before_end(recipients, [this, visit = std::move(visit)](const smtp::Leave& leave) {
            answer(visit, leave && leave());
        });
    }
    void answer(const Visit& visit, bool may_end) {
        smtp::Delivery delivery{
            .recipients = {}, .peer = "192.0.2.1:25", .transcript = "C: EHLO\nS: 250 hi\n"};
        for (std::size_t i = 0; i < visit.mail.recipients.size(); ++i) {
            const auto verdict =
                may_end ? visit.verdict(i) : smtp::Verdict{.text = "it was not to leave"};
            delivery.recipients.push_back({visit.mail.recipients[i], verdict});
        }
        {
            const std::lock_guard lock(mutex_);
            if (may_end) ended_.push_back(visit.mail.id);
            if (may_end && patient) {
                open_.emplace_back(visit.done, std::move(delivery));
                return;
            }
        }
        visit.done(std::move(delivery));
    }

    mutable std::mutex mutex_;
    std::deque<Answer> answers_;
    std::vector<Outgoing> mails_;
    std::vector<std::string> ended_;
    std::vector<Visit> silent_;
    std::vector<std::pair<Done, smtp::Delivery>> open_;
};

class FakePermission final : public people::Permission {
public:
    using Addresses = std::vector<std::string>;

    Result<people::Refusals> refusals(const people::MailKind&,
                                      const Addresses& addresses) override {
        people::Refusals found;
        for (const auto& address : addresses) {
            const auto why = refused.find(address);
            if (why != refused.end()) found.emplace(address, why->second);
        }
        return found;
    }
    Result<people::Refusals> known_refusals(const people::MailKind& kind,
                                            const Addresses& addresses) override {
        return refusals(kind, addresses);
    }
    people::Sure require(table::write::Transaction&, const people::MailKind&,
                         const Addresses&) override {
        return people::Sure::by_another_look;
    }
    std::map<std::string, std::string, std::less<>> refused;
};

// What one process has: its own schedule and workers on the common tables.
class Node {
public:
    struct Options {
        SenderOptions sender = {};
        RateLimits rates = {};
        schedule::Ownership ownership = schedule::Ownership::sole;
        std::size_t threads = 0;  // With 0 nothing runs but in run_due().
        std::size_t jobs_max = 64;
        Sleeper* sleeper = nullptr;  // Between the tries of a commit; none: it waits.
    };

    Node(table::Store& store, const Clock& clock, Random& random, Transport& transport,
         people::Permission& permission, const Signatures& signatures, Options options)
        : schedule(*schedule::Schedule::open(
              store, clock, random, {.ownership = options.ownership, .sleeper = options.sleeper})),
          ledger(*Ledger::open(store, clock, {}, schedule->node())),
          blobs(*TableBlobs::open(store)),
          rates(clock, options.rates),
          sender(ledger, blobs, *schedule, transport, permission, rates, signatures, clock, random,
                 options.sender,
                 {.post = [this](auto work) { crew->post(std::move(work)); },
                  .hold =
                      [this](auto& transaction, auto job) {
                          return crew->add_in_hand(transaction, std::move(job));
                      }}),
          crew(std::make_unique<schedule::Crew>(
              *schedule, clock,
              schedule::CrewOptions{.queues = {std::string(send_queue(Stream::transactional)),
                                               std::string(send_queue(Stream::bulk))},
                                    .threads = options.threads,
                                    .jobs_max = options.jobs_max},
              [this](schedule::JobInHand job) { sender.run(std::move(job)); })) {
        crew->start();
    }

    std::size_t run_due() { return crew->run_due(); }

    std::unique_ptr<schedule::Schedule> schedule;
    Ledger ledger;
    TableBlobs blobs;
    Rates rates;
    Sender sender;
    std::unique_ptr<schedule::Crew> crew;
};

class SendingTest : public ::testing::Test {
protected:
    using Answer = FakeTransport::Answer;

    // What the transport still holds belongs to the node, and so does what is sent at its end.
    ~SendingTest() override {
        if (node) node->crew->stop(std::chrono::milliseconds(0));
        transport.forget_all();
    }
    void SetUp() override {
        auto opened = table::Engine::open(kv, clock, random, {});
        ASSERT_TRUE(opened) << opened.error().message;
        engine = *std::move(opened);
        front = table::make_front(*engine, clock);
        node = make_node({});
    }

    std::unique_ptr<Node> make_node(Node::Options options) {
        if (front->is_shared()) options.ownership = schedule::Ownership::shared;
        auto made = std::make_unique<Node>(front->store(), clock, random, used ? *used : transport,
                                           permission, signatures, options);
        // So that a commit that is made to fail is the test's own.
        engine->finish_jobs();
        return made;
    }
    // As after the program was killed: what it had in hand is lost.
    void restart(Node::Options options = {}) {
        transport.forget_all();
        node.reset();
        node = make_node(options);
    }

    // Where others may be at work, what a node held is taken over when nothing was heard of it for
    // the time of a lease.
    void let_leases_end() {
        if (!front->is_shared()) return;
        node->run_due();
        clock.advance(schedule::CrewOptions().lease);
    }

    struct Wish {
        std::vector<std::string> to = {"b@example.org"};
        bool callback = false;
        Stream stream = Stream::transactional;
        std::string payload = "{}";
        std::optional<std::string> message =
            "From: a@example.com\r\nTo: b@example.org\r\nSubject: Ciao\r\n\r\nx\r\n";
    };
    Mail ready_mail(const Wish& wish) {
        Mail mail;
        mail.id = make_uuid(random);
        mail.state = State::ready;
        mail.created = mail.updated = mail.first_due = clock.now();
        mail.payload_path = "payload/2025/November/" + mail.id + ".json";
        mail.eml_path = "eml/2025/November/" + mail.id + ".EML";
        mail.expires_seconds = to_unix_seconds(clock.now() + std::chrono::hours(24 * 30));
        mail.stream = wish.stream;
        mail.sender = "a@example.com";
        for (const auto& address : wish.to) mail.recipients.push_back({.address = address});
        mail.message_id = "<" + mail.id + "@example.com>";
        mail.callback = wish.callback;
        return mail;
    }
    void add_blobs(schedule::Transaction& together, const Mail& mail, const Wish& wish) {
        const auto expires = from_unix_ms(mail.expires_seconds * 1000);
        EXPECT_TRUE(node->blobs.add(together, mail.payload_path, wish.payload, expires));
        if (wish.message) {
            EXPECT_TRUE(node->blobs.add(together, mail.eml_path, *wish.message, expires));
        }
    }
    // READY, and its job is due.
    std::string add_mail(const Wish& wish) {
        auto mail = ready_mail(wish);
        schedule::Transaction together;
        mail.job = node->schedule->add(
            together,
            {.queue = std::string(send_queue(wish.stream)), .key = mail.id, .due = clock.now()});
        constexpr State entered[] = {State::accepted, State::intaking, State::ready};
        node->ledger.insert(together, mail, entered);
        add_blobs(together, mail, wish);
        const auto committed = node->schedule->commit(together);
        EXPECT_TRUE(committed) << committed.error().message;
        return mail.id;
    }

    Mail mail(const std::string& id) {
        auto found = node->ledger.find(id);
        EXPECT_TRUE(found && *found);
        return **found;
    }
    History history(const std::string& id) {
        auto found = node->ledger.history(id);
        EXPECT_TRUE(found && *found);
        return **found;
    }
    // "ACCEPTED INTAKING READY": the states entered, in order.
    std::string states(const std::string& id) {
        std::string names;
        for (const auto& entry : history(id).states) {
            if (!names.empty()) names += ' ';
            names += name_of(entry.state);
        }
        return names;
    }
    // The state of the mail and of its recipients: "SENT delivered failed".
    std::string brief(const std::string& id) {
        const auto found = mail(id);
        std::string text(found.held ? "HELD" : name_of(found.state));
        for (const auto& recipient : found.recipients) {
            text.append(" ").append(name_of(recipient.state));
        }
        return text;
    }

    kv::MemoryStore kv;
    ManualClock clock{from_unix_ms(1'763'632'800'000)};  // 2025-11-20T10:00:00Z
    SeededRandom random{1};
    std::unique_ptr<table::Engine> engine;
    std::unique_ptr<table::Front> front;
    FakeTransport transport;
    Transport* used = nullptr;  // Instead of the fake, from the next node on.
    FakePermission permission;
    Signatures signatures;
    std::unique_ptr<Node> node;
};

}  // namespace mailroom::outbox
