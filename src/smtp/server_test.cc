#include "smtp/server.h"

#include "base/scratch_directory.h"
#include "smtp/server_client_for_tests.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace mailroom::smtp {
namespace {

using namespace std::chrono_literals;

// Keeps what it takes; with `hold`, only when told to.
class Shelf final : public Receiver {
public:
    void authenticate(const Peer&, const Credentials& credentials, Answer answer) override {
        ++login_count;
        if (credentials.password == "secret") return answer.accept();
        auto refusal = Decision::refuse(535, {5, 7, 8}, "No");
        refusal.delay = login_delay;
        answer(std::move(refusal));
    }
    void take(Message message, Answer answer) override {
        const std::lock_guard lock(mutex_);
        messages_.push_back(std::move(message));
        if (hold) {
            held_.push_back(std::move(answer));
        } else {
            answer.accept();
        }
    }
    void ended(const Peer&) override { ++ended_count; }

    std::size_t count() const {
        const std::lock_guard lock(mutex_);
        return messages_.size();
    }
    Message message(std::size_t index) const {
        const std::lock_guard lock(mutex_);
        return messages_[index];
    }
    std::deque<Answer> take_held() {
        const std::lock_guard lock(mutex_);
        return std::exchange(held_, {});
    }
    // Answers everything held, once there are so many.
    void release(std::size_t count) {
        std::deque<Answer> all;
        while (all.size() < count) {
            for (auto& answer : take_held()) all.push_back(std::move(answer));
            std::this_thread::yield();
        }
        for (auto& answer : all) answer.accept();
    }

    std::chrono::milliseconds login_delay{0};  // Of a refusal. Set before use.
    std::atomic<bool> hold = false;
    std::atomic<int> ended_count = 0, login_count = 0;

private:
    mutable std::mutex mutex_;
    std::vector<Message> messages_;
    std::deque<Answer> held_;
};

class ServerTest : public testing::Test {
protected:
    void start(ServerSettings settings = {}) {
        settings.limits.sweep_interval = 10ms;
        settings.limits.linger_max = 200ms;
        Server::Options options{.settings = std::move(settings)};
        if (options.settings.tls != TlsPolicy::off) {
            const auto certificate = directory_ / "certificate.pem";
            const auto key = directory_ / "key.pem";
            write_certificate(certificate, key);
            auto context = net::TlsServerContext::create(
                {.certificate_file = certificate.string(), .key_file = key.string()});
            ASSERT_TRUE(context) << context.error().message;
            options.tls = *context;
        }
        auto server = Server::listen(std::move(options), shelf_, clock_, random_);
        ASSERT_TRUE(server) << server.error().message;
        server_ = *std::move(server);
    }
    void wait_until(const std::function<bool()>& condition) {
        for (int i = 0; i < 2000; ++i) {
            if (condition()) return;
            timespec pause = {0, 5'000'000};
            ::nanosleep(&pause, nullptr);
        }
        FAIL() << "it did not happen";
    }
    std::string send_mail(RawClient& client,
                          std::string_view body = "Subject: x\r\n\r\nhello\r\n") {
        client.send("MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n");
        client.reply();
        client.reply();
        const auto go_on = client.reply();
        if (!go_on.starts_with("354")) return go_on;
        client.send(body);
        return client.ask(".");
    }

