// A customer gets reminders in its language, as far as there are templates in it.
#include "reminders/import.h"
#include "reminders/reminders_fixture.h"

namespace mailroom::reminders {
namespace {

class LanguagesTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
    }
    void add_template(const std::string& id, const std::string& subject) {
        TemplateText text;
        text.name = id;
        text.subject = subject;
        text.body = "{{ total_amount }}";
        taken(templates->create(id, text));
    }
    // As another program adds one.
    void put_template(const std::string& id, const std::string& status) {
        table::PutItem put;
        put.table = "EmailTrackingTable";
        put.item = {{"PK", "TEMPLATE#" + id},
                    {"SK", "VERSION#1"},
                    {"status", status},
                    {"subject_template", "Lembrete do Brasil"},
                    {"body_template", "{{ total_amount }}"}};
        taken(engine->put(put));
    }
    void speak(const std::string& language) {
        taken(accounts->change("cust_001", {.language = language}, bob));
    }
    std::string drafted() {
        const auto made = taken(draft(ReminderType::first));
        taken(drafts->cancel(made.id, "", ann));
        clock.advance(std::chrono::seconds(1));
        return made.template_id + " " + made.letter.subject;
    }
};

TEST_F(LanguagesTest, ATagIsSpelledAsItShouldBe) {
    const std::pair<const char*, const char*> cases[] = {
        {"", ""},       {"de", "de"},
        {"DE", "de"},   {"pt-br", "pt-BR"},
        {"gsw", "gsw"}, {"zh-hant-tw", "zh-Hant-TW"},
        {"d", "-"},     {"german", "-"},
        {"de_DE", "-"}, {"de-", "-"},
        {"-de", "-"},   {"de-1", "de-1"},
        {"../x", "-"},  {"de-latn-1996", "de-Latn-1996"}};
    for (const auto& [given, want] : cases) {
        EXPECT_EQ(language_tag(given).value_or("-"), want) << given;
    }
}

TEST_F(LanguagesTest, TheClosestTemplateThatIsActiveWrites) {
    add_template("reminder_first-pt", "Lembrete");
    EXPECT_TRUE(drafted().starts_with("reminder_first "));
    speak("pt-br");
    EXPECT_EQ(customer().language, "pt-BR");
    EXPECT_EQ(drafted(), "reminder_first-pt Lembrete");
    put_template("reminder_first-pt-BR", "inactive");
    EXPECT_EQ(drafted(), "reminder_first-pt Lembrete") << "that one is not active yet";
    taken(templates->activate("reminder_first-pt-BR", 1));
    EXPECT_EQ(drafted(), "reminder_first-pt-BR Lembrete do Brasil");
    speak("de");
    EXPECT_TRUE(drafted().starts_with("reminder_first ")) << "better than nothing";
    speak("");
    EXPECT_TRUE(drafted().starts_with("reminder_first "));
}

TEST_F(LanguagesTest, ATemplateOfAnotherProgramNeedsNoType) {
    put_template("reminder_second-de", "active");
    EXPECT_EQ(taken(templates->active("reminder_second-de")).text.type, ReminderType::second);
}

TEST_F(LanguagesTest, AModelIsToldTheLanguage) {
    speak("fr");
    model.text = "Subject: Rappel\n\nBonjour";
    taken(drafts->create({.customer_id = "cust_001", .writer = Writer::by_model}, ann));
    EXPECT_NE(model.prompts.at(0).instructions.find("language with the tag fr."),
              std::string::npos);
}

TEST_F(LanguagesTest, AFileSaysLanguagesAndTakesNoneBack) {
    const auto imported = [&](const std::string& text) {
        return taken(import_customers(*accounts, text, ImportMode::for_real));
    };
    imported("customer_id,name,email,language\ncust_001,John Doe,john@example.com,DE\n");
    EXPECT_EQ(customer().language, "de");
    imported("customer_id,name,email,language\ncust_001,John Doe,john@example.com,\n");
    EXPECT_EQ(customer().language, "de");
    const auto wrong = imported("customer_id,name,email,language\nc2,Ann,ann@example.com,german\n");
    ASSERT_EQ(wrong.errors_total, 1);
    EXPECT_EQ(wrong.errors[0].field, "language");
}

TEST_F(LanguagesTest, WhatIsNoLanguageIsRefused) {
    const auto refused = accounts->change("cust_001", {.language = "german"}, bob);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fields.at(0).field, "language");
}

}  // namespace
}  // namespace mailroom::reminders
