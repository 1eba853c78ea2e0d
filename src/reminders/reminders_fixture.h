// What tests of reminders share: the whole of it on an engine in memory (or what stands in front of
// it: see table/front_for_tests.h), with an outbox whose
// transport is a fake, a language model that says what it is told, and a clock that stands still.
#pragma once

#include "base/days.h"
#include "base/time_format.h"
#include "outbox/sending/sending_for_tests.h"
#include "reminders/author.h"
#include "reminders/counters.h"
#include "reminders/deliveries.h"
#include "reminders/drafts.h"
#include "reminders/mail_guard.h"
#include "table/query_builder.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::reminders {

class FakeModel final : public writing::TextModel {
public:
    Result<std::string> write(const writing::Prompt& prompt) override {
        prompts.push_back(prompt);
        if (!text) return Error{Errc::unavailable, "the model is down"};
        return *text;
    }
    std::optional<std::string> text = std::nullopt;  // None: it is down.
    std::vector<writing::Prompt> prompts;
};

class RemindersTest : public ::testing::Test {
protected:
    ~RemindersTest() override { transport.forget_all(); }
    void SetUp() override {
        engine = taken(table::Engine::open(*kv, clock, random, {}));
        front = table::make_front(*engine, clock);
        open({});
    }

    void open(DraftSettings changed) {
        settings = std::move(changed);
        if (settings.from.empty()) settings.from = "Innovate AI <noreply@innovateai.com>";
        auto& store = front->store();
        if (front->is_shared()) node_options.ownership = schedule::Ownership::shared;
        suppressions.emplace(taken(people::Suppressions::open(store, clock, random)));
        crew.reset();  // Before the schedule that it works for.
        node = std::make_unique<outbox::Node>(store, clock, random, transport, *suppressions,
                                              signatures, node_options);
        outbox.emplace(node->ledger, node->blobs, *node->schedule, clock, random,
                       outbox::OutboxOptions{});
        books.emplace(Books{store, *node->schedule, clock, random, policy});
        taken(books->open());
        front->catch_up();
        accounts.emplace(*books, *suppressions);
        templates.emplace(*books);
        taken(templates->add_built_in());
        author.emplace(*templates, &model, clock, "Innovate AI");
        drafts.emplace(*accounts, *outbox, *suppressions, *author, settings);
        deliveries.emplace(*accounts, *drafts, *outbox, *suppressions);
        guard.emplace(*accounts, *outbox, *suppressions);
        outbox->guard_with(*guard);
        node->sender.guard_with(*guard);
        crew.emplace(*node->schedule, clock,
                     schedule::CrewOptions{.queues = {std::string(delivery_queue)}, .threads = 0},
                     [this](schedule::JobInHand job) { deliveries->run(std::move(job)); });
        crew->start();
    }

    // Everything anew, with John: for the next case.
    void fresh() {
        transport.forget_all();
        crew.reset();
        outbox.reset();
        node.reset();
        front.reset();
        engine.reset();
        kv.emplace();
        clock.set(*parse_rfc3339("2025-09-01T10:00:00Z"));
        engine = taken(table::Engine::open(*kv, clock, random, {}));
        front = table::make_front(*engine, clock);
        open({});
        add_john();
    }

    // As after the program was killed: what it had in hand is lost.
    void restart() {
        transport.forget_all();
        crew.reset();
        outbox.reset();
        node.reset();
        open(settings);
        if (!front->is_shared()) return;
        // What it held is taken over when nothing was heard of it for the time of a lease.
        node->run_due();
        clock.advance(schedule::CrewOptions().lease);
    }

    // Sends what is due, and writes down what came of it.
    void run() {
        front->catch_up();
        node->run_due();
        crew->run_due();
    }

    template <class T, class E>
    static T taken(Result<T, E> result) {
        if (!result) {
            ADD_FAILURE() << static_cast<Error>(result.error()).message;
            std::abort();
        }
        return *std::move(result);
    }
    // The code of a refusal; "ok" if there is none.
    template <class T>
    static std::string code(const Answer<T>& answer) {
        return answer ? "ok" : answer.error().code;
    }

