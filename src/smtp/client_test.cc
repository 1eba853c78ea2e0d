#include "smtp/client.h"

#include "smtp/client_for_tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>

namespace mailroom::smtp {
namespace {

TEST(Client, SendsAMessageAsItIs) {
    std::string message;
    ScriptedPeer peer([&](PeerConnection& connection) { message = serve(connection, {}).at(0); });
    {
        const auto client = make_client();
        auto mail = mail_to({"bob@peer.example"});
        mail.message = "Subject: dots\r\n\r\n.\r\n..two\r\nend";
        const auto delivery = send(*client, target_at(peer.port()), mail);
        const auto& verdict = delivery.recipients.at(0).verdict;
        EXPECT_EQ(brief(verdict), "accepted message 250");
        EXPECT_EQ(verdict.status, (EnhancedStatus{2, 0, 0}));
        EXPECT_EQ(verdict.text, "taken");
        EXPECT_EQ(delivery.peer, "127.0.0.1:" + std::to_string(peer.port()));
        EXPECT_EQ(delivery.tls, "");
    }
    peer.finish();
    EXPECT_EQ(message, "Subject: dots\r\n\r\n..\r\n...two\r\nend\r\n");
    const auto heard = peer.heard();
    ASSERT_GE(heard.size(), 4u);
    EXPECT_EQ(heard[0], "EHLO client.example");
    EXPECT_EQ(heard[1], "MAIL FROM:<ann@sender.example> SIZE=32");
    EXPECT_EQ(heard[2], "RCPT TO:<bob@peer.example>");
    EXPECT_EQ(heard[3], "DATA");
}

TEST(Client, SettlesEveryBehaviourAtEveryStepAsOneOfFourOutcomes) {
    struct Case {
        std::string_view step, reply,
            want;  // A reset takes replies with it that were not yet read.
    };
    // clang-format off
    const Case cases[] = {
        {"greeting", "421 busy\r\n",        "refused_for_now greeting 421"},
        {"greeting", "554 go away\r\n",     "refused_for_now greeting 554"},
        {"greeting", "hello there\r\n",     "refused_for_now greeting 0"},
        {"greeting", "hang up",             "refused_for_now greeting 0"},
        {"greeting", "slam",                "refused_for_now"},
        {"greeting", "stall",               "refused_for_now greeting 0"},
        {"EHLO",     "421 busy\r\n",        "refused_for_now hello 421"},
        {"EHLO",     "451 later\r\n",       "refused_for_now hello 451"},
        {"EHLO",     "502 what\r\n",        "accepted message 250"},
        {"HELO",     "550 not you\r\n",     "refused_for_now hello 550"},
        {"HELO",     "421 busy\r\n",        "refused_for_now hello 421"},
        {"EHLO",     "\x01\x02\r\n",        "refused_for_now hello 0"},
        {"EHLO",     "hang up",             "refused_for_now hello 0"},
        {"EHLO",     "slam",                "refused_for_now"},
        {"EHLO",     "stall",               "refused_for_now hello 0"},
        {"MAIL",     "421 closing\r\n",     "refused_for_now sender 421"},
        {"MAIL",     "451 later\r\n",       "refused_for_now sender 451"},
        {"MAIL",     "550 no\r\n",          "refused_for_good sender 550"},
        {"MAIL",     "354 what?\r\n",       "refused_for_now sender 354"},
        {"MAIL",     "rubbish\r\n",         "refused_for_now sender 0"},
        {"MAIL",     "hang up",             "refused_for_now sender 0"},
        {"MAIL",     "slam",                "refused_for_now"},
        {"MAIL",     "stall",               "refused_for_now sender 0"},
        {"RCPT",     "421 closing\r\n",     "refused_for_now recipient 421"},
        {"RCPT",     "450 greylisted\r\n",  "refused_for_now recipient 450"},
        {"RCPT",     "550 unknown\r\n",     "refused_for_good recipient 550"},
        {"RCPT",     "251 forwarded\r\n",   "accepted message 250"},
        {"RCPT",     "354 what?\r\n",       "refused_for_now recipient 354"},
        {"RCPT",     "99\r\n",              "refused_for_now recipient 0"},
        {"RCPT",     "hang up",             "refused_for_now recipient 0"},
        {"RCPT",     "slam",                "refused_for_now"},
        {"RCPT",     "stall",               "refused_for_now recipient 0"},
        {"DATA",     "421 closing\r\n",     "refused_for_now data 421"},
        {"DATA",     "452 full\r\n",        "refused_for_now data 452"},
        {"DATA",     "554 no\r\n",          "refused_for_good data 554"},
        {"DATA",     "250 done already\r\n","refused_for_now data 250"},
        {"DATA",     "35\r\n",              "refused_for_now data 0"},
        {"DATA",     "hang up",             "refused_for_now data 0"},
        {"DATA",     "slam",                "refused_for_now"},
        {"DATA",     "stall",               "refused_for_now data 0"},
        {".",        "421 closing\r\n",     "refused_for_now message 421"},
        {".",        "451 later\r\n",       "refused_for_now message 451"},
        {".",        "554 spam\r\n",        "refused_for_good message 554"},
        {".",        "354 more?\r\n",       "unknown message 354"},
        {".",        "taken, thanks\r\n",   "unknown message 0"},
        {".",        "250-one\r\n550 x\r\n","unknown message 0"},
        {".",        "hang up",             "unknown message 0"},
        {".",        "slam",                "unknown"},
        {".",        "stall",               "unknown message 0"},
    };
    // clang-format on
    const auto client = make_client();
    for (const auto& c : cases) {
        for (const std::string_view pipelining : {"", "250-PIPELINING\r\n"}) {
            SCOPED_TRACE(std::string(c.step) + ": " + std::string(c.reply) +
                         std::string(pipelining));
            Manners manners;
            manners.hello = "250-peer\r\n" + std::string(pipelining) + "250 8BITMIME\r\n";
            manners.replies[std::string(c.step)] = c.reply;
            if (c.step == "HELO") manners.replies["EHLO"] = "502 what\r\n";
            ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, manners); });
            const auto target = target_at(peer.port());
            const auto got = send_one(*client, c.reply == "stall" ? impatient(target) : target);
            EXPECT_EQ(c.reply == "slam" ? got.substr(0, got.find(' ')) : got, c.want);
        }
    }
}

