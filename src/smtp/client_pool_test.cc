// Kept connections, and many mails at once.
#include "net/silent_server.h"
#include "smtp/client_for_tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::smtp {
namespace {

// Counts outcomes as they come in.
class Outcomes {
public:
    Client::Done one_more() {
        const std::lock_guard lock(mutex_);
        ++expected_;
        return [this](Delivery delivery) {
            const std::lock_guard inner(mutex_);
            briefs_.push_back(brief(delivery.recipients.at(0).verdict));
            arrived_.notify_all();
        };
    }
    void wait() {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(arrived_.wait_for(lock, std::chrono::seconds(30),
                                      [this] { return briefs_.size() == expected_; }));
    }
    void wait_for_first() {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(
            arrived_.wait_for(lock, std::chrono::seconds(30), [this] { return !briefs_.empty(); }));
    }
    long count(std::string_view text) {
        const std::lock_guard lock(mutex_);
        return std::ranges::count(briefs_, text);
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::size_t expected_ = 0;
    std::vector<std::string> briefs_;
};

void submit(Client& client, const Target& target, Outcomes& outcomes) {
    const auto shared = std::make_shared<const Target>(target);
    EXPECT_TRUE(client.send(shared, mail_to({"a@x.example"}), outcomes.one_more()));
}

TEST(ClientPool, UsesAConnectionForSoManyMails) {
    ScriptedPeer peer([](PeerConnection& connection) { serve(connection, {}); });
    {
        const auto client = make_client();
        auto target = target_at(peer.port());
        target.limits.messages_per_connection_max = 3;
        for (int i = 0; i < 7; ++i) {
            const auto delivery = send(*client, target, mail_to({"a@x.example"}));
            EXPECT_EQ(brief(delivery.recipients[0].verdict), "accepted message 250");
        }
        EXPECT_EQ(client->stats().opened, 3u);
        EXPECT_EQ(client->stats().reused, 4u);
    }
    EXPECT_EQ(peer.connections(), 3);
}

TEST(ClientPool, OpensNoMoreConnectionsThanAllowed) {
    std::atomic<int> open = 0, most = 0;
    ScriptedPeer peer([&](PeerConnection& connection) {
        const int now = ++open;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) continue;
        serve(connection, {});
        --open;
    });
    const auto client = make_client();
    auto target = target_at(peer.port());
    target.limits.connections_max = 4;
    Outcomes outcomes;
    for (int i = 0; i < 200; ++i) submit(*client, target, outcomes);
    outcomes.wait();
    EXPECT_EQ(outcomes.count("accepted message 250"), 200);
    EXPECT_LE(most, 4);
    EXPECT_GT(most, 1);
}

TEST(ClientPool, LeavesAConnectionThatIsIdleForTooLong) {
    std::promise<std::string> last_words;
    ScriptedPeer peer([&](PeerConnection& connection) {
        serve(connection, {});
        last_words.set_value(connection.heard().back());
    });
    const auto client = make_client();
    auto target = target_at(peer.port());
    target.limits.idle_max = std::chrono::milliseconds(20);
    send(*client, target, mail_to({"a@x.example"}));
    EXPECT_EQ(last_words.get_future().get(), "QUIT");
}

// The server ends the connection after the first mail, in different ways; the second mail must go
// all the same, once.
TEST(ClientPool, ADeadConnectionCostsNoMailAndDoublesNone) {
    for (const std::string_view ending : {"at once", "on MAIL", "421 on MAIL", "on DATA"}) {
        SCOPED_TRACE(ending);
        std::atomic<int> messages = 0;
        ScriptedPeer peer([&](PeerConnection& connection) {
            if (connection.number() > 0) {
                messages += static_cast<int>(serve(connection, {}).size());
                return;
            }
            connection.say("220 peer\r\n");
            connection.hear();
            connection.say("250 peer\r\n");
            for (int i = 0; i < 3; ++i) {
                connection.hear();
                connection.say(i < 2 ? "250 ok\r\n" : "354 go on\r\n");
            }
            connection.hear_message();
            ++messages;
            connection.say("250 taken\r\n");
            if (ending == "at once") return;
            connection.hear();
            if (ending == "421 on MAIL") connection.say("421 enough\r\n");
            if (ending != "on DATA") return;
            connection.say("250 ok\r\n");
            connection.hear();
            connection.say("250 ok\r\n");
            connection.hear();
        });
        {
            const auto client = make_client();
            const auto target = target_at(peer.port());
            for (int i = 0; i < 2; ++i) {
                const auto delivery = send(*client, target, mail_to({"a@x.example"}));
                EXPECT_EQ(brief(delivery.recipients[0].verdict), "accepted message 250");
            }
            EXPECT_EQ(client->stats().opened, 2u);
        }
        peer.finish();
        EXPECT_EQ(messages, 2);
    }
}

TEST(ClientPool, ALostMessageOnAKeptConnectionIsNotSentAgain) {
    ScriptedPeer peer([&](PeerConnection& connection) {
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250 peer\r\n");
        for (int mail = 0; mail < 2; ++mail) {
            for (int i = 0; i < 3; ++i) {
                connection.hear();
                connection.say(i < 2 ? "250 ok\r\n" : "354 go on\r\n");
            }
            connection.hear_message();
            if (mail == 0) connection.say("250 taken\r\n");
        }
    });
    const auto client = make_client();
    const auto target = target_at(peer.port());
    send(*client, target, mail_to({"a@x.example"}));
    const auto second = send(*client, target, mail_to({"a@x.example"}));
    EXPECT_EQ(brief(second.recipients[0].verdict), "unknown message 0");
    EXPECT_EQ(peer.connections(), 1);
}

TEST(ClientPool, MakesDoWithTheConnectionsAServerBears) {
    ScriptedPeer peer([](PeerConnection& connection) {
        if (connection.number() == 0) {
            serve(connection, {});
        } else {
            connection.say("421 too many connections\r\n");
        }
    });
    const auto client = make_client();
    auto target = target_at(peer.port());
    target.limits.connections_max = 8;
    const auto first = send(*client, target, mail_to({"a@x.example"}));
    EXPECT_EQ(brief(first.recipients[0].verdict), "accepted message 250");
    Outcomes outcomes;
    for (int i = 0; i < 50; ++i) submit(*client, target, outcomes);
    outcomes.wait();
    EXPECT_EQ(outcomes.count("accepted message 250"), 50);
}

TEST(ClientPool, AMailThatGotNoConnectionOfItsOwnGoesOverAnIdleOne) {
    std::promise<void> idle;
    // Shared: on a busy machine there may be a third connection.
    ScriptedPeer peer([first_is_idle = idle.get_future().share()](PeerConnection& connection) {
        if (connection.number() == 0) {
            serve(connection, {});
        } else {
            first_is_idle.wait();
            connection.say("421 too many connections\r\n");
        }
    });
    const auto client = make_client();
    auto target = target_at(peer.port());
    target.limits.idle_max = std::chrono::minutes(10);
    send(*client, target, mail_to({"a@x.example"}));
    // Either of them may get the connection that is there.
    Outcomes both;
    submit(*client, target, both);
    submit(*client, target, both);
    both.wait_for_first();
    idle.set_value();
    both.wait();
    EXPECT_EQ(both.count("accepted message 250"), 2);
}

TEST(ClientPool, FailsThoseWhoWaitForAServerThatDoesNotAnswer) {
    ScriptedPeer peer([](PeerConnection& connection) { connection.wait_for_leaving(); });
    const auto client = make_client();
    auto target = impatient(target_at(peer.port()));
    target.limits.connections_max = 1;
    Outcomes outcomes;
    for (int i = 0; i < 100; ++i) submit(*client, target, outcomes);
    outcomes.wait();
    EXPECT_EQ(outcomes.count("refused_for_now greeting 0"), 100);
    EXPECT_LE(peer.connections(), 3);
}

TEST(ClientPool, TakesNoMoreThanItMayHold) {
    ScriptedPeer peer([](PeerConnection& connection) { connection.wait_for_leaving(); });
    auto client = Client::create({.pending_max = 2});
    ASSERT_TRUE(client);
    const auto target = std::make_shared<const Target>(target_at(peer.port()));
    Outcomes outcomes;
    for (int i = 0; i < 2; ++i) submit(**client, *target, outcomes);
    const auto third = (*client)->send(target, mail_to({"a@x.example"}), [](Delivery) { FAIL(); });
    ASSERT_FALSE(third);
    EXPECT_EQ(third.error().code, Errc::throttled);
    (*client)->stop(std::chrono::milliseconds(0));
    outcomes.wait();
}

TEST(ClientPool, StoppingSettlesEverything) {
    // The first mail waits for the answer to its final dot, the second for a connection.
    std::promise<void> dot;
    ScriptedPeer peer([&](PeerConnection& connection) {
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250-peer\r\n250 PIPELINING\r\n");
        for (int i = 0; i < 3; ++i) connection.hear();
        connection.say("250 ok\r\n250 ok\r\n354 go on\r\n");
        connection.hear_message();
        dot.set_value();
        connection.wait_for_leaving();
    });
    const auto client = make_client();
    auto target = target_at(peer.port());
    target.limits.connections_max = 1;
    Outcomes outcomes;
    submit(*client, target, outcomes);
    submit(*client, target, outcomes);
    dot.get_future().wait();
    client->stop(std::chrono::milliseconds(10));
    outcomes.wait();
    EXPECT_EQ(outcomes.count("unknown message 0"), 1);
    EXPECT_EQ(outcomes.count("refused_for_now check 0"), 1);
    const auto shared = std::make_shared<const Target>(target);
    const auto late = client->send(shared, mail_to({"a@x.example"}), [](Delivery) { FAIL(); });
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, Errc::unavailable);
}

