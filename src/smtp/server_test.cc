#include "smtp/server_fixture.h"

namespace mailroom::smtp {
namespace {

using namespace std::chrono_literals;

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