TEST(Client, TakesRepliesThatComeByteByByte) {
    ScriptedPeer peer([&](PeerConnection& connection) {
        const auto drip = [&](std::string_view text) {
            for (char c : text) connection.say({&c, 1});
        };
        drip("220-peer\r\n220-has much\r\n220 to say\r\n");
        connection.hear();
        drip("250-peer\r\n250-PIPELINING\r\n250 8BITMIME\r\n");
        for (int i = 0; i < 3; ++i) connection.hear();
        drip("250-2.1.0 sender\r\n250 2.1.0 fine\r\n250 2.1.5 recipient\r\n354-go\r\n354 on\r\n");
        connection.hear_message();
        drip("250-2.6.0 all\r\n250-2.6.0 of\r\n250 2.6.0 it\r\n");
        connection.hear();
    });
    const auto client = make_client();
    EXPECT_EQ(send_one(*client, target_at(peer.port())), "accepted message 250");
}

TEST(Client, GivesEachRecipientItsOwnOutcome) {
    for (const std::string_view pipelining : {"", "250-PIPELINING\r\n"}) {
        SCOPED_TRACE(pipelining);
        Manners manners;
        manners.hello = "250-peer\r\n" + std::string(pipelining) + "250 8BITMIME\r\n";
        manners.replies = {{"RCPT TO:<b@", "550 5.1.1 who?\r\n"}, {"RCPT TO:<c@", "450 later\r\n"}};
        ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, manners); });
        const auto client = make_client();
        const auto delivery = send(*client, target_at(peer.port()),
                                   mail_to({"a@x.example", "b@x.example", "c@x.example"}));
        EXPECT_EQ(brief(delivery.recipients[0].verdict), "accepted message 250");
        EXPECT_EQ(brief(delivery.recipients[1].verdict), "refused_for_good recipient 550");
        EXPECT_EQ(delivery.recipients[1].verdict.status, (EnhancedStatus{5, 1, 1}));
        EXPECT_EQ(brief(delivery.recipients[2].verdict), "refused_for_now recipient 450");
    }
}

TEST(Client, SendsAThousandRecipientsInPieces) {
    ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, {}); });
    std::vector<std::string> recipients;
    for (std::size_t i = 0; i < recipients_max; ++i) {
        recipients.push_back("user" + std::to_string(i) + "@peer.example");
    }
    const auto client = make_client();
    const auto delivery = send(*client, target_at(peer.port()), mail_to(recipients));
    for (std::size_t i = 0; i < recipients_max; ++i) {
        EXPECT_EQ(delivery.recipients[i].recipient, recipients[i]);
        EXPECT_EQ(delivery.recipients[i].verdict.outcome, Outcome::accepted);
    }
}