TEST(ClientPool, StoppingLetsWhatIsUnderWayFinish) {
    std::promise<void> under_way;
    ScriptedPeer peer([&](PeerConnection& connection) {
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250-peer\r\n250 PIPELINING\r\n");
        for (int i = 0; i < 3; ++i) connection.hear();
        connection.say("250 ok\r\n250 ok\r\n354 go on\r\n");
        under_way.set_value();
        connection.hear_message();
        connection.say("250 taken\r\n");
        connection.wait_for_leaving();
    });
    const auto client = make_client();
    Outcomes outcomes;
    submit(*client, target_at(peer.port()), outcomes);
    under_way.get_future().wait();
    client->stop(std::chrono::seconds(10));
    outcomes.wait();
    EXPECT_EQ(outcomes.count("accepted message 250"), 1);
}

TEST(ClientPool, StoppingHangsUpWhereNothingOfAMailHasLeft) {
    const net::SilentServer silent;
    const auto client = make_client();
    auto target = target_at(silent.port());
    target.timeouts.greeting = std::chrono::hours(1);
    Outcomes outcomes;
    for (int i = 0; i < 3; ++i) submit(*client, target, outcomes);
    while (silent.connections() == 0) std::this_thread::yield();
    client->stop(std::chrono::hours(1));
    outcomes.wait();
    EXPECT_EQ(outcomes.count("refused_for_now check 0"), 3) << "as if nobody had been asked";
}

