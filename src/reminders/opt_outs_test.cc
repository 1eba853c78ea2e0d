// Who wants no reminders gets none, wherever they said so.
#include "reminders/opt_outs.h"

#include "people/consent/preferences.h"
#include "people/others/followed_audience.h"
#include "people/people.h"
#include "reminders/audit.h"
#include "reminders/import.h"
#include "reminders/privacy.h"
#include "reminders/reminders_fixture.h"
#include "table/write_builder.h"

#include <functional>

namespace mailroom::reminders {
namespace {

using namespace std::chrono_literals;
using outbox::FakeTransport;
using people::TopicState;
constexpr auto first = ReminderType::first;
const std::string id(topic_id), john = "john@example.com";

class OptOutsTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        begin();
    }
    void begin() {
        auto& store = front->store();
        const auto table = people::Books::people_table("MailroomPeople");
        everybody.emplace(*suppressions, *node->schedule);
        topics.emplace(store, clock, table);
        taken(add_topic(*topics));
        confirmations.emplace(store, clock, random, table);
        preferences.emplace(*everybody, *topics, *confirmations, *node->schedule);
        if (!taken(accounts->find("cust_001"))) add_john();
    }
    void again() {
        RemindersTest::fresh();
        begin();
    }
    void opt_out(const std::string& customer = "cust_001") {
        taken(accounts->change(customer, {.opt_out = true}, ann));
    }
    void choose(bool wants) {
        people::Wishes wishes;
        wishes.topics[id] = wants;
        taken(preferences->choose(john, wishes, {.source = "preferences"}));
    }
    // As another program writes the row of a person.
    void others_set(const std::string& column, table::Value value) {
        taken(engine->update(table::write::Update("Audience", people::profile_key(john))
                                 .set(column, std::move(value))));
    }
    // As rows of customers were before the topic was.
    void note_in_row(const std::string& reason) {
        taken(engine->update(table::write::Update("MailroomCustomers", customer_key("cust_001"))
                                 .set("opt_out", table::Value(true))
                                 .set("opt_out_reason", table::Value(reason))));
    }
    std::string trail(const std::string& email = john) {
        std::string text;
        const auto entries =
            taken(suppressions->books().trail.of(email, table::PageWish{.limit = 50, .after = {}}));
        for (const auto& entry : entries.items) {
            text += entry.what + " " + entry.from + ">" + entry.to + " by " +
                    entry.evidence.source + " " + entry.evidence.by + "; ";
        }
        return text;
    }
    Draft waiting() {
        transport.say({FakeTransport::refused(451, "later")});
        auto made = taken(approve(taken(draft(first))));
        run();
        return made;
    }
    Draft failed() {
        transport.say({FakeTransport::refused(554, "no")});
        auto made = taken(approve(taken(draft(first))));
        run();
        return made;
    }
    Customer shown() { return taken(accounts->show("cust_001")); }

    std::optional<people::People> everybody;
    std::optional<people::TopicCatalog> topics;
    std::optional<people::Confirmations> confirmations;
    std::optional<people::Preferences> preferences;
};

TEST_F(OptOutsTest, AnOptOutIsSaidOfThePersonWithWhoEnteredIt) {
    opt_out();
    const auto listed = taken(suppressions->find(john));
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_EQ(listed[0].topic(), "reminders");
    EXPECT_EQ(listed[0].source, "reminders");
    EXPECT_EQ(trail(), "topic:reminders >out by reminders ann; ");
    EXPECT_TRUE(shown().opt_out);
    EXPECT_EQ(shown().opt_out_reason, "request");
    EXPECT_FALSE(taken(everybody->find(john))) << "a debtor is no reader of news by saying so";
    EXPECT_FALSE(customer().noted_opt_out);

    taken(everybody->change("John@Example.com", {.first_name = "John"}));
    EXPECT_EQ(taken(everybody->require(john)).topics.at(id), TopicState::out)
        << "who becomes known has said it";
    taken(accounts->change("cust_001", {.opt_out = false}, boss));
    EXPECT_FALSE(shown().opt_out);
    EXPECT_EQ(taken(everybody->require(john)).topics.at(id), TopicState::in);
    EXPECT_EQ(decided(first), "allowed");
}