TEST(Client, ReadsAnOldServersTooManyRecipientsAsForNow) {
    Manners manners;
    manners.replies = {{"RCPT TO:<b@", "552 too many recipients\r\n"}};
    ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, manners); });
    const auto client = make_client();
    const auto target = target_at(peer.port());
    const auto two = send(*client, target, mail_to({"a@x.example", "b@x.example"}));
    EXPECT_EQ(brief(two.recipients[1].verdict), "refused_for_now recipient 552");
    const auto one = send(*client, target, mail_to({"b@x.example"}));
    EXPECT_EQ(brief(one.recipients[0].verdict), "refused_for_good recipient 552");
}

TEST(Client, SendsNoMessageWhenAllRecipientsAreRefusedAndDataIsGranted) {
    Manners manners;
    manners.replies = {{"RCPT TO:<b@", "550 no\r\n"}, {".", "554 no recipients\r\n"}};
    std::vector<std::string> messages;
    ScriptedPeer peer([&](PeerConnection& connection) { messages = serve(connection, manners); });
    {
        const auto client = make_client();
        const auto target = target_at(peer.port());
        const auto delivery = send(*client, target, mail_to({"b@x.example"}));
        EXPECT_EQ(brief(delivery.recipients[0].verdict), "refused_for_good recipient 550");
        manners.replies.clear();
        const auto next = send(*client, target, mail_to({"a@x.example"}));
        EXPECT_EQ(brief(next.recipients[0].verdict), "accepted message 250");
        EXPECT_EQ(client->stats().opened, 1u);
    }
    peer.finish();
    EXPECT_EQ(messages.at(0), "");
    EXPECT_NE(messages.at(1), "");
}

TEST(Client, ResetsAfterAMailThatWasGivenUp) {
    Manners manners;
    manners.replies = {{"DATA", "451 later\r\n"}};
    ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, manners); });
    {
        const auto client = make_client();
        const auto target = target_at(peer.port());
        send(*client, target, mail_to({"a@x.example"}));
        send(*client, target, mail_to({"a@x.example"}));
        EXPECT_EQ(client->stats().opened, 1u);
    }
    peer.finish();
    const auto heard = peer.heard();
    EXPECT_EQ(std::ranges::count(heard, "RSET"), 1);
}

TEST(Client, RefusesForGoodWhatTheServerCannotTake) {
    struct Case {
        std::string_view name, extension;
        Mail mail;
        std::string_view want, status;
    };
    const auto small = mail_to({"a@x.example"});
    auto eight_bit = small, utf8_sender = small, utf8_recipient = small, utf8_header = small;
    eight_bit.message = "Subject: x\r\n\r\nGr\xc3\xbc\xc3\x9f\x65\r\n";
    utf8_sender.sender = "j\xc3\xbcrgen@x.example";
    utf8_recipient.recipients = {"j\xc3\xbcrgen@x.example"};
    utf8_header.utf8_header = true;
    // clang-format off
    const Case cases[] = {
        {"size",                   "SIZE 10",   small,          "refused_for_good check 0", "5.3.4"},
        {"size without limit",     "SIZE 0",    small,          "accepted message 250",     "2.0.0"},
        {"size, no number",        "SIZE x",    small,          "accepted message 250",     "2.0.0"},
        {"8-bit",                  "HELP",      eight_bit,      "refused_for_good check 0", "5.6.3"},
        {"8-bit taken",            "8bitmime",  eight_bit,      "accepted message 250",     "2.0.0"},
        {"UTF-8 sender",           "8BITMIME",  utf8_sender,    "refused_for_good check 0", "5.6.7"},
        {"UTF-8 recipient",        "8BITMIME",  utf8_recipient, "refused_for_good check 0", "5.6.7"},
        {"UTF-8 header",           "8BITMIME",  utf8_header,    "refused_for_good check 0", "5.6.7"},
        {"UTF-8 recipient, taken", "SMTPUTF8",  utf8_recipient, "accepted message 250",     "2.0.0"},
    };
    // clang-format on
    const auto client = make_client();
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        Manners manners;
        manners.hello = "250-peer\r\n250 " + std::string(c.extension) + "\r\n";
        ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, manners); });
        auto target = target_at(peer.port());
        target.limits.messages_per_connection_max = 1;
        const auto delivery = send(*client, target, c.mail);
        const auto& verdict = delivery.recipients.at(0).verdict;
        EXPECT_EQ(brief(verdict), c.want);
        ASSERT_TRUE(verdict.status);
        EXPECT_EQ(verdict.status->text(), c.status);
    }
}

