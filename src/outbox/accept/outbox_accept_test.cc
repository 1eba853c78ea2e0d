#include "outbox/accept/outbox_fixture.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <thread>

namespace mailroom::outbox {
namespace {

// Scenarios 1 to 6 of accepting, as they are meant.
TEST_F(OutboxTest, AcceptOne) {
    const auto text = minimal(mail_a);
    const auto accepted = accept(text);
    ASSERT_TRUE(accepted) << accepted.error().message;
    EXPECT_EQ(accepted->id, mail_a);
    EXPECT_EQ(accepted->state, State::ready);
    EXPECT_TRUE(accepted->is_new);

    const auto mail = found(mail_a);
    EXPECT_EQ(mail.state, State::ready);
    EXPECT_EQ(mail.created, clock.now());
    EXPECT_EQ(mail.payload_path, std::string("payload/2025/November/") + mail_a + ".json");
    EXPECT_EQ(mail.eml_path, std::string("eml/2025/November/") + mail_a + ".EML");
    EXPECT_EQ(mail.expires_seconds, 1766224800);
    EXPECT_EQ(mail.sender, "a@example.com");
    EXPECT_EQ(mail.recipients, std::vector<Recipient>{{.address = "b@example.org"}});
    EXPECT_FALSE(mail.callback);
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    EXPECT_EQ(**outbox->payload(mail), text);
    EXPECT_NE(message_of(mail_a).find("Message-ID: " + mail.message_id), std::string::npos);
    EXPECT_EQ(due("outbox.send.transactional"), std::vector<std::string>{mail_a});
    EXPECT_TRUE(due("outbox.send.bulk").empty());
}

TEST_F(OutboxTest, AcceptOneThatNeedsFetching) {
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"attachments":[{"path":"/d/n.txt"}])")));
    const auto item = row(mail_a, "_META");
    ASSERT_TRUE(item);
    const auto meta = item->find("Attributes")->map();
    EXPECT_EQ(meta.text("Latest"), "ACCEPTED");
    EXPECT_EQ(meta.text("CreatedAt"), "2025-11-20T10:00:00Z");
    EXPECT_EQ(meta.text("UpdatedAt"), "2025-11-20T10:00:00Z");
    EXPECT_FALSE(meta.find("Reason"));
    EXPECT_EQ(statuses(mail_a), "ACCEPTED _META");
    EXPECT_EQ(due("outbox.intake"), std::vector<std::string>{mail_a});
    EXPECT_TRUE(due("outbox.send.transactional").empty());
}

TEST_F(OutboxTest, WhatIsRefusedLeavesNothing) {
    const auto before = rows();
    const auto bad = accept(minimal(mail_a, R"(,"headers":{"X-A":"a\nb"})"));
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().kind, Refusal::Kind::bad_field);
    EXPECT_EQ(bad.error().field, "headers.X-A");
    EXPECT_EQ(Error(bad.error()).code, Errc::invalid);
    // Also when the message is made later.
    const auto later = accept(
        minimal(mail_a, R"(,"template":{"html":"{{ x }}"},"attachments":[{"path":"/d/n.txt"}])"));
    ASSERT_FALSE(later);
    EXPECT_EQ(later.error().field, "template.html");
    EXPECT_EQ(rows(), before);
}

TEST_F(OutboxTest, PartialSuccess) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    const auto before = row(mail_a, "_META");
    const auto other = minimal(mail_a, R"(,"html":"other")"), new_one = minimal(mail_b);
    const auto results = outbox->accept_all({{parsed(other), other}, {parsed(new_one), new_one}});
    ASSERT_EQ(results.size(), 2u);
    ASSERT_FALSE(results[0]);
    EXPECT_EQ(results[0].error().kind, Refusal::Kind::duplicate);
    EXPECT_EQ(results[0].error().message, "Email with this ID already exists");
    ASSERT_TRUE(results[1]);
    EXPECT_EQ(results[1]->id, mail_b);
    EXPECT_EQ(row(mail_a, "_META"), before);
}

TEST_F(OutboxTest, AllFail) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    const auto before = rows();
    const auto other = minimal(mail_a, R"(,"html":"other")");
    const auto results = outbox->accept_all({{parsed(other), other}});
    ASSERT_EQ(results.size(), 1u);
    EXPECT_FALSE(results[0]);
    EXPECT_EQ(rows(), before);
}

TEST_F(OutboxTest, DuplicateMustNotHarmTheOriginal) {
    const auto small = minimal(mail_a);
    // Too large for a transaction, so its parts are written before it.
    const auto large = minimal(mail_b, R"(,"html":")" + std::string(900'000, 'a') + "\"");
    for (const auto& [id, text] : {std::pair(mail_a, small), std::pair(mail_b, large)}) {
        ASSERT_TRUE(accept(text));
        const auto message = message_of(id);
        auto other = text;
        other.replace(other.find("Ciao"), 4, "Other");
        const auto refused = accept(other);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().kind, Refusal::Kind::duplicate);
        EXPECT_EQ(**outbox->payload(found(id)), text);
        EXPECT_EQ(message_of(id), message);
        EXPECT_EQ(found(id).state, State::ready);
    }
}

