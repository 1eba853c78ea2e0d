#include "reminders/reminders_fixture.h"

#include <algorithm>
#include <thread>

namespace mailroom::reminders {
namespace {

class TemplatesTest : public RemindersTest {
protected:
    static TemplateText text(std::string body) {
        return {.name = "Mine",
                .type = ReminderType::first,
                .subject = "To {{ customer_name }}",
                .body = std::move(body),
                .html = std::nullopt};
    }
};

TEST_F(TemplatesTest, ANewcomerFindsOneOfEachType) {
    std::string ids;
    for (const auto& version : taken(templates->list())) ids += version.template_id + " ";
    EXPECT_EQ(ids, "reminder_final reminder_first reminder_second ");
    taken(templates->add_built_in());
    EXPECT_EQ(taken(templates->versions("reminder_first")).size(), 1u) << "not a second time";
    const auto row = rows("TEMPLATE#reminder_first", "VERSION#").at(0);
    EXPECT_EQ(row.text("GSI1PK"), "STATUS#active");
    EXPECT_EQ(row.text("GSI1SK"), "2025-09-01T10:00:00Z");
    EXPECT_EQ(row.text("template_type"), "first_reminder");
    EXPECT_EQ(row.text("status"), "active");
    EXPECT_EQ(row.integer("version"), 1);
}

TEST_F(TemplatesTest, VersionsStayAndExactlyOneIsActive) {
    taken(templates->create("mine", text("one")));
    EXPECT_EQ(code(templates->create("mine", text("other"))), "template_exists");
    EXPECT_EQ(taken(templates->add_version("mine", text("two"), Templates::Activate::no)).version,
              2);
    EXPECT_EQ(taken(templates->active("mine")).text.body, "one");
    taken(templates->add_version("mine", text("three"), Templates::Activate::yes));
    EXPECT_EQ(taken(templates->active("mine")).text.body, "three");
    taken(templates->activate("mine", 2));
    std::string statuses;
    for (const auto& version : taken(templates->versions("mine"))) {
        statuses += version.text.body + (version.is_active ? "* " : " ");
    }
    EXPECT_EQ(statuses, "one two* three ");
    EXPECT_EQ(code(templates->activate("mine", 9)), "not_found");
    EXPECT_EQ(code(templates->add_version("nobody", text("x"), Templates::Activate::no)),
              "not_found");
}

TEST_F(TemplatesTest, ParallelVersionsGetNumbersOfTheirOwn) {
    taken(templates->create("mine", text("one")));
    std::vector<std::thread> writers;
    for (int i = 0; i < 8; ++i) {
        writers.emplace_back([&, i] {
            taken(templates->add_version("mine", text("x" + std::to_string(i)),
                                         Templates::Activate::yes));
        });
    }
    for (auto& writer : writers) writer.join();
    const auto versions = taken(templates->versions("mine"));
    EXPECT_EQ(versions.size(), 9u);
    EXPECT_EQ(std::ranges::count(versions, true, &TemplateVersion::is_active), 1);
}

TEST_F(TemplatesTest, WhatIsNoTemplateIsRefusedByName) {
    struct Case {
        std::string id;
        TemplateText text;
        std::string_view field;
    };
    const Case cases[] = {
        {"a b", text("x"), "template_id"},
        {"mine", text(""), "body_template"},
        {"mine", text("{{ broken"), "body_template"},
        {"mine", text("{% if %}"), "body_template"},
        {"mine", {.name = "", .subject = "x", .body = "x", .html = std::nullopt}, "template_name"},
        {"mine",
         {.name = "x", .subject = "", .body = "x", .html = std::nullopt},
         "subject_template"},
        {"mine", {.name = "x", .subject = "x", .body = "x", .html = "{{ broken"}, "html_template"},
    };
    for (const auto& c : cases) {
        const auto made = templates->create(c.id, c.text);
        EXPECT_EQ(made ? "" : made.error().fields.at(0).field, c.field);
    }
}

TEST_F(TemplatesTest, EveryHoleIsNamedOnceAndHtmlIsEscaped) {
    auto mine = text("{{ a }} {{ b }} {{ a }}");
    mine.html = "<p>{{ customer_name }}</p>";
    const auto made = taken(templates->create("mine", mine));
    const auto holes =
        author->preview(made, liquid::OwnedValue::object({{"customer_name", "Eve"}}));
    EXPECT_EQ(detail(holes, "missing_variables"), R"(["a","b"])");
    const auto letter = taken(author->preview(
        made, liquid::OwnedValue::object(
                  {{"customer_name", "<b>Eve</b>\r\nBcc: x"}, {"a", "1"}, {"b", "2"}})));
    EXPECT_EQ(letter.subject.find('\n'), std::string::npos);
    EXPECT_NE(letter.html.find("<p>&lt;b&gt;Eve&lt;/b&gt;"), std::string::npos);
    EXPECT_EQ(letter.text, "1 2 1");
}

TEST_F(TemplatesTest, ADraftSaysWhichVersionItIsOf) {
    add_john();
    taken(templates->add_version("reminder_first", text("Dear {{ customer_name }}"),
                                 Templates::Activate::yes));
    const auto made = taken(draft(ReminderType::first));
    EXPECT_EQ(made.letter.text, "Dear John Doe");
    EXPECT_EQ(made.template_version, 2);
    add_customer("c2", "c2@example.com");
    add_invoice("c2", "I2", 100, "2025-08-01");
    const auto wrong = drafts->create({.customer_id = "c2", .template_id = "reminder_final"}, ann);
    EXPECT_EQ(wrong.error().fields.at(0).field, "template_id");
}

}  // namespace
}  // namespace mailroom::reminders