    // The first `name` in the details of a refusal, as JSON text; empty if there is none.
    template <class T>
    static std::string detail(const Answer<T>& answer, const std::string& name) {
        if (answer) return "";
        const auto& details = answer.error().details;
        const auto found = details.find("\"" + name + "\":");
        if (found == details.npos) return "";
        const auto begin = found + name.size() + 3;
        const auto end = details[begin] == '[' ? details.find(']', begin) + 1
                                               : details.find_first_of(",}", begin);
        return details.substr(begin, end - begin);
    }

    static Time at(std::string_view text) { return *parse_rfc3339(text); }
    void set_time(std::string_view text) { clock.set(at(text)); }

    void add_customer(const std::string& id, const std::string& email,
                      const std::string& name = "John Doe") {
        taken(accounts->create(CustomerDetails{id, name, email, "USD"}));
    }
    void add_invoice(const std::string& customer, const std::string& id, std::int64_t cents,
                     std::string_view due) {
        Invoice invoice;
        invoice.invoice_id = id;
        invoice.customer_id = customer;
        invoice.total_cents = cents;
        invoice.due = taken(parse_day_or_time(due));
        taken(accounts->create(invoice));
    }
    // cust_001 with INV-001 of 1,000.00 and INV-002 of 500.00, both overdue on 2025-09-01.
    void add_john() {
        add_customer("cust_001", "john@example.com");
        add_invoice("cust_001", "INV-001", 100'000, "2025-08-20");
        add_invoice("cust_001", "INV-002", 50'000, "2025-08-25");
    }
    void pay(const std::string& invoice) {
        taken(accounts->change_invoice(invoice, {.status = InvoiceStatus::paid}));
    }

    Answer<Draft> draft(ReminderType type, const std::string& customer = "cust_001") {
        return drafts->create({.customer_id = customer, .type = type}, ann);
    }
    Answer<Draft> approve(const Draft& draft) {
        return drafts->approve(draft.id, {draft.version}, bob);
    }
    // Drafted, approved and sent.
    Draft send(ReminderType type, const std::string& customer = "cust_001") {
        const auto approved = taken(approve(taken(draft(type, customer))));
        run();
        return taken(drafts->find(approved.id));
    }
    std::string decided(ReminderType type, const std::string& customer = "cust_001") {
        return std::string(name_of(taken(drafts->check({customer, type})).verdict));
    }

    std::int64_t counted(std::string_view day, std::string_view name) {
        const auto days = taken(books->counters.between(at(std::string(day) + "T00:00:00Z"),
                                                        at(std::string(day) + "T00:00:00Z")));
        return days.front().of(name);
    }
    // With an empty prefix: all of the partition.
    std::vector<table::Item> rows(const std::string& partition, const std::string& prefix) {
        auto query = table::from("EmailTrackingTable");
        query.partition("PK", partition);
        if (!prefix.empty()) query.begins_with("SK", prefix);
        return taken(engine->query(query)).items;
    }
    Customer customer(const std::string& id = "cust_001") { return taken(accounts->require(id)); }

    const program::Actor ann{"key-ann", "ann", {}}, bob{"key-bob", "user_123", {}};
    const program::Actor boss{"key-boss", "boss", {"admin"}};
    outbox::Node::Options node_options = {};
    std::optional<kv::MemoryStore> kv{std::in_place};
    ManualClock clock{*parse_rfc3339("2025-09-01T10:00:00Z")};
    SeededRandom random{1};
    std::unique_ptr<table::Engine> engine;
    std::unique_ptr<table::Front> front;  // What the code under test sees of it.
    outbox::FakeTransport transport;
    outbox::Signatures signatures;
    Policy policy;
    DraftSettings settings;
    FakeModel model;
    std::optional<people::Suppressions> suppressions;
    std::unique_ptr<outbox::Node> node;
    std::optional<outbox::Outbox> outbox;
    std::optional<Books> books;
    std::optional<Accounts> accounts;
    std::optional<Templates> templates;
    std::optional<Author> author;
    std::optional<Drafts> drafts;
    std::optional<Deliveries> deliveries;
    std::optional<MailGuard> guard;
    std::optional<schedule::Crew> crew;
};

}  // namespace mailroom::reminders