TEST_F(OutboxTest, TheSameAgainIsTheSameMail) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    const auto before = rows();
    ASSERT_TRUE(outbox->cancel(mail_a));
    const auto again = accept(minimal(mail_a));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_FALSE(again->is_new);
    EXPECT_EQ(again->state, State::cancelled);
    EXPECT_LE(rows(), before + 2);
}

TEST_F(OutboxTest, WithoutAnIdEachIsAMailOfItsOwn) {
    const std::string text =
        R"({"from":"a@example.com","to":"b@example.org","subject":"s","text":"x"})";
    const auto one = accept(text), two = accept(text);
    ASSERT_TRUE(one && two);
    EXPECT_NE(one->id, two->id);
    EXPECT_TRUE(is_mail_id(one->id));
}

TEST_F(OutboxTest, WithoutWaitingTheSameIsToldOnceItIsDurable) {
    const std::string text =
        R"({"from":"a@example.com","to":"b@example.org","subject":"Ciao","text":"x"})";
    const auto told_of = [&](const Request& request) {
        auto promise = std::make_shared<std::promise<Result<Accepted, Refusal>>>();
        outbox->accept(request, text,
                       [promise](auto told) { promise->set_value(std::move(told)); });
        return promise->get_future().get();
    };
    const auto accepted = told_of(parsed(text));
    ASSERT_TRUE(accepted) << accepted.error().message;
    EXPECT_EQ(accepted->state, State::ready);
    EXPECT_EQ(found(accepted->id).state, State::ready);
    EXPECT_EQ(due(send_queue(Stream::transactional)), std::vector{accepted->id});

    const auto before = rows();
    kv.fail_commit(1, {Errc::unavailable, "the disk is full"});
    const auto refused = told_of(parsed(text));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::storage);
    options_of_outbox.waiting_max = 0;
    restart();
    EXPECT_EQ(told_of(parsed(text)).error().kind, Refusal::Kind::full);
    EXPECT_EQ(rows(), before);
}

TEST_F(OutboxTest, WhatTheCallerWritesWithAMailIsThereWithItOrRefusesIt) {
    const std::string text =
        R"({"from":"a@example.com","to":"b@example.org","subject":"Ciao","text":"x"})";
    table::CreateTable mine;
    mine.name = "Mine";
    mine.attributes = {{"Key", table::Kind::string}};
    mine.keys.hash = "Key";
    ASSERT_TRUE(engine->create_table(mine));
    const auto also = [](schedule::Transaction& together, const Mail& mail) {
        EXPECT_EQ(mail.state, State::ready);
        together.put("Mine", {{"Key", "k"}, {"Mail", mail.id}}).if_absent("Key");
    };
    const auto accepted = accept_later(text, also);
    ASSERT_TRUE(accepted);
    table::GetItem get;
    get.table = "Mine";
    get.key = {{"Key", "k"}};
    EXPECT_EQ(engine->get(get)->item->text("Mail"), accepted->id);

    const auto before = rows();
    const auto refused = accept_later(text, also);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::condition);
    EXPECT_EQ(rows(), before);
}

TEST_F(OutboxTest, WithoutWaitingAMailThatIsThereAlreadyIsRefusedAndStaysAsItIs) {
    const std::string text = R"({"id":"11111111-2222-4333-8444-555555555555",)"
                             R"("from":"a@example.com","to":"b@example.org","subject":"1",)"
                             R"("text":"x"})";
    const auto first = accept_later(text);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->id, "11111111-2222-4333-8444-555555555555");
    const auto before = rows();
    const auto again = accept_later(text);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, Refusal::Kind::condition);
    EXPECT_EQ(rows(), before);
    EXPECT_TRUE(accept(text)) << "whoever waits learns that it is the same";
}

// Takes along what it is offered, or nothing.
class FakeDepartures final : public Departures {
public:
    explicit FakeDepartures(bool takes) : takes_(takes) {}
    void offer(std::shared_ptr<Departure> departure) override {
        offered.push_back(departure->mail.id);
        message = departure->message;
        if (!takes_) return departure->stays(*departure);
        departure->leaves(*departure, Ok{});
    }
    std::vector<std::string> offered;
    std::string message;

private:
    const bool takes_;
};

