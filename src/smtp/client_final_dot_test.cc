// What is known when the connection ends near the end of a message: the one place where a mail can
// be doubled or lost.
#include "smtp/client_for_tests.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::smtp {
namespace {

void answer_until_data(PeerConnection& client) {
    client.say("220 peer\r\n");
    client.hear();
    client.say("250-peer\r\n250 PIPELINING\r\n");
    for (int i = 0; i < 3; ++i) client.hear();
    client.say("250 ok\r\n250 ok\r\n354 go on\r\n");
}

TEST(FinalDot, AReplyCutAnywhereIsUnknownAndAWholeOneCounts) {
    const auto client = make_client();
    const std::string replies[] = {"250 2.0.0 taken\r\n", "250-2.0.0 taken\r\n250 2.0.0 really\r\n",
                                   "554 5.7.1 spam\r\n", "451 4.3.0 later\r\n", "250\r\n"};
    for (const auto& reply : replies) {
        for (std::size_t cut = 0; cut <= reply.size(); ++cut) {
            SCOPED_TRACE(reply + " cut at " + std::to_string(cut));
            ScriptedPeer peer([&](PeerConnection& connection) {
                answer_until_data(connection);
                connection.hear_message();
                connection.say(std::string_view(reply).substr(0, cut));
                connection.hang_up();
            });
            const auto got = send_one(*client, target_at(peer.port()));
            if (cut < reply.size()) {
                EXPECT_EQ(got, "unknown message 0");
            } else {
                EXPECT_EQ(got.substr(got.size() - 3), reply.substr(0, 3));
                EXPECT_EQ(got.find("unknown"), got.npos);
            }
        }
    }
}

TEST(FinalDot, AServerThatLeavesAfterAnyByteOfASmallMessageLeavesItUnknown) {
    const auto client = make_client();
    const auto all = mail_to({}).message + ".\r\n";
    for (std::size_t read = 0; read <= all.size(); ++read) {
        for (const bool slam : {false, true}) {
            SCOPED_TRACE(std::to_string(read) + (slam ? " slam" : " hang up"));
            ScriptedPeer peer([&](PeerConnection& connection) {
                answer_until_data(connection);
                // All of it was written at once, whatever of it the server cares to read.
                EXPECT_EQ(connection.hear_bytes(read), all.substr(0, read));
                slam ? connection.slam() : connection.hang_up();
            });
            const auto got = send_one(*client, target_at(peer.port()));
            // A server that leaves at once may be gone before we write.
            EXPECT_TRUE(got == "unknown message 0" ||
                        (read == 0 && got.starts_with("refused_for_now")))
                << got;
        }
    }
}

// The server stops reading. What the system has taken from us by then is exactly what the server
// finds when it reads on after we have given up.
TEST(FinalDot, IsUnknownIfAndOnlyIfTheDotHasLeftWhenTheServerStopsReading) {
    const auto client = make_client();
    const auto stalled_send = [&](std::size_t message_bytes) {
        std::string left;
        std::string got;
        std::promise<void> given_up;
        {
            ScriptedPeer peer(
                [&](PeerConnection& connection) {
                    answer_until_data(connection);
                    given_up.get_future().wait();
                    left = connection.hear_rest();
                },
                4096);
            auto mail = mail_to({"bob@peer.example"});
            mail.message.assign(message_bytes, 'x');
            for (std::size_t i = 76; i + 2 < message_bytes; i += 78) {
                mail.message.replace(i, 2, "\r\n");
            }
            mail.message.replace(message_bytes - 2, 2, "\r\n");
            const auto target = impatient(target_at(peer.port()));
            got = brief(send(*client, target, mail).recipients.at(0).verdict);
            given_up.set_value();
        }
        const bool dot_left = left.size() > message_bytes;
        EXPECT_EQ(got, dot_left ? "unknown message 0" : "refused_for_now message 0")
            << left.size() << " of " << message_bytes;
        return left.size();
    };
    const auto room = stalled_send(32 * 1024 * 1024);
    ASSERT_GT(room, 0u);
    for (std::size_t message_bytes = room - 6; message_bytes <= room + 2; ++message_bytes) {
        stalled_send(message_bytes);
    }
}

TEST(FinalDot, AServerThatRefusesInTheMiddleOfAMessageIsHeard) {
    const auto client = make_client();
    auto mail = mail_to({"bob@peer.example"});
    mail.message.assign(32 * 1024 * 1024, 'x');
    for (const std::string_view reply : {"552 too big\r\n", "421 closing\r\n", "250 taken\r\n"}) {
        SCOPED_TRACE(reply);
        ScriptedPeer peer([&](PeerConnection& connection) {
            answer_until_data(connection);
            connection.hear_bytes(1000);
            connection.say(reply);
            connection.hang_up();
        });
        const auto delivery = send(*client, target_at(peer.port()), mail);
        const auto got = brief(delivery.recipients.at(0).verdict);
        // The reply may be lost with the connection; the mail is never taken for accepted.
        EXPECT_TRUE(got == "refused_for_now message 0" ||
                    (reply[0] == '5' && got == "refused_for_good message 552") ||
                    (reply[0] == '4' && got == "refused_for_now message 421"))
            << got;
    }
}

TEST(FinalDot, AReplyThatComesBeforeTheMessageIsNoReplyToIt) {
    const auto client = make_client();
    ScriptedPeer peer([&](PeerConnection& connection) {
        connection.say("220 peer\r\n");
        connection.hear();
        connection.say("250-peer\r\n250 PIPELINING\r\n");
        for (int i = 0; i < 3; ++i) connection.hear();
        connection.say("250 ok\r\n250 ok\r\n354 go on\r\n250 taken\r\n");
        EXPECT_EQ(connection.hear_rest(), "");
    });
    EXPECT_EQ(send_one(*client, target_at(peer.port())), "refused_for_now data 0");
}

// Serves one client, and tells what came after 354 until the client left or the end had come.
std::string message_heard(PeerConnection& connection, const char* recipients) {
    connection.say("220 peer\r\n");
    connection.hear();
    connection.say("250-peer\r\n250 PIPELINING\r\n");
    for (const auto* c = recipients; *c != 0; ++c) connection.hear();
    connection.hear();
    connection.hear();
    connection.say("250 ok\r\n");
    for (const auto* c = recipients; *c != 0; ++c) {
        connection.say(*c == '+' ? "250 ok\r\n" : "550 no\r\n");
    }
    connection.say("354 go on\r\n");
    return connection.hear_message();
}

TEST(BeforeEnd, IsAskedWithTheRecipientsThatTheServerTookAndTheEndWaitsForIt) {
    const auto client = make_client();
    std::promise<void> asked, answered;
    std::vector<std::size_t> named;
    std::atomic<bool> may_have_ended = false;
    std::string heard;
    std::function<void(Leave)> answer;
    ScriptedPeer peer([&](PeerConnection& connection) {
        heard = message_heard(connection, "+-+");
        EXPECT_TRUE(may_have_ended);
        connection.say("250 taken\r\n");
        connection.hear();
    });
    auto mail = mail_to({"a@peer.example", "b@peer.example", "c@peer.example"});
    mail.before_end = [&](std::vector<std::size_t> recipients, std::function<void(Leave)> say) {
        named = std::move(recipients);
        answer = std::move(say);
        asked.set_value();
    };
    Target target = target_at(peer.port());
    target.limits.messages_per_connection_max = 1;
    std::thread waiter([&] {
        asked.get_future().wait();
        answer([&] { return may_have_ended = true; });
    });
    const auto delivery = send(*client, target, mail);
    waiter.join();
    EXPECT_EQ(named, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(brief(delivery.recipients[0].verdict), "accepted message 250");
    EXPECT_EQ(brief(delivery.recipients[1].verdict), "refused_for_good recipient 550");
    EXPECT_EQ(brief(delivery.recipients[2].verdict), "accepted message 250");
    peer.finish();
    EXPECT_EQ(heard, mail.message);
}

TEST(BeforeEnd, WithoutAYesTheEndDoesNotLeaveAndNothingIsTriedAgain) {
    const auto client = make_client();
    for (const std::size_t bytes : {100UL, 64UL * 1024, 200UL * 1024}) {
        for (const bool late : {false, true}) {
            SCOPED_TRACE(std::to_string(bytes) + (late ? " late" : ""));
            std::string rest;
            ScriptedPeer peer([&](PeerConnection& connection) {
                answer_until_data(connection);
                rest = connection.hear_rest();
            });
            auto mail = mail_to({"bob@peer.example"});
            mail.message.assign(bytes - 2, 'x');
            mail.message += "\r\n";
            mail.before_end = [&](const auto&, const std::function<void(Leave)>& say) {
                say(late ? Leave([] { return false; }) : Leave());
            };
            const auto delivery = send(*client, target_at(peer.port()), mail);
            EXPECT_EQ(brief(delivery.recipients[0].verdict), "refused_for_now check 0");
            peer.finish();
            EXPECT_EQ(peer.connections(), 1);
            EXPECT_LT(rest.size(), bytes) << "the last block and the end stay";
            EXPECT_FALSE(rest.ends_with(".\r\n"));
        }
    }
}

TEST(BeforeEnd, NothingLeavesWhereNoMessageIsWanted) {
    const auto client = make_client();
    const Manners rude[] = {{.greeting = "554 no\r\n"},
                            {.replies = {{"MAIL", "550 no\r\n"}}},
                            {.replies = {{"RCPT", "550 no\r\n"}}},
                            {.replies = {{"DATA", "451 no\r\n"}}}};
    for (const auto& manners : rude) {
        ScriptedPeer peer([&](PeerConnection& connection) { serve(connection, manners); });
        auto mail = mail_to({"bob@peer.example"});
        mail.before_end = [&](const auto&, const std::function<void(Leave)>& say) {
            EXPECT_TRUE(manners.greeting.starts_with("220")) << "nobody to send it to";
            say([] {
                ADD_FAILURE() << "nobody wants it";
                return true;
            });
        };
        send(*client, target_at(peer.port()), mail);
    }
}

// Where the program stops while the answer is awaited.
TEST(BeforeEnd, IsAnsweredBeforeTheClientIsGoneAndNothingLeavesAfterThat) {
    auto client = make_client();
    std::promise<void> asked;
    std::function<void(Leave)> answer;
    std::string rest;
    ScriptedPeer peer([&](PeerConnection& connection) {
        answer_until_data(connection);
        rest = connection.hear_rest();
    });
    auto mail = mail_to({"bob@peer.example"});
    mail.before_end = [&](const auto&, std::function<void(Leave)> say) {
        answer = std::move(say);
        asked.set_value();
    };
    std::promise<Delivery> settled;
    ASSERT_TRUE(client->send(std::make_shared<const Target>(target_at(peer.port())), mail,
                             [&](Delivery delivery) { settled.set_value(std::move(delivery)); }));
    asked.get_future().wait();
    std::thread stopping([&] { client->stop(std::chrono::milliseconds(0)); });
    peer.finish();  // The connection ends first.
    answer([] { return true; });
    stopping.join();
    const auto delivery = settled.get_future().get();
    EXPECT_EQ(delivery.recipients.at(0).verdict.outcome, Outcome::refused_for_now);
    EXPECT_EQ(rest, "");
}

}  // namespace
}  // namespace mailroom::smtp