TEST_F(OptOutsTest, WhoeverSaysItAndWhereverItHolds) {
    struct Case {
        std::string_view name;
        std::function<void()> happens;
    };
    const Case cases[] = {
        {"the route of reminders", [this] { opt_out(); }},
        {"the route of people",
         [this] { taken(preferences->set_topic(john, id, TopicState::out, {.source = "api"})); }},
        {"the page of preferences", [this] { choose(false); }},
        {"a file",
         [this] {
             taken(import_customers(
                 *accounts, "customer_id,name,email,opt_out\ncust_001,John Doe," + john + ",yes\n",
                 ImportMode::for_real, ann));
         }},
        {"another program",
         [this] {
             others_set("mailroomTopics", table::Value::map(table::Item{{id, "out"}}));
         }},
        {"another node",
         [this] {
             auto other = taken(people::Suppressions::open(front->store(), clock, random));
             people::People there(other, *node->schedule);
             people::Change change;
             change.topics[id] = TopicState::out;
             taken(there.change(john, change));
         }},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        again();
        // The page shows a topic that is hidden to whom it concerns.
        taken(preferences->set_topic(john, id, TopicState::in, {.source = "api"}));
        const auto drafted = taken(draft(first));
        c.happens();
        EXPECT_EQ(decided(first), "suppressed");
        EXPECT_EQ(code(approve(drafted)), "suppressed");
        EXPECT_TRUE(shown().opt_out);
        EXPECT_EQ(taken(accounts->list({.limit = 10, .after = {}})).items.at(0).opt_out, true);

        again();
        taken(preferences->set_topic(john, id, TopicState::in, {.source = "api"}));
        waiting();
        c.happens();
        const auto before = transport.mails().size();
        clock.advance(1h);
        run();
        EXPECT_EQ(transport.mails().size(), before) << "what waits does not leave";

        again();
        taken(preferences->set_topic(john, id, TopicState::in, {.source = "api"}));
        const auto again_wanted = failed();
        clock.advance(1s);
        c.happens();
        EXPECT_EQ(code(deliveries->retry(again_wanted.id, std::nullopt, boss)), "suppressed");
    }
}

TEST_F(OptOutsTest, WhoSaysYesAgainIsRemindedAgain) {
    opt_out();
    EXPECT_EQ(decided(first), "suppressed");
    choose(true);
    EXPECT_EQ(decided(first), "allowed");
    EXPECT_FALSE(shown().opt_out);
    EXPECT_NE(trail().find("topic:reminders >in by preferences"), std::string::npos) << trail();
}

TEST_F(OptOutsTest, WhatIsSaidBetweenTheQuestionAndTheDecisionIsSeen) {
    schedule::Transaction approval;
    taken(suppressions->require_none(approval, mail_kind(), john));
    opt_out();
    EXPECT_FALSE(node->schedule->commit(approval));
    choose(true);

    const auto approved = taken(approve(taken(draft(first))));
    schedule::Transaction leaving;
    const auto mail = *taken(node->ledger.find(approved.mail_id));
    EXPECT_EQ(taken(guard->refusal(mail, leaving)), std::nullopt);
    choose(false);
    const auto committed = node->schedule->commit(leaving);
    ASSERT_FALSE(committed);
    EXPECT_EQ(static_cast<Error>(committed.error()).code, Errc::conflict);
}

TEST_F(OptOutsTest, ReceiptsAndNewsGoOn) {
    opt_out();
    for (const auto stream : {people::Stream::transactional, people::Stream::bulk}) {
        EXPECT_EQ(taken(suppressions->refusal(stream, john)), std::nullopt);
        EXPECT_EQ(taken(suppressions->refusal({stream, "offers"}, john)), std::nullopt);
    }
    EXPECT_EQ(taken(suppressions->refusal({people::Stream::transactional, id}, john)), std::nullopt)
        << "of other mails a topic counts as it always did";
}

TEST_F(OptOutsTest, ARowFromBeforeStillSaysNoUntilSomebodySaysYes) {
    note_in_row("request");
    EXPECT_EQ(decided(first), "suppressed");
    EXPECT_TRUE(shown().opt_out);
    // Changed for another reason it stays so, also under another address.
    taken(accounts->change("cust_001", {.email = "new@example.com"}, ann));
    EXPECT_EQ(decided(first), "suppressed");
    EXPECT_EQ(taken(suppressions->find("new@example.com")).at(0).topic(), "reminders");
    taken(accounts->change("cust_001", {.opt_out = false}, boss));
    EXPECT_EQ(decided(first), "allowed");
    EXPECT_FALSE(customer().noted_opt_out);

    again();
    note_in_row("request");
    taken(preferences->set_topic(john, id, TopicState::in, {.source = "api"}));
    EXPECT_EQ(decided(first), "allowed");
    EXPECT_FALSE(shown().opt_out);
    note_in_row("complaint");
    EXPECT_EQ(decided(first), "suppressed") << "that an administrator takes back";
}

