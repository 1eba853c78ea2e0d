#include "people/import/importer.h"

#include "people/lifecycle/mover.h"
#include "people/others/audience_follower.h"
#include "people/people_fixture.h"

#include <chrono>

namespace mailroom::people {
namespace {

class ImporterTest : public PeopleTest {
protected:
    void SetUp() override {
        PeopleTest::SetUp();
        open();
    }
    void open() {
        importer.emplace(*people, *schedule, 0);
        jobs.emplace(*schedule, clock,
                     schedule::CrewOptions{.queues = {import_queue}, .threads = 0},
                     [this](schedule::JobInHand job) { importer->run(std::move(job)); });
        jobs->start();
    }
    void TearDown() override { jobs.reset(); }

    Import start(std::string_view file, OnMistakes on_mistakes = OnMistakes::refuse) {
        ImportWish wish;
        wish.on_mistakes = on_mistakes;
        wish.evidence.form = "old list";
        return taken(importer->start(file, wish));
    }
    std::string counts_of(const std::string& id) {
        const auto import = taken(importer->require(id));
        return shown(import.counts) + (import.state == ImportState::done ? "done" : "running");
    }
    static std::string shown(const ImportCounts& counts) {
        return std::to_string(counts.created) + " created " + std::to_string(counts.updated) +
               " updated " + std::to_string(counts.unchanged) + " unchanged " +
               std::to_string(counts.erased) + " erased " + std::to_string(counts.failed) +
               " failed ";
    }
    std::size_t file_rows(const std::string& id) {
        const auto rows = partition("MailroomPeople", "IMPORT#" + id);
        return static_cast<std::size_t>(std::ranges::count_if(
            rows, [](const auto& row) { return *row.text("SK") != "IMPORT"; }));
    }

    std::optional<Importer> importer;
    std::optional<schedule::Crew> jobs;
};

constexpr std::string_view three =
    "email;firstName;plan;seats;tags\nAnn@X.com;Ann;pro;3;beta,news\nbob@x.com;Bob;free;1;beta\n"
    "carl@x.com;;;;\n";

TEST_F(ImporterTest, RowsBecomePeopleAsTheTableHasThem) {
    const auto import = start(three);
    EXPECT_EQ(import.rows, 3);
    EXPECT_EQ(counts_of(import.id), "0 created 0 updated 0 unchanged 0 erased 0 failed running");
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "3 created 0 updated 0 unchanged 0 erased 0 failed done");
    const auto row = profile_row("ann@x.com");
    ASSERT_TRUE(row);
    EXPECT_EQ(row->text("email"), "Ann@X.com");
    EXPECT_EQ(row->text("firstName"), "Ann");
    EXPECT_EQ(row->text("plan"), "pro");
    EXPECT_EQ(row->integer("seats"), 3);
    EXPECT_EQ(row->boolean("unsubscribed"), false);
    EXPECT_EQ(row->text("mailroomSource"), "import:" + import.id);
    EXPECT_EQ(tag_rows(),
              (std::set<std::string>{"beta ann@x.com", "beta bob@x.com", "news ann@x.com"}));
    EXPECT_EQ(tag_rows(), tags_of_profiles());
    EXPECT_EQ(file_rows(import.id), 0u) << "nothing of the file is left";
}

TEST_F(ImporterTest, AFileAddsAndNeverTakesAway) {
    Change known;
    known.first_name = "Annie";
    known.tags = {"vip"};
    known.attributes = {{"plan", "free"}, {"country", "ZA"}};
    known.unsubscribed = true;
    known.suppressed = true;
    taken(people->change("ann@x.com", known));
    const auto import = start(
        "email,firstName,plan,tags,unsubscribed,suppressed,createdAt\nann@x.com,,pro,beta,false,"
        "no,2001-01-01\n");
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "0 created 1 updated 0 unchanged 0 erased 0 failed done");
    const auto ann = *taken(people->find("ann@x.com"));
    EXPECT_EQ(ann.first_name, "Annie");
    EXPECT_EQ(ann.attributes.text("plan"), "pro");
    EXPECT_EQ(ann.attributes.text("country"), "ZA");
    EXPECT_EQ(ann.tags, (std::vector<std::string>{"vip", "beta"}));
    EXPECT_TRUE(ann.unsubscribed && ann.suppressed) << "nobody becomes subscribed by a file";
    const auto again = start("email,plan,tags\nann@x.com,pro,beta\n");
    jobs->run_due();
    EXPECT_EQ(counts_of(again.id), "0 created 0 updated 1 unchanged 0 erased 0 failed done");
}

TEST_F(ImporterTest, WhoWantsNoMailInTheFileGetsNone) {
    start("email,unsubscribed,suppressed\nann@x.com,yes,\nbob@x.com,,true\n");
    jobs->run_due();
    EXPECT_NE(refusal(Stream::bulk, "ann@x.com"), "");
    EXPECT_EQ(refusal(Stream::transactional, "ann@x.com"), "");
    EXPECT_NE(refusal(Stream::transactional, "bob@x.com"), "");
    EXPECT_EQ(consents("ann@x.com").size(), 1u);
}

