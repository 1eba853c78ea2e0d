// TLS and logging in.
#include "base/base64.h"
#include "net/certificates_for_tests.h"
#include "smtp/client_for_tests.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mailroom::smtp {
namespace {

class ClientTls : public testing::Test {
protected:
    ClientTls() : pair_(certificates_.issue("server", "DNS:localhost")) {
        auto context = net::TlsServerContext::create({pair_.certificate_file, pair_.key_file});
        EXPECT_TRUE(context);
        server_.emplace(*std::move(context));
        auto client = Client::create({.ca_file = certificates_.authority_file()});
        EXPECT_TRUE(client);
        client_ = *std::move(client);
    }

    // Offers STARTTLS, takes it, and then serves `after`.
    void serve_tls(PeerConnection& connection, const Manners& after) {
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250-peer\r\n250-AUTH PLAIN\r\n250 STARTTLS\r\n");
        if (connection.hear() != "STARTTLS") return;
        connection.say("220 go\r\n");
        if (!connection.start_tls(*server_)) return;
        auto manners = after;
        manners.greeting = "";
        serve(connection, manners);
    }

    net::CertificatesForTests certificates_;
    net::CertificatesForTests::Pair pair_;
    std::optional<net::TlsServerContext> server_;
    std::unique_ptr<Client> client_;
};

TEST_F(ClientTls, IsUsedAsTheTargetSays) {
    struct Case {
        std::string_view name;
        TlsMode mode;
        std::string host;
        bool offered;
        std::string_view want;
    };
    // clang-format off
    const Case cases[] = {
        {"opportunistic",             TlsMode::opportunistic, "localhost", true,  "accepted message 250"},
        {"opportunistic, any name",   TlsMode::opportunistic, "elsewhere", true,  "accepted message 250"},
        {"opportunistic, not there",  TlsMode::opportunistic, "localhost", false, "accepted message 250"},
        {"required",                  TlsMode::required,      "localhost", true,  "accepted message 250"},
        {"required, wrong host",      TlsMode::required,      "elsewhere", true,  "refused_for_now tls 0"},
        {"required, not there",       TlsMode::required,      "localhost", false, "refused_for_now tls 0"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ScriptedPeer peer([&](PeerConnection& connection) {
            c.offered ? serve_tls(connection, {}) : void(serve(connection, {}));
        });
        auto target = target_at(peer.port());
        target.tls = c.mode;
        target.host = c.host;
        target.limits.messages_per_connection_max = 1;
        const auto delivery = send(*client_, target, mail_to({"a@x.example"}));
        const auto& verdict = delivery.recipients[0].verdict;
        EXPECT_EQ(brief(verdict), c.want) << verdict.text;
        if (verdict.outcome == Outcome::accepted) {
            EXPECT_EQ(delivery.tls.starts_with("TLSv1.3"), c.offered) << delivery.tls;
        }
    }
}

TEST_F(ClientTls, MayStartWithTheFirstByte) {
    ScriptedPeer peer([&](PeerConnection& connection) {
        if (connection.start_tls(*server_)) serve(connection, {});
    });
    auto target = target_at(peer.port());
    target.tls = TlsMode::implicit;
    EXPECT_EQ(send_one(*client_, target), "accepted message 250");
}

TEST_F(ClientTls, FallsBackToClearTextOnlyWhereThatWasTheChoice) {
    const auto broken = [](PeerConnection& connection) {
        if (connection.number() % 2 == 1) {  // The second connection.
            serve(connection, {});
            return;
        }
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250-peer\r\n250 STARTTLS\r\n");
        connection.hear();
        connection.say("220 go\r\n");
        connection.hear_bytes(1);
        connection.say("this is no TLS\r\n");
    };
    ScriptedPeer peer(broken);
    auto target = target_at(peer.port());
    target.tls = TlsMode::opportunistic;
    EXPECT_EQ(send_one(*client_, target), "accepted message 250");
    ScriptedPeer other(broken);
    target.port = other.port();
    target.tls = TlsMode::required;
    EXPECT_EQ(send_one(*client_, target), "refused_for_now tls 0");
}

TEST_F(ClientTls, RefusesTextThatWasInjectedBeforeTheHandshake) {
    ScriptedPeer peer([&](PeerConnection& connection) {
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250-peer\r\n250 STARTTLS\r\n");
        connection.hear();
        connection.say("220 go\r\n250 injected\r\n");
        connection.start_tls(*server_);
    });
    auto target = target_at(peer.port());
    target.tls = TlsMode::required;
    EXPECT_EQ(send_one(*client_, target), "refused_for_now tls 0");
}

TEST_F(ClientTls, ForgetsWhatWasSaidInClear) {
    // AUTH is offered before TLS and not after it.
    ScriptedPeer peer([&](PeerConnection& connection) { serve_tls(connection, {}); });
    auto target = target_at(peer.port());
    target.tls = TlsMode::required;
    target.login = Login{"ann", "secret"};
    EXPECT_EQ(send_one(*client_, target), "refused_for_now login 0");
}

TEST_F(ClientTls, LargeMessagesArriveWhole) {
    std::string message(3 * 1024 * 1024, 'x');
    for (std::size_t i = 70; i + 2 < message.size(); i += 72) message.replace(i, 2, "\r\n");
    message.replace(message.size() - 2, 2, "\r\n");
    std::string received;
    {
        ScriptedPeer peer([&](PeerConnection& connection) {
            connection.start_tls(*server_);
            connection.say("220 peer\r\n");
            connection.hear();
            connection.say("250-peer\r\n250 PIPELINING\r\n");
            for (int i = 0; i < 3; ++i) connection.hear();
            connection.say("250 ok\r\n250 ok\r\n354 go on\r\n");
            received = connection.hear_bytes(message.size() + 3);
            connection.say("250 taken\r\n");
        });
        auto target = target_at(peer.port());
        target.tls = TlsMode::implicit;
        auto mail = mail_to({"a@x.example"});
        mail.message = message;
        const auto delivery = send(*client_, target, mail);
        EXPECT_EQ(brief(delivery.recipients[0].verdict), "accepted message 250");
    }
    EXPECT_EQ(received, message + ".\r\n");
}

TEST_F(ClientTls, LogsInWithPlainOrLogin) {
    for (const std::string_view mechanism : {"AUTH PLAIN LOGIN", "AUTH LOGIN", "AUTH=LOGIN"}) {
        SCOPED_TRACE(mechanism);
        Manners manners;
        manners.hello = "250-peer\r\n250 " + std::string(mechanism) + "\r\n";
        manners.replies = {{"AUTH PLAIN", "235 welcome\r\n"},
                           {"AUTH LOGIN", "334 VXNlcm5hbWU6\r\n"},
                           {base64_encode("ann"), "334 UGFzc3dvcmQ6\r\n"},
                           {base64_encode("sec ret"), "235 welcome\r\n"}};
        std::vector<std::string> heard;
        Delivery delivery{};
        {
            ScriptedPeer peer([&](PeerConnection& connection) {
                serve_tls(connection, manners);
                heard = connection.heard();
            });
            auto target = target_at(peer.port());
            target.tls = TlsMode::opportunistic;
            target.login = Login{"ann", "sec ret"};
            target.limits.messages_per_connection_max = 1;
            delivery = send(*client_, target, mail_to({"a@x.example"}));
        }
        EXPECT_EQ(brief(delivery.recipients[0].verdict), "accepted message 250");
        using namespace std::string_literals;
        const auto plain = "AUTH PLAIN " + base64_encode("\0ann\0sec ret"s);
        const auto wanted = mechanism == "AUTH PLAIN LOGIN" ? plain : base64_encode("sec ret");
        EXPECT_TRUE(std::ranges::count(heard, wanted));
        EXPECT_EQ(delivery.transcript.find(base64_encode("sec ret")), std::string::npos);
        EXPECT_EQ(delivery.transcript.find(plain), std::string::npos);
        EXPECT_NE(delivery.transcript.find("****"), std::string::npos);
    }
}

TEST_F(ClientTls, ARefusedLoginIsForNowAndTriedOnce) {
    Manners manners;
    manners.hello = "250-peer\r\n250 AUTH PLAIN\r\n";
    manners.replies = {{"AUTH", "535 5.7.8 wrong\r\n"}};
    ScriptedPeer peer([&](PeerConnection& connection) { serve_tls(connection, manners); });
    auto target = target_at(peer.port());
    target.tls = TlsMode::required;
    target.addresses = {"127.0.0.1", "127.0.0.1"};
    target.login = Login{"ann", "secret"};
    EXPECT_EQ(send_one(*client_, target), "refused_for_now login 535");
    EXPECT_EQ(peer.connections(), 1);
}

TEST_F(ClientTls, APasswordGoesInClearOnlyToThisMachineAndOnlyIfAllowed) {
    Manners manners;
    manners.hello = "250-peer\r\n250 AUTH PLAIN\r\n";
    manners.replies = {{"AUTH", "235 welcome\r\n"}};
    const auto script = [&](PeerConnection& connection) { serve(connection, manners); };
    ScriptedPeer peer(script), trusted(script);
    auto target = target_at(peer.port());
    target.login = Login{"ann", "secret"};
    EXPECT_EQ(send_one(*client_, target), "refused_for_now login 0");
    target.tls = TlsMode::opportunistic;  // Which is `required` here.
    EXPECT_EQ(send_one(*client_, target), "refused_for_now tls 0");
    peer.finish();
    for (const auto& line : peer.heard()) EXPECT_FALSE(line.starts_with("AUTH"));
    target.port = trusted.port();
    target.clear_text_login = ClearTextLogin::on_loopback;
    EXPECT_EQ(send_one(*client_, target), "accepted message 250");
}

}  // namespace
}  // namespace mailroom::smtp
