// Rows that another program wrote, with the seed's attributes and no others.
#include "reminders/due.h"
#include "reminders/privacy.h"
#include "reminders/reminders_fixture.h"
#include "table/write_builder.h"

namespace mailroom::reminders {
namespace {

constexpr auto first = ReminderType::first;
constexpr auto second = ReminderType::second;
constexpr auto final_notice = ReminderType::final_notice;

class OthersRowsTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
    }
    void put(table::Item row) {
        taken(engine->put(table::write::Put("EmailTrackingTable", std::move(row))));
    }
    // As the seed's document has it.
    table::Item sent_row(const std::string& stamp, const std::string& date,
                         const std::string& type) {
        return {{"PK", "CUSTOMER#cust_001"},
                {"SK", "SENT#" + stamp + "_" + type},
                {"GSI1PK", "STATUS#sent"},
                {"GSI1SK", date},
                {"customer_id", "cust_001"},
                {"reminder_type", type},
                {"email_subject", "Payment Reminder from Innovate AI"},
                {"email_content", "Dear John..."},
                {"status", "sent"},
                {"sent_date", date},
                {"approved_by", "user_123"},
                {"ses_message_id", "0000014a"},
                {"delivery_status", "delivered"}};
    }
    static table::Item without(table::Item row, std::initializer_list<const char*> names) {
        table::Item rest;
        for (const auto& field : row.view()) {
            if (std::ranges::find(names, field.name) == names.end()) {
                rest.set(field.name, table::Value(field.value));
            }
        }
        return rest;
    }
    table::Item row_of(const Draft& draft) {
        return rows("CUSTOMER#cust_001", "DRAFT#" + draft.id).at(0);
    }
    table::Item template_row(const std::string& id, int version, const std::string& body) {
        return {{"PK", "TEMPLATE#" + id},
                {"SK", "VERSION#" + std::to_string(version)},
                {"GSI1PK", "STATUS#active"},
                {"GSI1SK", "2025-09-21T12:00:00Z"},
                {"template_id", id},
                {"template_name", "First Reminder Template"},
                {"template_type", "first_reminder"},
                {"subject_template", "Payment Reminder: Invoice {{invoice_id}} - Innovate AI"},
                {"body_template", body},
                {"status", "active"},
                {"created_date", "2025-09-21T12:00:00Z"},
                {"version", version},
                {"branding", "innovate_ai"}};
    }
};

TEST_F(OthersRowsTest, RecordsOfOthersCountForTheRules) {
    struct Case {
        std::string_view name;
        table::Item row;
        std::string_view first_says, second_says;
    };
    const std::string recent = "20250831_100000", old = "20250820_100000";
    auto bounced = sent_row(recent, "2025-08-31T10:00:00Z", "first");
    bounced.set("delivery_status", table::Value("bounced"));
    auto complained = sent_row(old, "2025-08-20T10:00:00Z", "first");
    complained.set("delivery_status", table::Value("Complained"));
    const auto in_code = sent_row(recent, "2025-08-31T10:00:00.123456", "first_reminder");
    const Case cases[] = {
        {"yesterday", sent_row(recent, "2025-08-31T10:00:00Z", "first"), "sent_recently",
         "predecessor_too_recent"},
        {"long ago", sent_row(old, "2025-08-20T10:00:00Z", "first"), "allowed", "allowed"},
        {"without a zone", in_code, "sent_recently", "predecessor_too_recent"},
        {"nothing but the key",
         without(sent_row(recent, "", "first"), {"sent_date", "reminder_type", "customer_id",
                                                 "status", "delivery_status", "GSI1PK", "GSI1SK"}),
         "sent_recently", "predecessor_too_recent"},
        {"bounced", bounced, "allowed", "predecessor_missing"},
        {"complained", complained, "suppressed", "suppressed"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        fresh();
        put(c.row);
        EXPECT_EQ(decided(first), c.first_says);
        EXPECT_EQ(decided(second), c.second_says);
    }
}

TEST_F(OthersRowsTest, TheNextReminderFollowsTheOneThatAnotherProgramSent) {
    put(sent_row("20250820_100000", "2025-08-20T10:00:00Z", "first"));
    const Assessor assessor(*books, *suppressions);
    const auto due = taken(list_due(*accounts, assessor, Which::all, {}));
    ASSERT_EQ(due.items.size(), 1u);
    EXPECT_EQ(due.items[0].decision.type, second);
    const auto made = taken(drafts->create({.customer_id = "cust_001"}, ann));
    EXPECT_EQ(made.type, second);
    EXPECT_NE(made.letter.text.find("2025-08-20"), std::string::npos) << made.letter.text;
    taken(approve(made));
    // Before ours leaves, the other program sends the same: ours stays.
    put(sent_row("20250901_100001", "2025-09-01T10:00:01Z", "second"));
    run();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::cancelled);
}

