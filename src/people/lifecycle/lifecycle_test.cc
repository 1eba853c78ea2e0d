#include "people/lifecycle/lifecycle.h"

#include "people/activity.h"
#include "people/lifecycle/export.h"
#include "people/others/audience_follower.h"
#include "people/people_fixture.h"

namespace mailroom::people {
namespace {

class LifecycleTest : public PeopleTest {
protected:
    void SetUp() override {
        PeopleTest::SetUp();
        open();
    }
    void open() {
        const auto& books = people->books();
        const auto own = Books::people_table("MailroomPeople");
        confirmations.emplace(front->store(), clock, random, own);
        parts.emplace();
        sent.emplace(front->store(), "sent", "Audience", "SUB#",
                     [](std::string_view sort) { return sort.starts_with("SENT#"); });
        consent.emplace(front->store(), "consent", "MailroomPeople", "CONSENT#");
        sequences.emplace(books);
        activity.emplace(books);
        pending.emplace(books, *confirmations);
        for (auto* part : std::initializer_list<PersonalData*>{&*sent, &*consent, &*sequences,
                                                               &*activity, &*pending}) {
            parts->add(*part);
        }
        mover.emplace(*people, *parts, *schedule);
    }
    void make(const std::string& email, std::vector<std::string> tags, table::Item attributes) {
        Change change;
        change.given = email;
        change.tags = std::move(tags);
        change.attributes = std::move(attributes);
        change.evidence.source = "api";
        taken(people->change(email, change));
    }
    void others_row(const std::string& table, const std::string& hash, const std::string& range,
                    table::Item more = {}) {
        more.set("PK", table::Value(hash)).set("SK", table::Value(range));
        ASSERT_TRUE(engine->put(put(table, std::move(more))));
    }
    // Where an address is still to be found, in any table of people.
    std::vector<std::string> traces_of(const std::string& address) {
        std::vector<std::string> found;
        for (const auto* table : {"Audience", "MailroomPeople", "MailroomSuppressions"}) {
            for (const auto& item : all_rows(table)) {
                if (item.bytes().find(address) == std::string::npos) continue;
                found.push_back(std::string(table) + " " +
                                std::string(item.text("PK").value_or("")) + " " +
                                std::string(item.text("SK").value_or("")));
            }
        }
        return found;
    }
    static Evidence api() { return {.source = "api"}; }

