// What tests of the ledger share: a ledger on an engine in memory, and mails in any state.
#pragma once

#include "base/time_format.h"
#include "outbox/mail/ledger.h"
#include "table/engine/engine_fixture.h"
#include "table/front_for_tests.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::outbox {

inline constexpr const char* mail_a = "11111111-2222-4333-8444-555555555555";
inline constexpr const char* mail_b = "22222222-2222-4333-8444-555555555555";

class LedgerTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        clock.set(*parse_rfc3339("2026-11-15T12:00:00.123Z"));
        open_ledger();
    }

    void open_ledger() {
        front = table::make_front(*engine, clock);
        auto opened = Ledger::open(front->store(), clock);
        ASSERT_TRUE(opened) << opened.error().message;
        ledger.emplace(*std::move(opened));
        // So that a commit that is made to fail is the test's own.
        engine->finish_jobs();
    }

    Mail new_mail(const std::string& id, State state = State::accepted) const {
        Mail mail;
        mail.id = id;
        mail.state = state;
        mail.created = mail.updated = mail.first_due = clock.now();
        mail.payload_path = "payload/2026/November/" + id + ".json";
        if (state != State::accepted) mail.eml_path = "eml/2026/November/" + id + ".EML";
        mail.expires_seconds = to_unix_seconds(clock.now() + std::chrono::days(30));
        mail.sender = "a@example.com";
        mail.recipients = {{.address = "b@example.org"}};
        return mail;
    }

    table::Outcome<> commit(const schedule::Transaction& transaction) {
        const auto done = front->store().transact(transaction);
        if (!done) return done.error();
        return Ok{};
    }

    table::Outcome<> insert(Mail mail, std::vector<State> entered) {
        schedule::Transaction transaction;
        ledger->insert(transaction, mail, entered);
        return commit(transaction);
    }

    // These leave `mail` as it was when they are refused.
    table::Outcome<> move(Mail& mail, State to, const Change& change = {}) {
        return commit_of(mail, [&](auto& transaction, auto& tried) {
            ledger->move(transaction, tried, to, change);
        });
    }
    table::Outcome<> step_back(Mail& mail, State to, const Change& change = {}) {
        return commit_of(mail, [&](auto& transaction, auto& tried) {
            ledger->step_back(transaction, tried, to, change);
        });
    }
    table::Outcome<> apply(Mail& mail, const Change& change) {
        return commit_of(mail, [&](auto& transaction, auto& tried) {
            ledger->change(transaction, tried, change);
        });
    }

    // The steps on the shortest way from ACCEPTED.
    static std::vector<State> way_to(State state) {
        using enum State;
        switch (state) {
            case accepted:
                return {};
            case intaking:
                return {intaking};
            case ready:
                return {intaking, ready};
            case processing:
                return {intaking, ready, processing};
            case sent:
                return {intaking, ready, processing, sent};
            case failed:
                return {intaking, ready, processing, failed};
            case invalid:
                return {intaking, invalid};
            case calling_sent_callback:
                return {intaking, ready, processing, sent, calling_sent_callback};
            case calling_failed_callback:
                return {intaking, ready, processing, failed, calling_failed_callback};
            case sent_acknowledged:
                return {intaking,         ready, processing, sent, calling_sent_callback,
                        sent_acknowledged};
            case failed_acknowledged:
                return {intaking,           ready, processing, failed, calling_failed_callback,
                        failed_acknowledged};
            case cancelled:
                return {cancelled};
        }
        return {};
    }

    Mail mail_in(State state, const std::string& id = mail_a) {
        auto mail = new_mail(id);
        EXPECT_TRUE(insert(mail, {State::accepted}));
        mail = found(id);
        for (const auto step : way_to(state)) EXPECT_TRUE(move(mail, step));
        return mail;
    }

    std::optional<table::Item> row(const std::string& id, const std::string& status) {
        return get("EmailOutbox", {{"Id", id}, {"Status", status}});
    }

    // All rows of a mail, as their sort keys.
    std::string statuses(const std::string& id) {
        std::string text;
        for (const auto& item : query("EmailOutbox", "", "Id = :id", {{":id", id}}).items) {
            text += (text.empty() ? "" : " ") + std::string(*item.text("Status"));
        }
        return text;
    }

    Mail found(const std::string& id) {
        const auto mail = ledger->find(id);
        EXPECT_TRUE(mail) << mail.error().message;
        EXPECT_TRUE(mail && *mail) << id;
        return mail && *mail ? **mail : Mail{};
    }

    std::unique_ptr<table::Front> front;
    std::optional<Ledger> ledger;

private:
    template <class Step>
    table::Outcome<> commit_of(Mail& mail, Step step) {
        schedule::Transaction transaction;
        auto tried = mail;
        step(transaction, tried);
        auto done = commit(transaction);
        if (done) mail = tried;
        return done;
    }
};

}  // namespace mailroom::outbox