TEST_F(OutboxTest, AMailThatIsDueIsOfferedToLeaveAtOnce) {
    for (const bool takes : {true, false}) {
        FakeDepartures departures(takes);
        outbox->leave_through(departures);
        const std::string text = R"({"from":"a@example.com","to":"b@example.org",)"
                                 R"("subject":"Ciao","text":"x"})";
        const auto accepted = accept_later(text);
        ASSERT_TRUE(accepted);
        EXPECT_EQ(departures.offered, std::vector<std::string>{accepted->id});
        EXPECT_NE(departures.message.find("Subject: Ciao"), std::string::npos);
        EXPECT_EQ(accepted->state, takes ? State::processing : State::ready);
        EXPECT_EQ(bool(*ledger->find(accepted->id)), !takes) << "who takes it writes it";
    }
}

TEST_F(OutboxTest, MailsForLaterBulkAndWhatNeedsFetchingAreQueued) {
    FakeDepartures departures(true);
    outbox->leave_through(departures);
    for (const char* more : {R"("send_at":"2025-11-20T10:00:01Z")", R"("stream":"bulk")",
                             R"("attachments":[{"path":"/d/n.txt"}])"}) {
        const std::string text = std::string(R"({"from":"a@example.com","to":"b@example.org",)") +
                                 R"("subject":"Ciao","text":"x",)" + more + "}";
        const auto accepted = accept_later(text);
        ASSERT_TRUE(accepted) << more;
        EXPECT_TRUE(*ledger->find(accepted->id)) << more;
    }
    EXPECT_TRUE(departures.offered.empty());
}

TEST_F(OutboxTest, ALaterMailIsDueThenAndKeptFromThenOn) {
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"send_at":"2025-12-20T10:00:00Z","stream":"bulk")")));
    const auto mail = found(mail_a);
    EXPECT_EQ(mail.first_due, *parse_rfc3339("2025-12-20T10:00:00Z"));
    EXPECT_EQ(mail.expires_seconds, to_unix_seconds(mail.first_due) + 30 * 24 * 3600);
    EXPECT_NE(message_of(mail_a).find("Date: Sat, 20 Dec 2025 10:00:00 +0000"), std::string::npos);
    EXPECT_TRUE(due("outbox.send.bulk").empty());
    clock.set(mail.first_due);
    EXPECT_EQ(due("outbox.send.bulk"), std::vector<std::string>{mail_a});
}

TEST_F(OutboxTest, KnowsWhetherACallbackIsToBeMade) {
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"callback_url":"https://example.com/hook")")));
    EXPECT_TRUE(found(mail_a).callback);
    options_of_outbox.callback_url = "https://example.com/all";
    restart();
    ASSERT_TRUE(accept(minimal(mail_b)));
    EXPECT_TRUE(found(mail_b).callback);
}

TEST_F(OutboxTest, WhatTheStoreCannotTakeIsRefusedAndLeavesNothing) {
    const auto before = rows();
    kv.fail_commits({Errc::unavailable, "the disk is full"});
    const auto refused = accept(minimal(mail_a));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::storage);
    EXPECT_EQ(Error(refused.error()).code, Errc::unavailable);
    EXPECT_EQ(refused.error().message.find("disk"), std::string::npos);
    kv.heal();
    restart();
    EXPECT_EQ(rows(), before);
    EXPECT_TRUE(accept(minimal(mail_a)));
}

TEST_F(OutboxTest, ACrashKeepsEveryAcceptedMailWhole) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    kv.crash();
    EXPECT_FALSE(accept(minimal(mail_b)));
    kv.restart();
    restart();
    EXPECT_EQ(found(mail_a).state, State::ready);
    EXPECT_FALSE(*ledger->find(mail_b));
    EXPECT_EQ(due("outbox.send.transactional"), std::vector<std::string>{mail_a});
}

TEST_F(OutboxTest, TooManyThatWaitAreTurnedAwayUntilSomeHaveLeft) {
    options_of_outbox.waiting_max = 2;
    restart();
    ASSERT_TRUE(accept(minimal(mail_a)));
    ASSERT_TRUE(accept(minimal(mail_b)));
    const auto third = minimal("33333333-2222-4333-8444-555555555555");
    const auto refused = accept(third);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::full);
    EXPECT_EQ(Error(refused.error()).code, Errc::throttled);
    EXPECT_FALSE(outbox->accept_all({{parsed(third), third}})[0]);
    EXPECT_FALSE(outbox->accept_raw({"", {}, "From: a@example.com\nTo: b@example.org\n\nx"},
                                    std::nullopt, Stream::bulk));
    ASSERT_TRUE(outbox->cancel(mail_a));
    clock.advance(std::chrono::seconds(1));
    EXPECT_TRUE(accept(third));
    clock.advance(std::chrono::hours(-1));
    EXPECT_FALSE(accept(minimal("44444444-2222-4333-8444-555555555555")));
}