    std::optional<Confirmations> confirmations;
    std::optional<PersonalRows> sent, consent;
    std::optional<SequenceParts> sequences;
    std::optional<ActivityParts> activity;
    std::optional<PendingParts> pending;
    std::optional<PersonalParts> parts;
    std::optional<Mover> mover;
};

TEST_F(LifecycleTest, EverythingGoesAlongToAnotherAddress) {
    make("Old@x.com", {"beta", "vip"}, {{"plan", "pro"}});
    Change out;
    out.unsubscribed = true;
    out.topics["news"] = TopicState::out;
    out.zone = "Europe/Berlin";
    taken(people->change("old@x.com", out));
    others_row("Audience", "SUB#old@x.com", "SENT#2026-01-01T00:00:00.000Z", {{"subject", "Hi"}});
    others_row("Audience", "SUB#old@x.com", "EXEC#onboarding", {{"executionArn", "a"}});
    others_row("Audience", "EXEC#onboarding", "SUB#old@x.com", {{"email", "old@x.com"}});
    const auto moved = taken(mover->change_address("old@x.com", "New@Y.com", api()));
    EXPECT_EQ(moved.email, "New@Y.com");
    EXPECT_EQ(moved.attributes.text("plan"), "pro");
    EXPECT_EQ(moved.zone, "Europe/Berlin");
    EXPECT_TRUE(moved.unsubscribed);
    EXPECT_FALSE(taken(people->find("old@x.com")));
    EXPECT_EQ(tag_rows(), (std::set<std::string>{"beta new@y.com", "vip new@y.com"}));
    EXPECT_TRUE(
        row("Audience", {{"PK", "SUB#new@y.com"}, {"SK", "SENT#2026-01-01T00:00:00.000Z"}}));
    EXPECT_TRUE(row("Audience", {{"PK", "SUB#new@y.com"}, {"SK", "EXEC#onboarding"}}));
    const auto partner = row("Audience", {{"PK", "EXEC#onboarding"}, {"SK", "SUB#new@y.com"}});
    ASSERT_TRUE(partner);
    EXPECT_EQ(partner->text("email"), "new@y.com");
    EXPECT_TRUE(partition("Audience", "SUB#old@x.com").empty());
    EXPECT_TRUE(partition("MailroomPeople", "CONSENT#old@x.com").empty());
    EXPECT_GE(consents("new@y.com").size(), 3u) << "with what was before";
    EXPECT_NE(refusal(MailKind(Stream::bulk, "news"), "new@y.com"), "");
    EXPECT_NE(refusal(Stream::bulk, "old@x.com"), "") << "never more than before";
}

TEST_F(LifecycleTest, ThatMailCameBackStaysWithTheOldAddress) {
    make("old@x.com", {}, {});
    taken(people->change("old@x.com", Change{.suppressed = true, .reason = "bounce"}));
    taken(mover->change_address("old@x.com", "new@x.com", api()));
    EXPECT_EQ(refusal(Stream::transactional, "new@x.com"), "");
    EXPECT_NE(refusal(Stream::transactional, "old@x.com"), "");
    make("angry@x.com", {}, {});
    taken(people->change("angry@x.com", Change{.suppressed = true, .reason = "complaint"}));
    taken(mover->change_address("angry@x.com", "angry@y.com", api()));
    EXPECT_NE(refusal(Stream::transactional, "angry@y.com"), "") << "a complaint is the person's";
}

TEST_F(LifecycleTest, WhoComesBackToAnOldAddressGetsNoMailThatWasRefusedThere) {
    make("ann@x.com", {}, {});
    taken(people->change(
        "ann@x.com",
        Change{.unsubscribed = true, .suppressed = true, .reason = "bounce", .evidence = api()}));
    taken(mover->change_address("ann@x.com", "ann@new.com", api()));
    make("ann@x.com", {"beta"}, {});
    const AudienceFollower follower(*suppressions);
    taken(follower.look([] { return false; }));
    const auto back = *taken(people->find("ann@x.com"));
    EXPECT_TRUE(back.suppressed && back.unsubscribed);
    EXPECT_EQ(refusal(Stream::transactional, "ann@x.com"), "suppressed: bounce");
    EXPECT_FALSE(taken(people->find("ann@new.com"))->suppressed);
}

TEST_F(LifecycleTest, AnAddressThatIsSomebodysOrNoneIsRefused) {
    make("ann@x.com", {}, {});
    make("bob@x.com", {}, {});
    EXPECT_EQ(code(mover->change_address("ann@x.com", "Bob@x.com", api())), "person_exists");
    EXPECT_EQ(code(mover->change_address("nobody@x.com", "new@x.com", api())), "person_not_found");
    EXPECT_FALSE(mover->change_address("ann@x.com", "nobody", api()));
    EXPECT_FALSE(mover->merge("ann@x.com", "ANN@x.com", api()));
    EXPECT_FALSE(mover->merge("ann@x.com", "nobody@x.com", api()));
    EXPECT_EQ(taken(mover->change_address("ann@x.com", "Ann@X.com", api())).email, "Ann@X.com");
}

TEST_F(LifecycleTest, TwoPeopleBecomeOne) {
    make("ann@x.com", {"a", "b"}, {{"plan", "pro"}});
    make("annie@x.com", {"b", "c"}, {{"plan", "free"}, {"city", "Bonn"}});
    Change says_no;
    says_no.topics["news"] = TopicState::out;
    says_no.may_track = false;
    taken(people->change("annie@x.com", says_no));
    Change says_yes;
    says_yes.topics["news"] = TopicState::in;
    taken(people->change("ann@x.com", says_yes));
    for (const auto* who : {"ann@x.com", "annie@x.com"}) {
        others_row("MailroomPeople", std::string("ACTIVITY#") + who, "LAST",
                   {{"openedAt", who[3] == '@' ? 10 : 20}, {"openedCount", 2}});
        others_row("Audience", std::string("SUB#") + who, "SENT#2026-01-01T00:00:00.000Z",
                   {{"subject", who}});
    }
    const auto one = taken(mover->merge("ann@x.com", "annie@x.com", api()));
    EXPECT_EQ(one.attributes.text("plan"), "pro") << "what the one who stays has counts";
    EXPECT_EQ(one.attributes.text("city"), "Bonn");
    EXPECT_EQ(one.tags, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(one.topics.at("news"), TopicState::out);
    EXPECT_FALSE(one.may_track);
    EXPECT_EQ(tag_rows(), tags_of_profiles());
    const auto did = row("MailroomPeople", {{"PK", "ACTIVITY#ann@x.com"}, {"SK", "LAST"}});
    EXPECT_EQ(did->integer("openedAt"), 20);
    EXPECT_EQ(did->integer("openedCount"), 4);
    EXPECT_EQ(partition("Audience", "SUB#ann@x.com").size(), 3u) << "both mails and the profile";
    EXPECT_TRUE(partition("Audience", "SUB#annie@x.com").empty());
}

TEST_F(LifecycleTest, AMoveThatWasInterruptedIsSeenThrough) {
    make("old@x.com", {}, {});
    others_row("Audience", "SUB#old@x.com", "SENT#2026-01-01T00:00:00.000Z");
    // Nothing but the switch itself was done.
    PersonalParts none;
    const Mover dies(*people, none, *schedule);
    taken(dies.change_address("old@x.com", "new@x.com", api()));
    EXPECT_EQ(partition("Audience", "SUB#old@x.com").size(), 1u);
    schedule::Crew jobs(*schedule, clock, {.queues = {moving_queue}, .threads = 0},
                        [this](schedule::JobInHand job) { mover->run(std::move(job)); });
    jobs.start();
    clock.advance(std::chrono::minutes(1));
    jobs.run_due();
    EXPECT_TRUE(partition("Audience", "SUB#old@x.com").empty());
    EXPECT_EQ(partition("Audience", "SUB#new@x.com").size(), 2u);
}

TEST_F(LifecycleTest, ManyTagsGoAlong) {
    make("old@x.com", numbered("t", 130), {});
    const auto moved = taken(mover->change_address("old@x.com", "new@x.com", api()));
    EXPECT_EQ(moved.tags.size(), 130u);
    EXPECT_EQ(tag_rows().size(), 130u);
    EXPECT_EQ(tag_rows(), tags_of_profiles());
}

TEST_F(LifecycleTest, EverythingKnownIsGivenOutAndGoes) {
    make("ann@x.com", {"beta"}, {{"plan", "pro"}});
    others_row("Audience", "SUB#ann@x.com", "SENT#2026-01-01T00:00:00.000Z", {{"subject", "Hi"}});
    others_row("Audience", "SUB#ann@x.com", "EXEC#onboarding");
    others_row("Audience", "EXEC#onboarding", "SUB#ann@x.com", {{"email", "ann@x.com"}});
    schedule::Transaction together;
    PendingOptIn wanted;
    wanted.email = "ann@x.com";
    taken(confirmations->add_to(together, wanted));
    taken(schedule->commit(together));
    taken(people->change("ann@x.com", Change{.unsubscribed = true}));
    const auto text = taken(export_person(*people, *parts, "Ann@x.com"));
    for (const auto* known :
         {"\"plan\":\"pro\"", "\"subject\":\"Hi\"", "\"Stream\":\"bulk\"", "EXEC#onboarding",
          "\"pending\":[{\"email\":\"ann@x.com\"", "\"consent\":[{"}) {
        EXPECT_NE(text.find(known), std::string::npos) << known << " in " << text;
    }
    json::Parser parser;
    EXPECT_TRUE(parser.parse(text));
    taken(people->erase("ann@x.com", api()));
    taken(parts->erase_until("ann@x.com", Time::max()));
    EXPECT_EQ(traces_of("ann@x.com"), std::vector<std::string>());
    EXPECT_NE(refusal(Stream::transactional, "ann@x.com"), "") << "the hash remembers";
    EXPECT_FALSE(export_person(*people, *parts, "bob@x.com"));
}

TEST_F(LifecycleTest, EverybodyIsExportedAsImportTakesThem) {
    make("ann@x.com", {"a", "b"}, {{"plan", "pro, \"gold\""}, {"seats", 3}});
    make("bob@x.com", {}, {{"zip", "01234"}});
    const auto all = [&](ExportFormat format) {
        const auto pieces = taken(export_people(people->books(), format));
        std::string text;
        for (auto piece = taken(pieces->next()); !piece.empty(); piece = taken(pieces->next())) {
            text += piece;
        }
        return text;
    };
    for (const auto format : {ExportFormat::json_lines, ExportFormat::csv}) {
        const auto text = all(format);
        const auto checked = check_file(text, {});
        ASSERT_TRUE(checked) << checked.error().text() << text;
        EXPECT_EQ(checked->mistakes_total, 0) << text;
        const auto before = all_rows("Audience");
        const Importer importer(*people, *schedule, 0);
        const auto report = taken(importer.report(text, {}));
        EXPECT_EQ(report.counts.unchanged, 2) << text;
    }
    EXPECT_EQ(all(ExportFormat::csv).find("createdAt,plan,seats,zip\n") != std::string::npos, true);
}

}  // namespace
}  // namespace mailroom::people