    const ScratchDirectory directory_;
    const SystemClock clock_;
    SystemRandom random_;
    Shelf shelf_;
    std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, TakesMailsOverOneConnection) {
    start();
    RawClient client(server_->port());
    EXPECT_TRUE(client.reply().starts_with("220 localhost"));
    EXPECT_EQ(client.ask("EHLO x"), "250 HELP");
    EXPECT_TRUE(send_mail(client).starts_with("250 2.0.0 Stored as"));
    EXPECT_TRUE(send_mail(client).starts_with("250 2.0.0 Stored as"));
    EXPECT_EQ(client.ask("QUIT"), "221 2.0.0 Goodbye");
    EXPECT_EQ(client.rest(), "");
    ASSERT_EQ(shelf_.count(), 2u);
    EXPECT_EQ(shelf_.message(0).peer.address, "127.0.0.1");
    EXPECT_EQ(shelf_.message(0).data, "Subject: x\r\n\r\nhello\r\n");
    wait_until([&] { return shelf_.ended_count == 1; });
    EXPECT_EQ(server_->stats().messages, 2u);
}

TEST_F(ServerTest, SaysStoredOnlyAfterTheReceiverDid) {
    start();
    shelf_.hold = true;
    RawClient client(server_->port());
    client.reply();
    client.ask("HELO x");
    // The NOOP's reply waits for its turn.
    client.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\nx\r\n.\r\nNOOP\r\n");
    for (int i = 0; i < 3; ++i) client.reply();
    wait_until([&] { return shelf_.count() == 1; });
    char byte = 0;
    EXPECT_EQ(::recv(client.socket(), &byte, 1, MSG_DONTWAIT), -1);
    shelf_.release(1);
    EXPECT_TRUE(client.reply().starts_with("250 2.0.0 Stored as"));
    EXPECT_EQ(client.reply(), "250 2.0.0 OK");
}

TEST_F(ServerTest, AnUnansweredQuestionIsRefusedForNow) {
    start();
    shelf_.hold = true;
    RawClient client(server_->port());
    client.reply();
    client.ask("HELO x");
    client.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\nx\r\n.\r\n");
    for (int i = 0; i < 3; ++i) client.reply();
    wait_until([&] { return !shelf_.take_held().empty(); });
    EXPECT_TRUE(client.reply().starts_with("451 4.3.0"));
}

TEST_F(ServerTest, UpgradesToTlsAndDropsWhatWasInjectedBefore) {
    start({.tls = TlsPolicy::offered, .auth = AuthPolicy::offered});
    RawClient client(server_->port());
    client.reply();
    client.ask("EHLO x");
    EXPECT_TRUE(client.ask("AUTH PLAIN AGFubgBzZWNyZXQ=").starts_with("538"));
    EXPECT_EQ(client.ask("STARTTLS"), "220 2.0.0 Ready for TLS");
    ASSERT_TRUE(client.start_tls());
    EXPECT_TRUE(client.ask("MAIL FROM:<>").starts_with("503"));
    client.ask("EHLO x");
    EXPECT_EQ(client.ask("AUTH PLAIN AGFubgBzZWNyZXQ="), "235 2.7.0 Authenticated");
    const std::string body(1 << 20, 'x');
    std::string lines;
    for (std::size_t at = 0; at < body.size(); at += 64) lines += body.substr(at, 64) + "\r\n";
    EXPECT_TRUE(send_mail(client, lines).starts_with("250"));
    ASSERT_EQ(shelf_.count(), 1u);
    EXPECT_EQ(shelf_.message(0).data, lines);
    EXPECT_EQ(shelf_.message(0).peer.user, "ann");
    EXPECT_TRUE(shelf_.message(0).peer.tls.starts_with("TLSv1.3 "));

    // A handshake does not come: the bytes are no handshake.
    RawClient attacker(server_->port());
    attacker.reply();
    attacker.ask("EHLO x");
    attacker.send("STARTTLS\r\nMAIL FROM:<x@evil.example>\r\n");
    EXPECT_EQ(attacker.reply(), "220 2.0.0 Ready for TLS");
    ASSERT_TRUE(attacker.start_tls());
    EXPECT_EQ(attacker.ask("NOOP"), "250 2.0.0 OK");
}

TEST_F(ServerTest, SpeaksTlsFromTheStartWhereTold) {
    start({.tls = TlsPolicy::implicit});
    RawClient client(server_->port());
    ASSERT_TRUE(client.start_tls());
    EXPECT_TRUE(client.reply().starts_with("220 "));
    client.ask("EHLO x");
    EXPECT_TRUE(send_mail(client).starts_with("250"));
    RawClient clear(server_->port());
    clear.send("EHLO x\r\n");
    EXPECT_EQ(clear.rest().find("220"), std::string::npos);
}

// In the middle of a message.
void begin_message(RawClient& client) {
    EXPECT_TRUE(client.reply().starts_with("220"));
    EXPECT_TRUE(client.ask("EHLO c").starts_with("250"));
    EXPECT_TRUE(client.ask("MAIL FROM:<a@example.com>").starts_with("250"));
    EXPECT_TRUE(client.ask("RCPT TO:<b@example.org>").starts_with("250"));
    EXPECT_TRUE(client.ask("DATA").starts_with("354"));
}

TEST_F(ServerTest, LimitsConnectionsInAllAndPerAddress) {
    struct Case {
        std::size_t ServerLimits::*limit;
        std::string_view want;
    };
    const Case cases[] = {
        {&ServerLimits::connections_max, "421 4.3.2 Too many connections, try again later\r\n"},
        {&ServerLimits::connections_per_address_max,
         "421 4.7.0 Too many connections from your address\r\n"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.want);
        ServerSettings settings;
        settings.limits.*c.limit = 2;
        start(settings);
        auto first = std::make_unique<RawClient>(server_->port());
        RawClient second(server_->port());
        begin_message(*first);
        begin_message(second);
        RawClient third(server_->port());
        EXPECT_EQ(third.rest(), c.want) << "nobody with a message gives way";
        first.reset();
        wait_until([&] { return server_->stats().connections == 1; });
        RawClient fourth(server_->port());
        EXPECT_TRUE(fourth.reply().starts_with("220"));
        EXPECT_EQ(server_->stats().turned_away, 1u);
        server_.reset();
    }
}

TEST_F(ServerTest, SilentConnectionsGiveWayThoseThatHaveNotLoggedInFirst) {
    ServerSettings settings;
    settings.auth = AuthPolicy::required;
    settings.auth_without_tls = true;
    settings.limits.connections_per_address_max = 5;
    start(settings);
    RawClient known(server_->port());
    EXPECT_TRUE(known.reply().starts_with("220"));
    EXPECT_TRUE(known.ask("EHLO c").starts_with("250"));
    EXPECT_TRUE(known.ask("AUTH PLAIN AHUAc2VjcmV0").starts_with("235"));
    std::vector<std::unique_ptr<RawClient>> silent;
    for (int i = 0; i < 100; ++i) {
        silent.push_back(std::make_unique<RawClient>(server_->port()));
        EXPECT_TRUE(silent.back()->reply().starts_with("220")) << i;
    }
    EXPECT_EQ(silent.front()->rest(), "421 4.3.2 Others wait for this connection; come again\r\n");
    EXPECT_EQ(server_->stats().turned_away, 0u);
    EXPECT_LE(server_->stats().connections, 5u);
    EXPECT_TRUE(known.ask("NOOP").starts_with("250")) << "who logged in is still there";
}

TEST_F(ServerTest, WhoDoesNotLogInIsSentAwayWhateverTheySay) {
    ServerSettings settings;
    settings.auth = AuthPolicy::required;
    settings.auth_without_tls = true;
    settings.limits.login_max = 50ms;
    start(settings);
    RawClient client(server_->port());
    EXPECT_TRUE(client.reply().starts_with("220"));
    for (int i = 0; i < 3; ++i) client.send("NOOP\r\n");
    EXPECT_TRUE(client.rest().ends_with("421 4.4.2 No login for too long\r\n"));
}

TEST_F(ServerTest, WhoGuessesPasswordsHoldsNoPlaceWhileTheAnswerIsDelayed) {
    ServerSettings settings;
    settings.auth = AuthPolicy::required;
    settings.auth_without_tls = true;
    settings.limits.connections_per_address_max = 5;
    start(settings);
    shelf_.login_delay = std::chrono::hours(1);
    std::vector<std::unique_ptr<RawClient>> guessing;
    for (int i = 0; i < 5; ++i) {
        guessing.push_back(std::make_unique<RawClient>(server_->port()));
        EXPECT_TRUE(guessing.back()->reply().starts_with("220")) << i;
        EXPECT_TRUE(guessing.back()->ask("EHLO c").starts_with("250"));
        guessing.back()->send("AUTH PLAIN AGFubgB3cm9uZw==\r\n");
    }
    wait_until([&] { return shelf_.login_count == 5; });
    RawClient neighbour(server_->port());
    EXPECT_TRUE(neighbour.reply().starts_with("220"));
    EXPECT_EQ(guessing.front()->rest(),
              "421 4.3.2 Others wait for this connection; come again\r\n");
    EXPECT_EQ(server_->stats().turned_away, 0u);
    EXPECT_EQ(server_->stats().connections, 5u);
}

TEST_F(ServerTest, WhoGuessesPasswordsIsSentAwayWhileTheAnswerIsDelayed) {
    ServerSettings settings;
    settings.auth = AuthPolicy::required;
    settings.auth_without_tls = true;
    settings.limits.login_max = 50ms;
    start(settings);
    shelf_.login_delay = std::chrono::hours(1);
    RawClient client(server_->port());
    EXPECT_TRUE(client.reply().starts_with("220"));
    EXPECT_TRUE(client.ask("EHLO c").starts_with("250"));
    client.send("AUTH PLAIN AGFubgB3cm9uZw==\r\n");
    EXPECT_EQ(client.rest(), "421 4.4.2 No login for too long\r\n");
}

TEST_F(ServerTest, ANewCertificateIsUsedFromTheNextConnectionOn) {
    ServerSettings settings;
    settings.tls = TlsPolicy::implicit;
    start(settings);
    RawClient before(server_->port());
    ASSERT_TRUE(before.start_tls());
    const auto serial = before.certificate();
    const auto certificate = directory_ / "new.pem", key = directory_ / "new_key.pem";
    write_certificate(certificate, key);
    server_->use(*net::TlsServerContext::create({certificate.string(), key.string()}));
    RawClient after(server_->port());
    ASSERT_TRUE(after.start_tls());
    EXPECT_NE(after.certificate(), serial);
    EXPECT_TRUE(before.reply().starts_with("220")) << "the old connection goes on";
}

TEST_F(ServerTest, SlowClientsAreSentAway) {
    ServerSettings settings;
    settings.limits.idle_max = 300ms;
    settings.limits.data_max = 300ms;
    settings.limits.data_bytes_per_second_min = 1'000'000;
    settings.limits.tls_handshake_max = 300ms;
    settings.tls = TlsPolicy::offered;
    start(settings);
    RawClient idle(server_->port()), dripping(server_->port()), slow(server_->port()),
        mute(server_->port());
    for (auto* client : {&idle, &dripping, &slow, &mute}) client->reply();
    slow.ask("EHLO x");
    slow.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\n");
    for (int i = 0; i < 3; ++i) slow.reply();
    mute.ask("STARTTLS");
    std::thread drip([&] {
        // Single bytes are no progress.
        for (int i = 0; i < 100 && server_->stats().timed_out < 4; ++i) {
            dripping.send("x");
            slow.send("x");
            timespec pause = {0, 20'000'000};
            ::nanosleep(&pause, nullptr);
        }
    });
    EXPECT_EQ(idle.rest(), "421 4.4.2 No command for too long\r\n");
    EXPECT_EQ(dripping.rest(), "421 4.4.2 No command for too long\r\n");
    EXPECT_EQ(slow.rest(), "421 4.4.2 The message arrives too slowly\r\n");
    EXPECT_EQ(mute.rest(), "");
    drip.join();
    EXPECT_EQ(server_->stats().timed_out, 4u);
}

TEST_F(ServerTest, ClientsThatDoNotReadAreSentAway) {
    ServerSettings settings;
    settings.limits.write_max = 200ms;
    settings.limits.idle_commands_max = SIZE_MAX;
    settings.limits.commands_max = SIZE_MAX;
    settings.limits.errors_max = SIZE_MAX;  // Commands are cut where the socket is full.
    start(settings);
    RawClient client(server_->port());
    client.reply();
    timeval timeout = {};
    timeout.tv_usec = 100'000;
    ::setsockopt(client.socket(), SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    std::string commands;
    for (int i = 0; i < 10'000; ++i) commands += "HELP\r\n";
    wait_until([&] {
        client.send(commands);
        return server_->stats().connections == 0;
    });
    EXPECT_EQ(server_->stats().timed_out, 1u);
}

TEST_F(ServerTest, ASlowReceiverCostsTheClientItsPatienceOnly) {
    ServerSettings settings;
    settings.limits.answer_max = 100ms;
    start(settings);
    shelf_.hold = true;
    RawClient client(server_->port());
    client.reply();
    client.ask("HELO x");
    client.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\nx\r\n.\r\n");
    for (int i = 0; i < 3; ++i) client.reply();
    EXPECT_EQ(client.rest(), "451 4.3.0 The request took too long to handle\r\n");
    shelf_.release(1);
    RawClient other(server_->port());
    EXPECT_TRUE(other.reply().starts_with("220"));
}

TEST_F(ServerTest, GreetsLateAndRefusesThoseWhoDoNotWait) {
    start({.early_talkers = EarlyTalkers::refuse, .greeting_delay = 50ms});
    RawClient rude(server_->port());
    rude.send("EHLO x\r\n");
    EXPECT_EQ(rude.rest(), "554 You spoke before the greeting\r\n");
    RawClient polite(server_->port());
    EXPECT_TRUE(polite.reply().starts_with("220"));
    EXPECT_EQ(polite.ask("EHLO x"), "250 HELP");
}

TEST_F(ServerTest, StopFinishesMessagesInHandAndEndsTheRest) {
    start();
    shelf_.hold = true;
    RawClient idle(server_->port()), storing(server_->port());
    idle.reply();
    storing.reply();
    storing.ask("HELO x");
    storing.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\nx\r\n.\r\n");
    for (int i = 0; i < 3; ++i) storing.reply();
    wait_until([&] { return shelf_.count() == 1; });
    std::size_t dropped = 1;
    std::thread stopper([&] { dropped = server_->stop(20s); });
    EXPECT_EQ(idle.reply(), "421 4.3.2 The server is stopping");
    shelf_.release(1);
    EXPECT_TRUE(storing.reply().starts_with("250 2.0.0 Stored"));
    EXPECT_EQ(storing.reply(), "421 4.3.2 The server is stopping");
    stopper.join();
    EXPECT_EQ(dropped, 0u);
    EXPECT_EQ(server_->stop(1s), 0u);
}

TEST_F(ServerTest, StopUnderLoadLosesNoAcknowledgedMail) {
    start();
    std::atomic<std::size_t> acknowledged = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i) {
        clients.emplace_back([&] {
            RawClient client(server_->port());
            client.reply();
            client.ask("HELO x");
            while (send_mail(client).starts_with("250")) ++acknowledged;
        });
    }
    wait_until([&] { return acknowledged > 100; });
    EXPECT_EQ(server_->stop(20s), 0u);
    for (auto& client : clients) client.join();
    EXPECT_EQ(shelf_.count(), acknowledged);
}

TEST_F(ServerTest, WhatIsNotDoneInTimeIsDropped) {
    start();
    shelf_.hold = true;
    RawClient client(server_->port());
    client.reply();
    client.ask("HELO x");
    client.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\nx\r\n.\r\n");
    wait_until([&] { return shelf_.count() == 1; });
    EXPECT_EQ(server_->stop(10ms), 1u);
    shelf_.release(1);  // Too late, and harmless.
}

TEST_F(ServerTest, RefusesToListenWhereItCannot) {
    const auto listen = [&](Server::Options options) {
        auto server = Server::listen(std::move(options), shelf_, clock_, random_);
        return server ? "listens" : server.error().message;
    };
    EXPECT_EQ(listen({.host = "mail.example"}), "\"mail.example\" is not an address to listen on");
    EXPECT_EQ(listen({.settings = {.tls = TlsPolicy::offered}}),
              "TLS is wanted, and there is no certificate");
    start();
    EXPECT_EQ(listen({.port = server_->port()}).substr(0, 23), "cannot listen on 127.0.");
}

}  // namespace
}  // namespace mailroom::smtp