// How often was asked, and how many wait for the answer.
class Asked {
public:
    Mail mail() {
        auto mail = mail_to({"a@x.example"});
        mail.ask_ahead = true;
        mail.before_end = [this](const auto&, std::function<void(Leave)> answer) {
            const std::lock_guard lock(mutex_);
            ++count_;
            more_.notify_all();
            if (!holding_) return answer([] { return true; });
            held_.push_back(std::move(answer));
        };
        return mail;
    }
    void hold() {
        const std::lock_guard lock(mutex_);
        holding_ = true;
    }
    void let_go() {
        const std::lock_guard lock(mutex_);
        holding_ = false;
        for (auto& answer : std::exchange(held_, {})) answer([] { return true; });
    }
    std::size_t count() const {
        const std::lock_guard lock(mutex_);
        return count_;
    }
    bool comes_to(std::size_t wanted) const {
        std::unique_lock lock(mutex_);
        more_.wait_for(lock, std::chrono::seconds(30), [&] { return count_ >= wanted; });
        return count_ == wanted;
    }

private:
    mutable std::mutex mutex_;
    mutable std::condition_variable more_;
    std::size_t count_ = 0;
    bool holding_ = false;
    std::vector<std::function<void(Leave)>> held_;
};

TEST(ClientPool, AsksAheadForOneMailOnEachOpenConnectionAndForNoneBefore) {
    std::promise<void> greet, answer;
    const auto greeting = greet.get_future().share(), first_answer = answer.get_future().share();
    ScriptedPeer peer([&](PeerConnection& connection) {
        greeting.wait();
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250-peer\r\n250 PIPELINING\r\n");
        for (int mail = 0; mail < 5; ++mail) {
            for (int i = 0; i < 3; ++i) connection.hear();
            connection.say("250 ok\r\n250 ok\r\n354 go on\r\n");
            connection.hear_message();
            if (mail == 0) first_answer.wait();
            connection.say("250 taken\r\n");
        }
    });
    Asked asked;
    Outcomes outcomes;
    const auto client = make_client();
    auto target = target_at(peer.port());
    target.limits.connections_max = 1;
    const auto shared = std::make_shared<const Target>(target);
    for (int i = 0; i < 5; ++i)
        EXPECT_TRUE(client->send(shared, asked.mail(), outcomes.one_more()));
    while (peer.connections() == 0) std::this_thread::yield();
    EXPECT_EQ(asked.count(), 0U) << "nobody has greeted us";
    greet.set_value();
    EXPECT_TRUE(asked.comes_to(2)) << "the first one, and the one after it";
    answer.set_value();
    outcomes.wait();
    EXPECT_EQ(outcomes.count("accepted message 250"), 5);
    EXPECT_EQ(asked.count(), 5U) << "each once";
}

TEST(ClientPool, AMailThatWasAskedAheadIsNotGivenUpBeforeTheAnswerHasCome) {
    std::promise<void> hang_up;
    const auto end_of_peer = hang_up.get_future().share();
    auto peer = std::make_unique<ScriptedPeer>([&](PeerConnection& connection) {
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250-peer\r\n250 PIPELINING\r\n");
        for (int i = 0; i < 3; ++i) connection.hear();
        end_of_peer.wait();
        connection.hang_up();
    });
    Asked asked;
    Outcomes outcomes;
    auto client = make_client();
    auto target = target_at(peer->port());
    target.limits.connections_max = 1;
    const auto shared = std::make_shared<const Target>(target);
    asked.hold();
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(client->send(shared, asked.mail(), outcomes.one_more()));
    EXPECT_TRUE(asked.comes_to(2)) << asked.count();
    std::thread end([&] { client->stop(std::chrono::milliseconds(0)); });
    asked.let_go();
    hang_up.set_value();
    outcomes.wait();
    end.join();
    client.reset();
    EXPECT_EQ(outcomes.count("accepted message 250"), 0);
}

}  // namespace
}  // namespace mailroom::smtp
