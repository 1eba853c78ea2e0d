#include "campaigns/templates/mail_request.h"

#include "campaigns/templates/templates_fixture.h"

namespace mailroom::campaigns {
namespace {

class MailRequestTest : public TemplatesTest {
protected:
    void SetUp() override {
        TemplatesTest::SetUp();
        save("onboarding/welcome", mail("Hey {{ firstName }}",
                                        "<h1>Hello {{ firstName }}</h1>"
                                        "<a href='{{ unsubscribeUrl }}'>x"));
    }
    static Sending to_jane() {
        return {.from_email = "noreply@example.com",
                .from_name = "Example",
                .reply_to = "support@example.com",
                .to = "jane@example.com",
                .sequence_id = "onboarding"};
    }
    outbox::Request request(const Sending& sending) {
        const auto letter = this->letter("onboarding/welcome");
        auto reader = jane();
        give_links(reader, sending, *links);
        auto made = taken(mail_request(*letter, done(letter->render(reader)), sending));
        EXPECT_EQ(outbox::fault_of(made, clock.now()), std::nullopt);
        return made;
    }
};

TEST_F(MailRequestTest, AMailForOnePersonIsAskedForAsTheSchemaHasIt) {
    const auto made = request(to_jane());
    EXPECT_EQ(made.from.address(), "noreply@example.com");
    EXPECT_EQ(made.from.display_name, "Example");
    ASSERT_EQ(made.to.size(), 1U);
    EXPECT_EQ(made.to[0].address(), "jane@example.com");
    EXPECT_EQ(made.reply_to[0].address(), "support@example.com");
    EXPECT_EQ(made.subject, "Hey Jane");
    EXPECT_EQ(made.html, "<h1>Hello Jane</h1><a href='%unsubscribe_url%'>x");
    EXPECT_EQ(made.stream, outbox::Stream::bulk);
    ASSERT_TRUE(made.engagement);
    EXPECT_EQ(made.engagement->template_key, "onboarding/welcome");
    EXPECT_EQ(made.engagement->sequence_id, "onboarding");
    EXPECT_TRUE(made.engagement->unsubscribe);
}

TEST_F(MailRequestTest, WithoutTheFieldsTheLinkIsStillThere) {
    for (const bool is_transactional : {true, false}) {
        auto sending = to_jane();
        sending.is_transactional = is_transactional;
        sending.has_list_unsubscribe = false;
        const auto made = request(sending);
        EXPECT_EQ(made.stream,
                  is_transactional ? outbox::Stream::transactional : outbox::Stream::bulk);
        EXPECT_FALSE(made.engagement->unsubscribe);
        const auto begin = made.html->find("https://u.example/u/") + 20;
        const auto person = tokens.read_as<engagement::PersonToken>(
            made.html->substr(begin, made.html->find('\'', begin) - begin));
        ASSERT_TRUE(person) << *made.html;
        EXPECT_EQ(person->address, "jane@example.com");
    }
}

TEST_F(MailRequestTest, AddressesThatAreNoneAreNamed) {
    const auto letter = this->letter("onboarding/welcome");
    const auto refused = [&](Sending sending) {
        const auto made = mail_request(*letter, done(letter->render(jane())), sending);
        return made ? "" : made.error().fields.at(0).field;
    };
    auto sending = to_jane();
    sending.from_email = "nobody";
    EXPECT_EQ(refused(sending), "fromEmail");
    sending = to_jane();
    sending.reply_to = "x";
    EXPECT_EQ(refused(sending), "replyToEmail");
    sending = to_jane();
    sending.to = "";
    EXPECT_EQ(refused(sending), "to");
}

}  // namespace
}  // namespace mailroom::campaigns