TEST_F(OutboxTest, OfTwoAtOnceWithOneIdOneIsAccepted) {
    for (int round = 0; round < 20; ++round) {
        auto id = std::string(mail_a);
        id.replace(0, 2, std::to_string(10 + round));
        std::vector<std::optional<Result<Accepted, Refusal>>> results(4);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < results.size(); ++i) {
            threads.emplace_back([&, i] {
                results[i] = accept(minimal(id, R"(,"html":")" + std::to_string(i) + "\""));
            });
        }
        for (auto& thread : threads) thread.join();
        std::size_t accepted = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!*results[i]) {
                EXPECT_EQ((*results[i]).error().kind, Refusal::Kind::duplicate);
                continue;
            }
            ++accepted;
            EXPECT_EQ(**outbox->payload(found(id)),
                      minimal(id, R"(,"html":")" + std::to_string(i) + "\""));
        }
        EXPECT_EQ(accepted, 1u);
    }
}

TEST_F(OutboxTest, AcceptsAFinishedMessage) {
    const std::string text = "From: a@example.com\nTo: b@example.org\nBcc: c@example.org\n\nx";
    const auto accepted = outbox->accept_raw({"", {}, text}, mail_a, Stream::bulk);
    ASSERT_TRUE(accepted) << accepted.error().message;
    const auto mail = found(mail_a);
    EXPECT_EQ(mail.state, State::ready);
    EXPECT_EQ(mail.stream, Stream::bulk);
    EXPECT_EQ(mail.recipients.size(), 2u);
    EXPECT_EQ(message_of(mail_a).find("Bcc"), std::string::npos);
    const auto payload = **outbox->payload(mail);
    EXPECT_TRUE(payload.starts_with(
        R"({"raw":true,"sender":"a@example.com","recipients":["b@example.org","c@example.org"],)"))
        << payload;

    const auto again = outbox->accept_raw({"", {}, text}, mail_a, Stream::bulk);
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->is_new);
    const auto other = outbox->accept_raw({"", {}, text + "y"}, mail_a, Stream::bulk);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().kind, Refusal::Kind::duplicate);
    const auto bad_id = outbox->accept_raw({"", {}, text}, "A", Stream::bulk);
    ASSERT_FALSE(bad_id);
    EXPECT_EQ(bad_id.error().field, "id");
    const auto no_message = outbox->accept_raw({"", {}, "x"}, std::nullopt, Stream::bulk);
    ASSERT_FALSE(no_message);
    EXPECT_EQ(no_message.error().kind, Refusal::Kind::bad_field);
}

TEST_F(OutboxTest, AMailThatNamesNoRequestHasNone) {
    const auto payload = outbox->payload(Mail{});
    ASSERT_TRUE(payload) << payload.error().message;
    EXPECT_EQ(*payload, std::nullopt);
}

TEST_F(OutboxTest, OneSendKeyIsOneMailInTheCallersTransaction) {
    auto request = parsed(minimal(mail_a));
    request.id = std::nullopt;
    const SendKey key{"reminder:42:1"};
    schedule::Transaction first;
    const auto id = outbox->add_to(first, request, key);
    ASSERT_TRUE(id) << id.error().message;
    EXPECT_EQ(*id, mail_id_for(key));
    EXPECT_TRUE(is_mail_id(*id));
    EXPECT_EQ((*id)[14], '8');
    EXPECT_FALSE(*ledger->find(*id));
    ASSERT_TRUE(schedule->commit(first));
    EXPECT_EQ(found(*id).state, State::ready);

    schedule::Transaction second;
    second.put("EmailOutbox", {{"Id", "x"}, {"Status", "other"}});
    ASSERT_TRUE(outbox->add_to(second, request, key));
    const auto refused = schedule->commit(second);
    ASSERT_FALSE(refused);
    EXPECT_EQ(Error(refused.error()).code, Errc::conflict);
    EXPECT_FALSE(row("x", "other"));
    EXPECT_EQ(**outbox->payload(found(*id)), payload_of(request));
    request.to.clear();
    const auto nobody = outbox->add_to(second, request, {"reminder:42:2"});
    ASSERT_FALSE(nobody);
    EXPECT_EQ(nobody.error().field, "to");
    EXPECT_NE(mail_id_for(key), mail_id_for({"reminder:42:2"}));
}

TEST_F(OutboxTest, StatsTellCountsAndTheOldest) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    const auto first = clock.now();
    clock.advance(std::chrono::minutes(1));
    ASSERT_TRUE(accept(minimal(mail_b)));
    const auto stats = outbox->stats();
    ASSERT_TRUE(stats) << stats.error().message;
    EXPECT_EQ(stats->counts.by_state[static_cast<std::size_t>(State::ready)], 2);
    ASSERT_EQ(stats->oldest.size(), 1u);
    EXPECT_EQ(stats->oldest[0], std::pair(State::ready, first));
}

}  // namespace
}  // namespace mailroom::outbox