TEST_F(OptOutsTest, ARowOfAnAddressFromBeforeStillSaysNo) {
    schedule::Transaction old;
    save_opt_out(old, *books, taken(read_address(*books, john)), "request");
    taken(books->commit(old));
    EXPECT_EQ(decided(first), "suppressed");
    taken(accounts->change("cust_001", {.opt_out = false}, boss));
    EXPECT_EQ(decided(first), "allowed");
}

TEST_F(OptOutsTest, ACustomerWhoMovesStaysOptedOut) {
    opt_out();
    taken(accounts->change("cust_001", {.email = "a@example.com"}, ann));
    EXPECT_EQ(decided(first), "suppressed");
    taken(import_customers(*accounts, "customer_id,name,email\ncust_001,John Doe,b@example.com\n",
                           ImportMode::for_real, ann));
    EXPECT_EQ(decided(first), "suppressed");
    EXPECT_EQ(taken(suppressions->find("b@example.com")).size(), 1u);
    Privacy privacy(*accounts);
    taken(privacy.erase("cust_001", boss));
    add_customer("again", "B@example.com");
    add_invoice("again", "INV-9", 100, "2025-08-01");
    EXPECT_EQ(decided(first, "again"), "suppressed") << "it outlives the customer";
}

TEST_F(OptOutsTest, WhoWasErasedIsNotMadeAgainByAnOptOut) {
    taken(everybody->change(john, {.first_name = "John"}));
    taken(everybody->erase(john, {.source = "api"}));
    opt_out();
    EXPECT_FALSE(taken(everybody->find(john)));
    for (const auto& row : taken(suppressions->rows().of(john))) {
        EXPECT_TRUE(row.text("Address")->starts_with("sha256:"));
        EXPECT_FALSE(row.has("Given"));
    }
    EXPECT_EQ(trail(), "");
    taken(accounts->change("cust_001", {.opt_out = false}, boss));
    EXPECT_EQ(taken(suppressions->find(john)).size(), 1u) << "only that they were erased";
    EXPECT_EQ(trail(), "");
    taken(suppressions->remove(john));
    EXPECT_EQ(decided(first), "allowed");
}

TEST_F(OptOutsTest, TheTopicIsMadeOnceAndStaysAsTheOperatorHasIt) {
    auto topic = taken(topics->require(id));
    EXPECT_TRUE(topic.details.hidden);
    topic.details.hidden = false;
    topic.details.name = "Dunning";
    taken(topics->save(id, topic.details));
    taken(add_topic(*topics));
    EXPECT_EQ(taken(topics->require(id)).details.name, "Dunning");
}

// What another program writes of a person, followed: the list has it, too, and a profile that lost
// the column by a write of the whole row gets it back.
TEST_F(OptOutsTest, WhatAnotherProgramSaysOfTheTopicIsTakenUp) {
    taken(everybody->change(john, {.first_name = "John"}));
    people::FollowedAudience followed(*suppressions);
    taken(followed.open());
    const auto others = [&](const std::function<void()>& write) {
        const table::WriteWatch::Rows rows{.keys = {people::partition_of_person(john)}};
        followed.begin(rows);
        write();
        followed.end(rows);
        return taken(followed.follow_all());
    };
    EXPECT_EQ(others([&] {
                  others_set("mailroomTopics", table::Value::map(table::Item{{id, "out"}}));
              }),
              1u);
    EXPECT_EQ(taken(suppressions->find(john)).at(0).source, "audience");
    EXPECT_EQ(others([&] {
                  auto row = people::profile_key(john);
                  row.set("email", table::Value(john)).set("unsubscribed", table::Value(false));
                  taken(engine->put(table::write::Put("Audience", row)));
              }),
              1u);
    EXPECT_EQ(taken(everybody->require(john)).topics.at(id), TopicState::out);
    EXPECT_EQ(decided(first), "suppressed");
}

}  // namespace
}  // namespace mailroom::reminders