TEST_F(OthersRowsTest, ARecordOfAnEarlierCycleIsNoPredecessor) {
    put(sent_row("20250820_100000", "2025-08-20T10:00:00Z", "first"));
    pay("INV-001"), pay("INV-002");
    clock.advance(std::chrono::days(200));  // Another year, another bill.
    add_invoice("cust_001", "INV-003", 100, "2026-03-01");
    EXPECT_EQ(decided(second), "predecessor_missing");
    EXPECT_EQ(decided(first), "allowed");
}

TEST_F(OthersRowsTest, OneOddRowHidesNoOther) {
    put({{"PK", "CUSTOMER#cust_001"}, {"SK", "SENT#x"}, {"sent_date", 5}});
    put(sent_row("20250831_100000", "2025-08-31T10:00:00Z", "final"));
    EXPECT_EQ(decided(final_notice), "sent_recently");
    EXPECT_EQ(decided(first), "regression");
}

TEST_F(OthersRowsTest, ATemplateOfAnotherProgramIsUsed) {
    put(template_row("theirs", 1, "Dear {{customer_name}}, pay {{total_amount}}."));
    const auto made = taken(
        drafts->create({.customer_id = "cust_001", .type = first, .template_id = "theirs"}, ann));
    EXPECT_EQ(made.letter.text, "Dear John Doe, pay $1,500.00.");
    EXPECT_EQ(made.letter.subject, "Payment Reminder: Invoice INV-001 - Innovate AI");
    EXPECT_EQ(made.template_version, 1);
    EXPECT_EQ(taken(templates->active("theirs")).version, 1);
    const auto added = taken(templates->add_version(
        "theirs",
        {.name = "Ours", .type = first, .subject = "x", .body = "y", .html = std::nullopt},
        Templates::Activate::yes));
    EXPECT_EQ(added.version, 2);
    EXPECT_EQ(taken(templates->active("theirs")).version, 2);
    EXPECT_FALSE(taken(templates->version("theirs", 1)).is_active);
}

TEST_F(OthersRowsTest, AVersionThatAnotherProgramMadeActiveIsTheOne) {
    put(template_row("reminder_first", 2, "Theirs"));
    EXPECT_EQ(taken(templates->active("reminder_first")).text.body, "Theirs");
    const auto listed = taken(templates->list());
    EXPECT_EQ(std::ranges::count(listed, "reminder_first", &TemplateVersion::template_id), 1);
    EXPECT_EQ(taken(templates->activate("reminder_first", 1)).version, 1);
    EXPECT_EQ(taken(templates->active("reminder_first")).version, 1);
    const auto added = taken(templates->add_version(
        "reminder_first",
        {.name = "Ours", .type = first, .subject = "x", .body = "y", .html = std::nullopt},
        Templates::Activate::no));
    EXPECT_EQ(added.version, 3);
    restart();
    EXPECT_EQ(taken(templates->active("reminder_first")).version, 1) << "no one asked for another";
}

TEST_F(OthersRowsTest, ATemplateIsReadWithoutWhatItNeedNotHave) {
    put(without(template_row("reminder_old_final", 3, "Pay {{total_amount}}"),
                {"template_type", "template_name", "subject_template", "version", "branding",
                 "created_date", "template_id"}));
    const auto found = taken(templates->active("reminder_old_final"));
    EXPECT_EQ(found.text.type, final_notice);
    EXPECT_EQ(found.version, 3);
    EXPECT_EQ(found.text.subject, "Payment Reminder from {{ company_name }}");
}

TEST_F(OthersRowsTest, TheTemplatesThatYesterdaysServerBroughtAreRenewedOnce) {
    // As it was: it could not be rendered for a customer whom nobody had written to.
    taken(engine->update(
        table::write::Update("EmailTrackingTable",
                             {{"PK", "TEMPLATE#reminder_second"}, {"SK", "VERSION#1"}})
            .set("body_template", table::Value("on {{ last_reminder_date }}"))));
    restart();
    EXPECT_EQ(taken(templates->active("reminder_second")).version, 2);
    restart();
    EXPECT_EQ(taken(templates->versions("reminder_second")).size(), 2u);
}

