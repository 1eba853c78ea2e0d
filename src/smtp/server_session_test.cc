#include "smtp/server_dialogue.h"

#include <gtest/gtest.h>

#include <random>

namespace mailroom::smtp {
namespace {

constexpr std::string_view greeting = "S: 220 localhost ESMTP\n";
constexpr std::string_view ehlo =
    "C: EHLO client.example\nS: 250-localhost\nS: 250-PIPELINING\nS: 250-SIZE 41943040\n"
    "S: 250-8BITMIME\nS: 250-SMTPUTF8\nS: 250-ENHANCEDSTATUSCODES\nS: 250-CHUNKING\nS: 250 HELP\n";
constexpr std::string_view recipient =
    "C: MAIL FROM:<a@b.example>\nS: 250 2.1.0\nC: RCPT TO:<c@d.example>\nS: 250 2.1.5\n";

std::string after_ehlo(std::string_view script) {
    return std::string(greeting) + std::string(ehlo) + std::string(script);
}

TEST(ServerSession, AnswersEachCommandAsItShould) {
    struct Case {
        std::string_view name, script;
    };
    const Case cases[] = {
        {"noop", "C: NOOP\nS: 250 2.0.0\nC: noop with words\nS: 250 2.0.0"},
        {"help", "C: HELP\nS: 214 2.0.0"},
        {"vrfy", "C: VRFY ann\nS: 252 2.5.0\nC: VRFY\nS: 501 5.5.4"},
        {"expn", "C: EXPN staff\nS: 502 5.5.1"},
        {"unknown", "C: FROB\nS: 500 5.5.1\nC: \nS: 500 5.5.1"},
        {"quit", "C: QUIT\nS: 221 2.0.0\nEND"},
        {"quit with words", "C: QUIT now\nS: 501 5.5.4"},
        {"control character", "C: NOOP \x01\nS: 500 5.5.2\nC: NOOP \rx\nS: 500 5.5.2"},
        {"helo", "C: HELO client.example\nS: 250 localhost"},
        {"helo with a literal", "C: HELO [192.0.2.1]\nS: 250 localhost"},
        {"no name", "C: EHLO\nS: 501 Say\nC: EHLO a b\nS: 501 Say\nC: EHLO ü.example\nS: 501 Say"},
        {"name with brackets", "C: HELO <x>\nS: 501 Say"},
        {"no tls", "C: STARTTLS\nS: 502 5.5.1"},
        {"no auth", "C: AUTH PLAIN AGEAYg==\nS: 502 5.5.1"},
        {"rcpt first", "C: RCPT TO:<c@d.example>\nS: 503 5.5.1"},
        {"data first", "C: DATA\nS: 503 5.5.1"},
        {"two senders", "C: MAIL FROM:<>\nS: 250 2.1.0\nC: MAIL FROM:<>\nS: 503 5.5.1"},
        {"rset", "C: MAIL FROM:<>\nS: 250\nC: RSET\nS: 250 2.0.0\nC: MAIL FROM:<>\nS: 250 2.1.0"},
        {"ehlo resets", "C: MAIL FROM:<>\nS: 250\nC: HELO x\nS: 250\nC: RCPT TO:<a@b.c>\nS: 503"},
        {"mail without from", "C: MAIL <a@b.example>\nS: 501 5.5.4\nC: MAIL\nS: 501 5.5.4"},
        {"mail with a bad path", "C: MAIL FROM:a@b.example\nS: 501 5.1.7 The address must be in"},
        {"mail from postmaster", "C: MAIL FROM:<postmaster>\nS: 501 5.1.7"},
        {"size", "C: MAIL FROM:<> SIZE=100\nS: 250 2.1.0"},
        {"size too large", "C: MAIL FROM:<> SIZE=99999999999\nS: 552 5.3.4"},
        {"size no number", "C: MAIL FROM:<> SIZE=1x\nS: 501 5.5.4\nC: MAIL FROM:<> SIZE\nS: 501"},
        {"body", "C: MAIL FROM:<> BODY=8bitmime\nS: 250 2.1.0"},
        {"body binary", "C: MAIL FROM:<> BODY=BINARYMIME\nS: 501 5.5.4"},
        {"utf8 with a value", "C: MAIL FROM:<> SMTPUTF8=1\nS: 501 5.5.4"},
        {"unknown parameter", "C: MAIL FROM:<> RET=HDRS\nS: 555 5.5.4"},
        {"auth parameter", "C: MAIL FROM:<> AUTH=<>\nS: 250 2.1.0"},
        {"bad auth parameter", "C: MAIL FROM:<> AUTH=+\nS: 501 5.5.4"},
        {"utf8 undeclared", "C: MAIL FROM:<ü@b.example>\nS: 553 5.6.7"},
        {"utf8", "C: MAIL FROM:<ü@b.example> SMTPUTF8\nS: 250\nC: RCPT TO:<ö@d.example>\nS: 250"},
        {"utf8 recipient", "C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<ö@d.example>\nS: 553 5.6.7"},
        {"null recipient", "C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<>\nS: 501 5.1.3"},
        {"postmaster", "C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<PostMaster>\nS: 250 2.1.5"},
        {"rcpt parameter",
         "C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<a@b.c> NOTIFY=NEVER\nS: 555 5.5.4"},
        {"data with words", "C: DATA now\nS: 501 5.5.4"},
        {"no recipient", "C: MAIL FROM:<>\nS: 250\nC: DATA\nS: 554 5.5.1"},
        {"bdat first", "C: BDAT 0 LAST\nS: 503 5.5.1\nC: NOOP\nS: 250"},
        {"bdat malformed", "C: BDAT x\nS: 501 5.5.4\nEND"},
        {"bdat without size", "C: BDAT\nS: 501 5.5.4\nEND"},
        {"bdat wrong word", "C: BDAT 1 LOST\nS: 501 5.5.4\nEND"},
        {"bdat huge", "C: BDAT 99999999999\nS: 552 5.3.4\nEND"},
    };
    for (const auto& c : cases) {
        Dialogue dialogue;
        EXPECT_EQ(dialogue.play(after_ehlo(c.script)), "") << c.name;
        EXPECT_EQ(dialogue.messages().size(), 0u) << c.name;
    }
}

TEST(ServerSession, TakesAMessageAndStartsAgain) {
    Dialogue dialogue;
    const auto one =
        std::string(recipient) +
        "C: DATA\nS: 354\nC: Subject: x\nC: \nC: ..dot\nC: .\nS: 250 2.0.0 Stored as\n";
    ASSERT_EQ(dialogue.play(after_ehlo(one + one + "C: QUIT\nS: 221\nEND")), "");
    ASSERT_EQ(dialogue.messages().size(), 2u);
    const auto& message = dialogue.messages()[0];
    EXPECT_EQ(message.data, "Subject: x\r\n\r\n.dot\r\n");
    EXPECT_EQ(message.envelope.sender->text, "a@b.example");
    ASSERT_EQ(message.envelope.recipients.size(), 1u);
    EXPECT_EQ(message.envelope.recipients[0].text, "c@d.example");
    EXPECT_EQ(message.peer.hello, "client.example");
    EXPECT_EQ(message.received,
              "Received: from client.example ([192.0.2.1])\r\n\tby localhost with ESMTP id " +
                  message.id + "\r\n\tfor <c@d.example>; Sun, 15 Nov 2026 06:07:08 +0000\r\n");
    EXPECT_NE(message.id, dialogue.messages()[1].id);
    EXPECT_EQ(dialogue.budget().used(), 0u);
}

TEST(ServerSession, NeedsEhloBeforeMail) {
    Dialogue dialogue;
    EXPECT_EQ(dialogue.play(std::string(greeting) + "C: MAIL FROM:<>\nS: 503 5.5.1 Say EHLO"), "");
}

TEST(ServerSession, RefusesWhatTheReceiverRefuses) {
    struct Case {
        Step step;
        std::string_view script;
    };
    const auto hello = std::string(greeting) + std::string(ehlo);
    const std::string steps[] = {
        "S: 451 4.7.1 Not now\nEND",
        std::string(greeting) + "C: EHLO x\nS: 451 4.7.1\nC: MAIL FROM:<>\nS: 503",
        hello + "C: MAIL FROM:<>\nS: 451 4.7.1 Not now\nC: MAIL FROM:<>\nS: 451",
        hello + "C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<a@b.c>\nS: 451 4.7.1\nC: DATA\nS: 554 5.5.1",
        hello + std::string(recipient) + "C: DATA\nS: 451 4.7.1\nC: MAIL FROM:<>\nS: 250",
        hello + std::string(recipient) +
            "C: DATA\nS: 354\nC: x\nC: .\nS: 451 4.7.1\nC: MAIL FROM:<>\nS: 250",
        hello + std::string(recipient) +
            "C: BDAT 4 LAST\nS: 451 4.7.1\nC: ab\nC: MAIL FROM:<>\nS: 250",
    };
    const Case cases[] = {
        {Step::connect, steps[0]}, {Step::hello, steps[1]}, {Step::mail, steps[2]},
        {Step::rcpt, steps[3]},    {Step::data, steps[4]},  {Step::message, steps[5]},
        {Step::data, steps[6]},
    };
    for (const auto& c : cases) {
        Dialogue dialogue({}, [&](Step step, ServerSession&) {
            return step == c.step ? Decision::refuse(451, {4, 7, 1}, "Not now")
                                  : Decision::accept();
        });
        EXPECT_EQ(dialogue.play(c.script), "") << c.script;
        EXPECT_EQ(dialogue.budget().used(), 0u);
    }
}

TEST(ServerSession, ReceiversWordsCannotBreakTheDialogue) {
    Dialogue dialogue({}, [](Step step, ServerSession&) {
        return step == Step::mail ? Decision::refuse(550, {5, 1, 1}, "No\r\n250 OK \xc3\xa9")
                                  : Decision::accept();
    });
    EXPECT_EQ(dialogue.play(after_ehlo("C: MAIL FROM:<>\nS: 550 5.1.1 No??250 OK ??")), "");
}

TEST(ServerSession, TakesChunksMixedWithPipelining) {
    Dialogue dialogue;
    ASSERT_EQ(dialogue.play(after_ehlo("")), "");
    dialogue.send(
        "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nBDAT 5\r\na\r\n.\rBDAT 0\r\nBDAT 5\r\n"
        "\n.\r\nbBDAT 0 LAST\r\nNOOP\r\n");
    EXPECT_EQ(dialogue.replies().substr(0, 149),
              "250 2.1.0 Sender OK\r\n250 2.1.5 Recipient OK\r\n250 2.0.0 5 bytes received\r\n"
              "250 2.0.0 0 bytes received\r\n250 2.0.0 5 bytes received\r\n250 2.0.0 Stored as ");
    ASSERT_EQ(dialogue.messages().size(), 1u);
    // Dots mean nothing here, and a last line gets its end.
    EXPECT_EQ(dialogue.messages()[0].data, "a\r\n.\r\n.\r\nb\r\n");
}

TEST(ServerSession, KeepsItsPlaceAfterARefusedChunk) {
    Dialogue dialogue;
    ASSERT_EQ(dialogue.play(after_ehlo("")), "");
    dialogue.send("BDAT 12 LAST\r\nMAIL FROM:<>NOOP\r\nRSET\r\n");
    EXPECT_EQ(dialogue.replies(),
              "503 5.5.1 Say MAIL first\r\n250 2.0.0 OK\r\n250 2.0.0 Forgotten\r\n");
    dialogue.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nBDAT 1\r\nxDATA\r\nRCPT TO:<a@b.c>\r\n");
    EXPECT_EQ(dialogue.replies().substr(45),
              "250 2.0.0 1 bytes received\r\n503 5.5.1 The message has begun with BDAT\r\n"
              "503 5.5.1 The message has begun\r\n");
}

TEST(ServerSession, SmugglingVectorsEndTheConnection) {
    const std::string_view ends[] = {"\n.\n",       "\n.\r\n",     "\r.\r",
                                     "\r\n.\n",     "\r\n.\r",     "\r.\r\n",
                                     "\r\n\n.\r\n", "\n\n.\r\r\n", "\r\n.\r\r\n"};
    for (const auto end : ends) {
        Dialogue dialogue;
        ASSERT_EQ(dialogue.play(after_ehlo(std::string(recipient) + "C: DATA\nS: 354")), "");
        dialogue.send("Subject: x\r\n\r\nbody" + std::string(end) +
                      "MAIL FROM:<x@evil.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\nz\r\n.\r\n");
        EXPECT_EQ(dialogue.replies(),
                  "554 5.6.0 The message has a CR or LF that is not part of CRLF\r\n")
            << testing::PrintToString(end);
        EXPECT_EQ(dialogue.session().want(), ServerSession::Want::close);
        EXPECT_EQ(dialogue.messages().size(), 0u);
    }
}

TEST(ServerSession, CommandsEndWithCrlf) {
    Dialogue strict;
    strict.replies();
    strict.send("NOOP\nNOOP\r\n");
    EXPECT_EQ(strict.replies(), "500 5.5.2 Lines must end with CRLF\r\n250 2.0.0 OK\r\n");
    Dialogue lenient({.bare_newlines = BareNewlines::make_crlf});
    lenient.replies();
    lenient.send("NOOP\nNOOP\r\n");
    EXPECT_EQ(lenient.replies(), "250 2.0.0 OK\r\n250 2.0.0 OK\r\n");
}

TEST(ServerSession, StarttlsForgetsEverythingAndDropsInjectedCommands) {
    Dialogue dialogue({.tls = TlsPolicy::offered});
    ASSERT_EQ(
        dialogue.play("S: 220\nC: EHLO x\nS: 250-\nS: 250-\nS: 250-\nS: 250-STARTTLS\nS: 250-\n"
                      "S: 250-\nS: 250-\nS: 250-\nS: 250 \nC: STARTTLS x\nS: 501 5.5.4"),
        "");
    dialogue.send("STARTTLS\r\nMAIL FROM:<x@evil.example>\r\n");
    ASSERT_EQ(dialogue.play("S: 220 2.0.0\nTLS\nC: MAIL FROM:<>\nS: 503 5.5.1 Say EHLO\n"
                            "C: STARTTLS\nS: 503 5.5.1\nC: EHLO x\nS: 250-\nS: 250-\nS: 250-SIZE\n"
                            "S: 250-8BIT\nS: 250-\nS: 250-\nS: 250-\nS: 250 "),
              "");
    dialogue.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\n.\r\n");
    ASSERT_EQ(dialogue.messages().size(), 1u);
    EXPECT_NE(
        dialogue.messages()[0].received.find("with ESMTPS (TLSv1.3 TLS_AES_256_GCM_SHA384) id "),
        std::string::npos);
}

TEST(ServerSession, RequiresTlsAndAuthWhereTold) {
    Dialogue tls({.tls = TlsPolicy::required});
    EXPECT_EQ(tls.play("S: 220\nC: HELO x\nS: 250\nC: MAIL FROM:<>\nS: 530 5.7.0 Say STARTTLS"),
              "");
    Dialogue auth({.auth = AuthPolicy::required, .auth_without_tls = true});
    EXPECT_EQ(auth.play("S: 220\nC: HELO x\nS: 250\nC: MAIL FROM:<>\nS: 530 5.7.0 Authentication"),
              "");
    Dialogue clear({.tls = TlsPolicy::offered, .auth = AuthPolicy::offered});
    EXPECT_EQ(clear.play("S: 220\nC: HELO x\nS: 250\nC: AUTH PLAIN AGEAYg==\nS: 538 5.7.11"), "");
}

Decision only_ann(Step step, ServerSession& session) {
    if (step != Step::auth) return Decision::accept();
    const auto& [user, password] = session.credentials();
    if (user == "ann" && password == "secret") return Decision::accept();
    return Decision::refuse(535, {5, 7, 8}, "No");
}

TEST(ServerSession, AuthenticatesWithPlainAndLogin) {
    struct Case {
        std::string_view name, script;
    };
    const Case cases[] = {
        {"plain at once", "C: AUTH PLAIN AGFubgBzZWNyZXQ=\nS: 235 2.7.0\nC: AUTH PLAIN x\nS: 503"},
        {"plain asked", "C: auth plain\nS: 334 \nC: AGFubgBzZWNyZXQ=\nS: 235 2.7.0"},
        {"plain as oneself", "C: AUTH PLAIN YW5uAGFubgBzZWNyZXQ=\nS: 235 2.7.0"},
        {"plain for another", "C: AUTH PLAIN Ym9iAGFubgBzZWNyZXQ=\nS: 535 5.7.8"},
        {"login",
         "C: AUTH LOGIN\nS: 334 VXNlcm5hbWU6\nC: YW5u\nS: 334 UGFzc3dvcmQ6\n"
         "C: c2VjcmV0\nS: 235 2.7.0"},
        {"login at once", "C: AUTH LOGIN YW5u\nS: 334 UGFzc3dvcmQ6\nC: c2VjcmV0\nS: 235"},
        {"wrong password", "C: AUTH PLAIN AGFubgB4\nS: 535 5.7.8\nC: NOOP\nS: 250"},
        {"cancelled", "C: AUTH LOGIN\nS: 334\nC: *\nS: 501 5.7.0\nC: NOOP\nS: 250"},
        {"no base 64", "C: AUTH PLAIN !!\nS: 501 5.5.2\nC: NOOP\nS: 250"},
        {"empty response",
         "C: AUTH PLAIN =\nS: 501 5.5.2\nC: AUTH LOGIN =\nS: 334\nC: eA==\nS: 501"},
        {"no NULs", "C: AUTH PLAIN YW5u\nS: 501 5.5.2"},
        {"unknown mechanism", "C: AUTH CRAM-MD5\nS: 504 5.5.4\nC: AUTH\nS: 504 5.5.4"},
        {"inside a mail", "C: MAIL FROM:<>\nS: 250\nC: AUTH PLAIN\nS: 503 5.5.1"},
        {"too often",
         "C: AUTH PLAIN AGFubgB4\nS: 535\nC: AUTH PLAIN AGFubgB4\nS: 535\n"
         "C: AUTH PLAIN AGFubgB4\nS: 535\nS: 421 4.7.0\nEND"},
    };
    const std::string hello =
        "S: 220\nC: EHLO x\nS: 250-\nS: 250-\nS: 250-\nS: 250-AUTH PLAIN LOGIN\nS: 250-\nS: 250-\n"
        "S: 250-\nS: 250-\nS: 250 HELP\n";
    for (const auto& c : cases) {
        Dialogue dialogue({.auth = AuthPolicy::offered, .auth_without_tls = true}, only_ann);
        EXPECT_EQ(dialogue.play(hello + std::string(c.script)), "") << c.name;
    }
}

TEST(ServerSession, LimitsErrorsCommandsRefusalsAndRecipients) {
    ServerSettings settings;
    settings.limits.errors_max = 2;
    settings.limits.idle_commands_max = 5;
    settings.limits.recipients_max = 1;
    settings.limits.refusals_max = 1;
    const std::string hello = "S: 220\nC: HELO x\nS: 250\n";
    const std::string_view scripts[] = {
        "C: X\nS: 500\nC: X\nS: 500\nC: X\nS: 500\nS: 421 4.7.0\nEND",
        "C: NOOP\nS: 250\nC: NOOP\nS: 250\nC: NOOP\nS: 250\nC: RSET\nS: 250\nC: NOOP\nS: 421 "
        "4.7.0\n"
        "END",
        "C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<a@b.c>\nS: 250\nC: RCPT TO:<a@b.c>\nS: 452 4.5.3",
        "C: MAIL FROM:<no@b.c>\nS: 550\nC: MAIL FROM:<no@b.c>\nS: 550\nS: 421 4.7.0\nEND",
    };
    for (const auto script : scripts) {
        Dialogue dialogue(settings, [](Step step, ServerSession& session) {
            const bool refuse = step == Step::mail && session.envelope().sender;
            return refuse ? Decision::refuse(550, {5, 1, 8}, "No") : Decision::accept();
        });
        EXPECT_EQ(dialogue.play(hello + std::string(script)), "") << script;
    }
}

TEST(ServerSession, LimitsTheLengthOfLines) {
    Dialogue dialogue({.auth = AuthPolicy::offered, .auth_without_tls = true});
    dialogue.replies();
    dialogue.send("NOOP " + std::string(2043, 'x') + "\r\nNOOP " + std::string(2044, 'x') + "\r\n" +
                  std::string(100'000, 'y') + "\r\nNOOP\r\n");
    EXPECT_EQ(dialogue.replies(),
              "250 2.0.0 OK\r\n500 5.5.2 The line is too long\r\n500 5.5.2 The line is too long\r\n"
              "250 2.0.0 OK\r\n");
    dialogue.send("EHLO x\r\n");
    dialogue.replies();
    dialogue.send("AUTH PLAIN " + std::string(8000, 'A') + "\r\n");
    EXPECT_EQ(dialogue.replies(), "501 5.5.2 The user name or password is malformed\r\n");
}

TEST(ServerSession, RefusesTooLargeMessagesAtTheirEndAndGoesOn) {
    ServerSettings settings;
    settings.limits.message_bytes_max = 100;
    Dialogue dialogue(settings);
    dialogue.send("HELO x\r\n");
    dialogue.replies();
    const std::string too_large = std::string(120, 'x') + "\r\n";
    dialogue.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\n" + too_large +
                  ".\r\nMAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nBDAT 122\r\n" + too_large +
                  "BDAT 1 LAST\r\nxNOOP\r\n");
    EXPECT_EQ(dialogue.replies(),
              "250 2.1.0 Sender OK\r\n250 2.1.5 Recipient OK\r\n354 Send the message, and a dot "
              "alone on a line after it\r\n552 5.3.4 The message is too large\r\n250 2.1.0 Sender "
              "OK\r\n250 2.1.5 Recipient OK\r\n552 5.3.4 The message is too large\r\n503 5.5.1 Say "
              "MAIL first\r\n250 2.0.0 OK\r\n");
    dialogue.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\n" + std::string(1000, 'x'));
    EXPECT_EQ(dialogue.session().want(), ServerSession::Want::close);
}

TEST(ServerSession, MemoryOfAllSessionsIsBounded) {
    ServerSettings settings;
    settings.limits.memory_bytes_max = 50;
    Dialogue dialogue(settings);
    dialogue.send("HELO x\r\n");
    dialogue.replies();
    EXPECT_EQ(dialogue.play("C: MAIL FROM:<> SIZE=51\nS: 452 4.3.1\nC: MAIL FROM:<>\nS: 250\n"
                            "C: RCPT TO:<a@b.c>\nS: 250\nC: DATA\nS: 354\nC: 1234567890123456789\n"
                            "C: 1234567890123456789\nC: 1234567890123456789\nC: .\nS: 452 4.3.1"),
              "");
    EXPECT_EQ(dialogue.budget().used(), 0u);
}

TEST(ServerSession, EarlyTalkersAreRefusedWhereTold) {
    for (const bool refuse : {false, true}) {
        const ServerSettings settings{.early_talkers =
                                          refuse ? EarlyTalkers::refuse : EarlyTalkers::tolerate};
        Dialogue out_of_turn(settings);
        out_of_turn.replies();
        out_of_turn.send("EHLO x\r\nMAIL FROM:<>\r\n");
        EXPECT_EQ(out_of_turn.replies().substr(0, 3), refuse ? "503" : "250");

        Dialogue in_turn(settings);
        in_turn.replies();
        in_turn.send("HELO x\r\n");
        in_turn.send("MAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\n");
        in_turn.send("x\r\n.\r\nQUIT\r\n");
        EXPECT_EQ(in_turn.messages().size(), 1u);
    }
}

TEST(ServerSession, StopsBetweenMessagesOnly) {
    Dialogue idle;
    idle.replies();
    idle.session().stop();
    EXPECT_EQ(idle.session().want(), ServerSession::Want::close);

    Dialogue busy;
    busy.send("HELO x\r\nMAIL FROM:<>\r\nRCPT TO:<a@b.c>\r\nDATA\r\nhalf");
    busy.replies();
    busy.session().stop();
    EXPECT_EQ(busy.session().want(), ServerSession::Want::input);
    busy.send(" and half\r\n.\r\nNOOP\r\n");
    EXPECT_EQ(busy.messages().size(), 1u);
    EXPECT_NE(busy.replies().find("421 4.3.2 The server is stopping\r\n"), std::string::npos);
    EXPECT_EQ(busy.session().want(), ServerSession::Want::close);
}

// Pipelined, in any pieces: the replies and the messages are the same.
TEST(ServerSession, DoesNotDependOnHowTheBytesAreCut) {
    const std::string_view words[] = {
        "EHLO x\r\n",
        "MAIL FROM:<a@b.c>\r\n",
        "RCPT TO:<d@e.f>\r\n",
        "DATA\r\n",
        "text\r\n",
        ".\r\n",
        "..\r\n",
        "BDAT 4\r\nab\r\n",
        "BDAT 3 LAST\r\nx\r\n",
        "RSET\r\n",
        "NOOP\n",
        "\r",
        "AUTH LOGIN\r\n",
        "QUIT\r\n",
        "MAIL FROM:<> SIZE=5\r\n",
        "RCPT TO:<no@e.f>\r\n",
    };
    std::mt19937 chance(11);
    const auto decide = [](Step step, ServerSession& session) {
        const bool refuse = step == Step::rcpt && session.recipient().local == "no";
        return refuse ? Decision::refuse(550, {5, 1, 1}, "No") : Decision::accept();
    };
    const auto run = [&](const std::string& bytes, std::size_t piece_bytes) {
        Dialogue dialogue({.auth = AuthPolicy::offered, .auth_without_tls = true}, decide);
        dialogue.send(bytes, piece_bytes);
        auto record = dialogue.replies();
        for (const auto& message : dialogue.messages()) record += "|" + message.data;
        return record;
    };
    std::size_t taken = 0;
    for (int round = 0; round < 500; ++round) {
        std::string bytes = "EHLO x\r\n";
        for (auto count = chance() % 16; count > 0; --count) {
            // Often the order that leads somewhere.
            if (chance() % 2) bytes += "MAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\n";
            bytes += words[chance() % std::size(words)];
        }
        const auto whole = run(bytes, SIZE_MAX);
        taken += whole.find('|') != whole.npos;
        for (const std::size_t piece_bytes : {1, 3, 17}) {
            ASSERT_EQ(run(bytes, piece_bytes), whole) << testing::PrintToString(bytes);
        }
    }
    EXPECT_GT(taken, 50u);
}

}  // namespace
}  // namespace mailroom::smtp