TEST(Client, RefusesOnlyTheRecipientThatNeedsUtf8) {
    ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, {}); });
    const auto client = make_client();
    const auto delivery =
        send(*client, target_at(peer.port()), mail_to({"a@x.example", "\xc3\xbc@x.example"}));
    EXPECT_EQ(brief(delivery.recipients[0].verdict), "accepted message 250");
    EXPECT_EQ(brief(delivery.recipients[1].verdict), "refused_for_good check 0");
}

TEST(Client, RefusesAddressesThatAreMoreThanAddresses) {
    ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, {}); });
    const auto client = make_client();
    const auto target = std::make_shared<const Target>(target_at(peer.port()));
    const std::string bad[] = {
        "",
        "a@x.example>\r\nRCPT TO:<b@x.example",
        "a@x.example\nDATA",
        "a@x.example> SIZE=1",
        "a b@x.example",
        "<a@x.example>",
        "a\t@x.example",
        std::string("a\0@x.example", 12),
        "a\x7f@x.example",
        "a\xff@x.example",
        std::string(300, 'a') + "@x.example",
    };
    for (const auto& address : bad) {
        SCOPED_TRACE(address);
        auto mail = mail_to({address});
        const auto to = client->send_and_wait(target, mail);
        ASSERT_FALSE(to);
        EXPECT_EQ(to.error().code, Errc::invalid);
        if (address.empty()) continue;
        mail = mail_to({"a@x.example"});
        mail.sender = address;
        EXPECT_FALSE(client->send_and_wait(target, mail));
    }
    EXPECT_FALSE(client->send_and_wait(target, mail_to({})));
    EXPECT_EQ(peer.connections(), 0);
}

TEST(Client, RefusesTargetsThatCannotBeUsed) {
    const auto client = make_client();
    const auto usable = target_at(1);
    std::vector<Target> bad(6, usable);
    bad[0].host = "";
    bad[1].hello_name = "me\r\nMAIL FROM:<>";
    bad[2].addresses = {};
    bad[3].addresses = {"localhost"};
    bad[4].login = Login{std::string("a\0b", 3), "x"};
    bad[5].limits.connections_max = 0;
    for (const auto& target : bad) {
        const auto sent =
            client->send_and_wait(std::make_shared<const Target>(target), mail_to({"a@x.example"}));
        ASSERT_FALSE(sent);
        EXPECT_EQ(sent.error().code, Errc::invalid);
    }
}

TEST(Client, TriesTheNextAddressAndSaysForNowIfNoneLetsItIn) {
    ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, {}); });
    auto target = target_at(peer.port());
    target.addresses = {"127.0.0.2", "127.0.0.1"};  // The peer listens on the second only.
    const auto client = make_client();
    EXPECT_EQ(send_one(*client, target), "accepted message 250");

    ScriptedPeer grumpy([&](PeerConnection& connection) { connection.say("554 no\r\n"); });
    target = target_at(grumpy.port());
    target.addresses = {"127.0.0.1", "127.0.0.2"};
    EXPECT_EQ(send_one(*client, target), "refused_for_now greeting 554");
}

TEST(Client, KeepsATranscriptOfWhatWasSaid) {
    ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, {}); });
    const auto client = make_client();
    auto target = target_at(peer.port());
    const auto first = send(*client, target, mail_to({"a@x.example"}));
    EXPECT_EQ(first.transcript, "* connected to " + first.peer +
                                    "\n"
                                    "< 220 peer.example ready\n"
                                    "> EHLO client.example\n"
                                    "< 250-peer.example\n< 250-PIPELINING\n"
                                    "< 250-SIZE 10000000\n< 250 8BITMIME\n"
                                    "> MAIL FROM:<ann@sender.example> SIZE=26\n"
                                    "> RCPT TO:<a@x.example>\n"
                                    "> DATA\n"
                                    "< 250 2.0.0 Ok\n< 250 2.0.0 Ok\n< 354 go on\n"
                                    "* message, 26 bytes\n"
                                    "< 250 2.0.0 taken\n");
    const auto second = send(*client, target, mail_to({"a@x.example"}));
    EXPECT_TRUE(second.transcript.starts_with("* on a kept connection to " + second.peer + "\n>"));
    target.hello_name = "another.example";  // Not to share the connection.
    target.transcript_bytes_max = 100;
    const auto cut = send(*client, target, mail_to({"a@x.example"}));
    EXPECT_LE(cut.transcript.size(), 100u);
    EXPECT_TRUE(cut.transcript.ends_with("* (cut here)\n"));
}

}  // namespace
}  // namespace mailroom::smtp