TEST_F(OthersRowsTest, ADraftOfAnotherProgramIsApprovedAsItIsSeen) {
    put({{"PK", "CUSTOMER#cust_001"},
         {"SK", "DRAFT#20250901_090000_cust_001"},
         {"GSI1PK", "STATUS#draft"},
         {"GSI1SK", "2025-09-01T09:00:00Z"},
         {"customer_id", "cust_001"},
         {"customer_name", "John Doe"},
         {"customer_email", "john@example.com"},
         {"reminder_type", "first"},
         {"email_subject", "Payment Reminder"},
         {"email_content", "Dear John, please pay $1,500.00. [Your Name]"},
         {"status", "drafted"},
         {"created_date", "2025-09-01T09:00:00.123456"},
         {"created_by", "ai_system"},
         {"overdue_amount", "1500.00"},
         {"overdue_invoices", table::Value::list({"INV-001", "INV-002"})}});
    const auto seen = taken(drafts->find_with_check("20250901_090000_cust_001"));
    ASSERT_EQ(seen.warnings.size(), 1u);
    EXPECT_EQ(seen.warnings[0].code, "placeholder");
    taken(drafts->approve(seen.id, Consent{1, std::nullopt, content_hash_of(seen)}, bob));
    run();
    EXPECT_EQ(taken(drafts->find(seen.id)).status, DraftStatus::sent);
}

TEST_F(OthersRowsTest, ADraftIsOfTheCustomerUnderWhomItStands) {
    const auto draft = taken(this->draft(first));
    for (const auto& odd : {table::Value("cust_999"), table::Value(""), table::Value(7)}) {
        auto row = row_of(draft);
        row.set("customer_id", odd);
        put(row);
        EXPECT_EQ(taken(drafts->find(draft.id)).customer_id, "cust_001");
    }
    put(without(row_of(draft), {"customer_id"}));
    taken(approve(draft));
    run();
    EXPECT_EQ(taken(drafts->find(draft.id)).status, DraftStatus::sent);
}

TEST_F(OthersRowsTest, ADraftIsDecidedWhateverItsVersionIs) {
    const auto number = [](const char* text) { return table::Value(*table::Number::parse(text)); };
    const auto draft = taken(this->draft(first));
    const auto untouched = row_of(draft);
    for (const auto& odd : {table::Value("two"), number("1.5"), number("9e37"), table::Value(true),
                            table::Value::null(), table::Value::list({})}) {
        auto row = untouched;
        row.set("version", odd);
        put(row);
        taken(drafts->reject(draft.id, {.version = std::nullopt, .reason = "they called"}, bob));
        EXPECT_EQ(taken(drafts->find(draft.id)).status, DraftStatus::rejected);
    }
    fresh();
    const auto another = taken(this->draft(first));
    put(without(row_of(another), {"version"}));
    taken(approve(another));
}

TEST_F(OthersRowsTest, ADraftThatMakesNoSenseIsRefusedWithWhatIsWrong) {
    const auto draft = taken(this->draft(first));
    const auto untouched = row_of(draft);
    for (const auto* name : {"reminder_type", "status"}) {
        SCOPED_TRACE(name);
        auto row = untouched;
        row.set(name, table::Value("nonsense"));
        put(row);
        const std::vector<Refusal> refusals = {
            drafts->find(draft.id).error(), approve(draft).error(),
            drafts->reject(draft.id, {.version = std::nullopt, .reason = "no"}, bob).error()};
        for (const auto& refusal : refusals) {
            EXPECT_EQ(refusal.kind, Refusal::Kind::conflict);
            EXPECT_EQ(refusal.code, "unreadable");
            EXPECT_NE(refusal.message.find(name), std::string::npos) << refusal.message;
        }
        EXPECT_TRUE(taken(Privacy(*accounts).gather("cust_001")).drafts.empty())
            << "the rest is given out";
    }
    put(untouched);
    taken(approve(draft));
}

TEST_F(OthersRowsTest, ATemplateThatMakesNoSenseIsRefused) {
    put(without(template_row("theirs", 1, ""), {"body_template"}));
    const auto refused = templates->activate("theirs", 1).error();
    EXPECT_EQ(refused.kind, Refusal::Kind::conflict);
    EXPECT_EQ(refused.code, "unreadable");
    // But it does not keep better ones away.
    const TemplateText text{.name = "Ours",
                            .type = first,
                            .subject = "s",
                            .body = "b",
                            .html = std::nullopt,
                            .branding = ""};
    EXPECT_EQ(taken(templates->add_version("theirs", text, Templates::Activate::yes)).version, 2);
    EXPECT_EQ(taken(templates->active("theirs")).version, 2);
    EXPECT_EQ(templates->add_version("nobodys", text, Templates::Activate::yes).error().kind,
              Refusal::Kind::not_found);
}

}  // namespace
}  // namespace mailroom::reminders