TEST_F(ImporterTest, WhoWasErasedDoesNotComeBackByAFile) {
    taken(people->change("ann@x.com", Change{.first_name = "Ann"}));
    taken(people->erase("ann@x.com", {.source = "api"}));
    const auto import = start(three);
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "2 created 0 updated 0 unchanged 1 erased 0 failed done");
    EXPECT_FALSE(profile_row("ann@x.com"));
    EXPECT_NE(refusal(Stream::transactional, "ann@x.com"), "");
}

TEST_F(ImporterTest, WhoComesByAFileToAnAddressThatRefusedMailGetsNone) {
    taken(people->change("ann@x.com", Change{.unsubscribed = true, .suppressed = true}));
    const Mover mover(*people, people->books().parts, *schedule);
    taken(mover.change_address("ann@x.com", "ann@new.com", {.source = "api"}));
    const auto import = start(three);
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "3 created 0 updated 0 unchanged 0 erased 0 failed done");
    const AudienceFollower follower(*suppressions);
    taken(follower.look([] { return false; }));
    const auto ann = *taken(people->find("ann@x.com"));
    EXPECT_TRUE(ann.suppressed && ann.unsubscribed);
    EXPECT_EQ(ann.tags, (std::vector<std::string>{"beta", "news"}));
    EXPECT_NE(refusal(Stream::transactional, "ann@x.com"), "");
}

TEST_F(ImporterTest, WhoIsBackAfterErasureIsAPersonLikeOthers) {
    taken(people->change("ann@x.com", Change{.first_name = "Ann"}));
    taken(people->erase("ann@x.com", {.source = "api"}));
    taken(people->change("ann@x.com", Change{.first_name = "Ann"}));
    const auto import = start("email,unsubscribed\nann@x.com,yes\n");
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "0 created 1 updated 0 unchanged 0 erased 0 failed done");
    EXPECT_TRUE(taken(people->find("ann@x.com"))->unsubscribed);
    EXPECT_NE(refusal(Stream::transactional, "ann@x.com"), "");
}

TEST_F(ImporterTest, MistakesRefuseTheFileOrAreLeftOut) {
    constexpr std::string_view file = "email,tags\nann@x.com,a\nnobody,b\nann@x.com,c\n";
    const auto refused = importer->start(file, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::invalid);
    EXPECT_NE(refused.error().message.find("2 mistakes in all; nothing was imported"),
              std::string::npos);
    EXPECT_NE(refused.error().details.find("\"line\":4"), std::string::npos);
    jobs->run_due();
    EXPECT_TRUE(all_rows("Audience").empty());
    const auto import = start(file, OnMistakes::skip);
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "1 created 0 updated 0 unchanged 0 erased 0 failed done");
    EXPECT_EQ(taken(importer->require(import.id)).mistakes_total, 2);
    EXPECT_EQ(taken(importer->mistakes(import.id, {})).items.size(), 2u);
    EXPECT_FALSE(importer->require("nothing"));
}

TEST_F(ImporterTest, AllMistakesAreListedPageByPage) {
    std::string file = "email,time_zone,language\n";
    std::vector<std::int64_t> want;
    for (int i = 0; i < 2500; ++i) {
        // One good row, then one with one mistake, then one with two.
        const std::string email = "p" + std::to_string(i) + "@x.com";
        if (i % 3 == 0) file += email + ",,\n";
        if (i % 3 == 1) file += email + ",Mars,\n";
        if (i % 3 == 2) file += email + ",Mars,a language\n";
        for (int wrong = 0; wrong < i % 3; ++wrong) want.push_back(i + 2);
    }
    const auto import = start(file, OnMistakes::skip);
    jobs->run_due();
    EXPECT_EQ(taken(importer->require(import.id)).mistakes_total,
              static_cast<std::int64_t>(want.size()));
    for (const std::size_t limit : {1000U, 499U, 7U}) {
        std::vector<std::int64_t> lines;
        table::PageWish wish{.limit = limit, .after = {}};
        do {
            const auto page = taken(importer->mistakes(import.id, wish));
            EXPECT_LE(page.items.size(), limit);
            for (const auto& mistake : page.items) lines.push_back(mistake.line);
            wish.after = page.next;
        } while (wish.after);
        EXPECT_EQ(lines, want) << limit;
    }
    for (const std::string wrong :
         {"", "x", "-1", "-1.", "-1.x", "#1.1", "-1.99999999999999999999"}) {
        EXPECT_FALSE(importer->mistakes(import.id, {.limit = 5, .after = wrong})) << wrong;
    }
    EXPECT_EQ(code(importer->mistakes("none", {})), "not_found");
    // And those of a file that is only looked at, a thousand at a time.
    std::vector<std::int64_t> told;
    ImportWish wish;
    for (;;) {
        const auto report = taken(importer->report(file, wish));
        EXPECT_EQ(report.mistakes_total, static_cast<std::int64_t>(want.size()));
        if (report.mistakes.empty()) break;
        for (const auto& mistake : report.mistakes) told.push_back(mistake.line);
        wish.mistakes_after = told.back();
    }
    EXPECT_EQ(told, want);
}

