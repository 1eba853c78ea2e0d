// Whom the server turns away, and whom it sends away later.
#include "smtp/server_fixture.h"

namespace mailroom::smtp {
namespace {

using namespace std::chrono_literals;

class ServerLimitsTest : public ServerTest {};

// In the middle of a message.
void begin_message(RawClient& client) {
    EXPECT_TRUE(client.reply().starts_with("220"));
    EXPECT_TRUE(client.ask("EHLO c").starts_with("250"));
    EXPECT_TRUE(client.ask("MAIL FROM:<a@example.com>").starts_with("250"));
    EXPECT_TRUE(client.ask("RCPT TO:<b@example.org>").starts_with("250"));
    EXPECT_TRUE(client.ask("DATA").starts_with("354"));
}

TEST_F(ServerLimitsTest, LimitsConnectionsInAllAndPerAddress) {
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

TEST_F(ServerLimitsTest, SilentConnectionsGiveWayThoseThatHaveNotLoggedInFirst) {
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

TEST_F(ServerLimitsTest, WhoDoesNotLogInIsSentAwayWhateverTheySay) {
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

TEST_F(ServerLimitsTest, WhoGuessesPasswordsHoldsNoPlaceWhileTheAnswerIsDelayed) {
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

TEST_F(ServerLimitsTest, WhoGuessesPasswordsIsSentAwayWhileTheAnswerIsDelayed) {
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

TEST_F(ServerLimitsTest, SlowClientsAreSentAway) {
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

TEST_F(ServerLimitsTest, ClientsThatDoNotReadAreSentAway) {
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

TEST_F(ServerLimitsTest, ASlowReceiverCostsTheClientItsPatienceOnly) {
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

TEST_F(ServerLimitsTest, GreetsLateAndRefusesThoseWhoDoNotWait) {
    start({.early_talkers = EarlyTalkers::refuse, .greeting_delay = 50ms});
    RawClient rude(server_->port());
    rude.send("EHLO x\r\n");
    EXPECT_EQ(rude.rest(), "554 You spoke before the greeting\r\n");
    RawClient polite(server_->port());
    EXPECT_TRUE(polite.reply().starts_with("220"));
    EXPECT_EQ(polite.ask("EHLO x"), "250 HELP");
}

}  // namespace
}  // namespace mailroom::smtp