TEST_F(ImporterTest, ADryRunTellsWhatWouldBeDoneAndDoesNothing) {
    taken(people->change("bob@x.com", Change{.first_name = "Bob"}));
    const auto before = all_rows("Audience");
    const auto report = taken(importer->report(three, {}));
    EXPECT_EQ(report.rows, 3);
    EXPECT_EQ(shown(report.counts), "2 created 1 updated 0 unchanged 0 erased 0 failed ");
    jobs->run_due();
    EXPECT_EQ(all_rows("Audience"), before);
}

TEST_F(ImporterTest, MoreTagsThanATransactionHoldsAreTakenIn) {
    std::string tags;
    for (const auto& tag : numbered("t", 120)) tags += tag + ",";
    const auto import = start("email,tags\nann@x.com,\"" + tags + "\"\nbob@x.com,t1\n");
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "2 created 0 updated 0 unchanged 0 erased 0 failed done");
    EXPECT_EQ(taken(people->find("ann@x.com"))->tags.size(), 120u);
    EXPECT_EQ(tag_rows(), tags_of_profiles());
}

TEST_F(ImporterTest, WhatWasInterruptedGoesOnAndCountsNothingTwice) {
    std::string file = "email,note,tags\n";
    const std::string note(2'000, 'x');
    for (int i = 0; i < 300; ++i) file += "p" + std::to_string(i) + "@x.com," + note + ",a\n";
    const auto import = start(file);
    const auto stored = taken(importer->require(import.id));
    ASSERT_GT(stored.parts, 1);
    // Half of the first part is written, and then the process ends.
    const BatchWriter writer(*people, *schedule);
    const auto key = import_key(import.id, "PART#" + part_name(0));
    const auto text = std::string(*row("MailroomPeople", key)->text("rows"));
    const auto batches = taken(batches_of(stored, text));
    ASSERT_GT(batches.size(), 2u);
    for (std::size_t i = 0; i < batches.size() / 2; ++i) {
        taken(writer.write(stored, batches[i]));
        taken(writer.write(stored, batches[i]));
    }
    jobs.reset();
    begin(front->store());
    open();
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "300 created 0 updated 0 unchanged 0 erased 0 failed done");
    EXPECT_EQ(tag_rows().size(), 300u);
    EXPECT_EQ(tag_rows(), tags_of_profiles());
}

TEST_F(ImporterTest, TheSameRequestIsOneImportHoweverOftenItIsMade) {
    ImportWish wish;
    wish.id = "of-the-request";
    const auto import = taken(importer->start(three, wish));
    EXPECT_EQ(import.id, "of-the-request");
    EXPECT_EQ(taken(importer->start(three, wish)).id, import.id);
    jobs->run_due();
    taken(people->untag("ann@x.com", "beta"));
    jobs.reset();
    begin(front->store());
    open();
    EXPECT_EQ(taken(importer->start(three, wish)).state, ImportState::done);
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "3 created 0 updated 0 unchanged 0 erased 0 failed done");
    EXPECT_EQ(file_rows(import.id), 0u);
    EXPECT_EQ(taken(people->find("ann@x.com"))->tags, (std::vector<std::string>{"news"}));
}

TEST_F(ImporterTest, AFileThatWasNotAcknowledgedGoesByItself) {
    const auto import = start(three);
    for (const auto& item : partition("MailroomPeople", "IMPORT#" + import.id)) {
        const bool is_the_job = *item.text("SK") == "IMPORT";
        EXPECT_EQ(item.has("ttl"), !is_the_job) << *item.text("SK");
    }
    clock.advance(std::chrono::hours(24 * 365 * 2));
    EXPECT_TRUE(importer->require(import.id)) << "it is the evidence for these people";
}

TEST_F(ImporterTest, SeveralThreadsDoWhatOneDoes) {
    std::string file = "email,note,tags\n";
    const std::string note(500, 'x');
    for (int i = 0; i < 400; ++i) file += "p" + std::to_string(i) + "@x.com," + note + ",a;b\n";
    importer.emplace(*people, *schedule, 4);
    const auto import = start(file);
    jobs->run_due();
    EXPECT_EQ(counts_of(import.id), "400 created 0 updated 0 unchanged 0 erased 0 failed done");
    EXPECT_EQ(tag_rows().size(), 800u);
    EXPECT_EQ(tag_rows(), tags_of_profiles());
}

}  // namespace
}  // namespace mailroom::people
