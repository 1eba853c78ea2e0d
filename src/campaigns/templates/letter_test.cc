#include "campaigns/templates/letter.h"

#include "base/base64.h"
#include "campaigns/templates/templates_fixture.h"

#include <thread>

namespace mailroom::campaigns {
namespace {

class LetterTest : public TemplatesTest {
protected:
    static Reader with(table::Item attributes) {
        auto reader = jane();
        reader.attributes = std::move(attributes);
        return reader;
    }
    // What a text of a mail becomes.
    std::string text(const std::string& key, std::string source, const Reader& reader) {
        TemplateBody body;
        body.content.texts.text = std::move(source);
        save(key, body);
        return render(key, reader).text.value_or("");
    }
};

// What programs of the schema have always got.
TEST_F(LetterTest, ASubjectAndABodyAreFilledForThePerson) {
    save("onboarding/welcome", mail("Hey {{ firstName }}", "<h1>Hello {{ firstName }}</h1>"));
    const auto rendered = render("onboarding/welcome", jane());
    EXPECT_EQ(rendered.subject, "Hey Jane");
    EXPECT_EQ(rendered.html, "<h1>Hello Jane</h1>");
}

TEST_F(LetterTest, LaterThingsOfTheContextHideEarlierOnes) {
    TemplateBody names;
    names.content.display_names = {{"platformName", {{"web", "Web App"}}},
                                   {"roleName", {{"admin", "Administrator"}}}};
    save("display-names", names);
    const std::string asked = "{{plan}}|{{platformName}}|{{roleName}}|{{currentYear}}";
    auto reader = with({{"plan", "pro"}, {"platform", "web"}});
    reader.given = {{"plan", "free"}};
    clock.set(from_unix_ms(1'767'225'600'000));  // 2026-01-01
    EXPECT_EQ(text("a", asked, reader), "pro|Web App||2026");
    reader.attributes = table::Item{{"plan", "pro"}, {"platform", "desktop"}};
    EXPECT_EQ(text("a", asked, reader), "pro|desktop||2026");
    reader.attributes = table::Item{{"plan", "pro"}, {"platform", 123}};
    EXPECT_EQ(text("a", asked, reader), "pro|||2026");
    reader.attributes = std::nullopt;
    EXPECT_EQ(text("a", asked, reader), "free|||2026");
    // A person of whom nothing is known is there nevertheless.
    reader.attributes = table::Item();
    EXPECT_EQ(text("a", asked, reader), "|||2026");
}

TEST_F(LetterTest, WhatIsGivenCountsAsItIsAndLinksAndTheYearAreOurs) {
    auto reader = jane();
    reader.given = {{"email", "other@example.com"}, {"currentYear", 1}, {"unsubscribeUrl", "x"}};
    EXPECT_EQ(text("a", "{{email}} {{currentYear}} {{unsubscribeUrl}}", reader),
              "other@example.com " + text("b", "{{currentYear}}", jane()) + " %unsubscribe_url%");
}

TEST_F(LetterTest, AttributesOfEveryTypeAreSeen) {
    const auto reader = with({{"t", "x"},
                              {"n", 5},
                              {"d", taken(table::Number::parse("2.5"))},
                              {"b", true},
                              {"z", table::Value::null()},
                              {"l", table::Value::list({"a", 2})},
                              {"m", table::Value::map(table::Item{{"k", "v"}})},
                              {"s", table::Value::string_set({"p", "q"})}});
    EXPECT_EQ(text("a",
                   "{{t}} {{n | plus: 1}} {{d | times: 2}} {% if b %}yes{% endif %}[{{z}}] "
                   "{{l | join: ','}} {{m.k}} {{s | join: ','}} {{ missing }}",
                   reader),
              "x 6 5 yes[] a,2 v p,q ");
}

TEST_F(LetterTest, ValuesAreNoHtmlUnlessTheTemplateSaysThatTheyMayBe) {
    auto body = mail("{{ firstName }}", "<b>{{ firstName }}</b>{{ firstName | raw }}");
    auto reader = jane();
    reader.first_name = "<i>&";
    save("a", body);
    const auto escaped = render("a", reader);
    EXPECT_EQ(escaped.html, "<b>&lt;i&gt;&amp;</b><i>&");
    EXPECT_EQ(escaped.subject, "<i>&");
    body.content.escape = Escaping::none;
    save("a", body);
    EXPECT_EQ(render("a", reader).html, "<b><i>&</b><i>&");
}

TEST_F(LetterTest, ASubjectIsOneLineAndMayBeTheSendersOwn) {
    save("a", mail("  Hi\r\n{{ firstName }}\t! ", "x"));
    EXPECT_EQ(render("a", jane()).subject, "Hi  Jane !");
    const auto own = liquid::Template::compile("{{ firstName }}, listen");
    EXPECT_EQ(done(letter("a")->render(jane(), &*own)).subject, "Jane, listen");
}

TEST_F(LetterTest, APreheaderStandsWhereTheBodyBeginsUnlessTheTemplatePlacesIt) {
    auto body = mail("Hi", "<html><head></head><BODY class=\">\">Text</BODY></html>");
    body.content.texts.preheader = "For {{ firstName }} <3";
    save("a", body);
    auto rendered = render("a", jane());
    EXPECT_EQ(rendered.preheader, "For Jane <3");
    EXPECT_EQ(rendered.html->find("<html><head></head><BODY class=\">\"><div style=\"display:none"),
              0U)
        << *rendered.html;
    EXPECT_NE(rendered.html->find(">For Jane &lt;3&#847;"), std::string::npos);
    body.content.texts.html = "<body><p>{{ preheader }}</p></body>";
    save("a", body);
    EXPECT_EQ(rendered_html("a", jane()), "<body><p>For Jane &lt;3</p></body>");
    body.content.texts.html = "no body";
    save("a", body);
    EXPECT_EQ(rendered_html("a", jane()).find("<div style"), 0U);
    // For somebody of whom it says nothing there is none.
    body.content.texts.preheader = "{{ nothing }}";
    save("a", body);
    EXPECT_EQ(rendered_html("a", jane()), "no body");
}

TEST_F(LetterTest, LayoutsAndPartsAreOtherTemplates) {
    save("parts/footer", html("<p>{{ firstName }}: {{ unsubscribeUrl }}{{ x }}</p>"));
    save("layouts/main", html("<body>{% block content %}none{% endblock %}"
                              "{% include 'parts/footer', x: '!' %}</body>"));
    save("a", mail("Hi",
                   "{% layout 'layouts/main' %}{% block content %}<h1>{{ firstName }}</h1>"
                   "{% endblock %}"));
    EXPECT_EQ(rendered_html("a", jane()),
              "<body><h1>Jane</h1><p>Jane: %unsubscribe_url%!</p></body>");
}

TEST_F(LetterTest, APartHasItsTextForTexts) {
    TemplateBody part = html("<p>html</p>");
    part.content.texts.text = "text";
    save("part", part);
    auto body = mail("Hi", "{% include 'part' %}");
    body.content.texts.text = "{% include 'part' %}!";
    save("a", body);
    EXPECT_EQ(render("a", jane()).text, "text!");
    save("part", html("<p>html</p>"));
    const auto failed = letter("a")->render(jane());
    ASSERT_FALSE(failed);
    EXPECT_EQ(Refusal(failed.error()).code, "template_failed");
    EXPECT_NE(Refusal(failed.error()).message.find("template a, text: there is no partial"),
              std::string::npos)
        << Refusal(failed.error()).message;
}

TEST_F(LetterTest, PeopleGetTheirLanguageOrTheNearestOne) {
    auto body = mail("Hello", "<p>english</p>");
    body.content.language = "en";
    body.content.texts.text = "english";
    body.content.texts.preheader = "pre";
    auto& german = body.content.translations["de"];
    german.subject = "Hallo";
    german.html = "<p>deutsch</p>";
    body.content.translations["pt-BR"].html = "<p>brasil</p>";
    body.content.translations["fr"].subject = "Bonjour";
    save("a", body);
    struct Case {
        const char *language, *subject, *html, *chosen;
        bool has_text;
    };
    const Case cases[] = {
        {"", "Hello", "english", "", true},           {"en", "Hello", "english", "", true},
        {"en-GB", "Hello", "english", "", true},      {"de", "Hallo", "deutsch", "de", false},
        {"de-AT", "Hallo", "deutsch", "de", false},   {"DE", "Hallo", "deutsch", "de", false},
        {"pt-BR", "Hello", "brasil", "pt-BR", false}, {"pt", "Hello", "english", "", true},
        {"fr", "Bonjour", "english", "fr", true},     {"it", "Hello", "english", "", true}};
    for (const auto& [language, subject, html, chosen, has_text] : cases) {
        auto reader = jane();
        reader.language = language;
        const auto rendered = render("a", reader);
        EXPECT_EQ(rendered.subject, subject) << language;
        EXPECT_NE(rendered.html->find("<p>" + std::string(html) + "</p>"), std::string::npos)
            << language;
        EXPECT_EQ(rendered.language, chosen) << language;
        EXPECT_EQ(rendered.text.has_value(), has_text) << language;
    }
}

TEST_F(LetterTest, PartsAreInTheLanguageOfThePersonToo) {
    auto part = html("bye");
    part.content.translations["de"].html = "tschüs";
    save("part", part);
    save("a", mail("Hi", "{% include 'part' %}"));
    auto reader = jane();
    EXPECT_EQ(rendered_html("a", reader), "bye");
    reader.language = "de-CH";
    EXPECT_EQ(rendered_html("a", reader), "tschüs");
}

TEST_F(LetterTest, DisplayNamesOfTheTemplateCountMoreThanThoseOfAll) {
    TemplateBody all;
    all.content.display_names = {{"planName", {{"pro", "Pro"}, {"free", "Free"}}}};
    save("display-names", all);
    auto own = mail("Hi", "{{ planName }}");
    own.content.display_names = {{"planName", {{"pro", "Professional"}}}};
    save("a", own);
    EXPECT_EQ(rendered_html("a", with({{"plan", "pro"}})), "Professional");
    EXPECT_EQ(rendered_html("a", with({{"plan", "free"}})), "Free");
    EXPECT_EQ(rendered_html("a", with({{"plan", "x"}})), "x");
    EXPECT_EQ(rendered_html("a", with({})), "");
}

TEST_F(LetterTest, WhatFailsIsToldWithItsTemplateAndLine) {
    save("part", html("a\n{% for i in (1..2000000) %}{% endfor %}"));
    save("a", mail("Hi", "{% include 'part' %}"));
    const auto failed = letter("a")->render(jane());
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().key, "part");
    EXPECT_EQ(failed.error().failure.line, 2U);
    save("names", [] {
        TemplateBody body;
        body.content.display_names["aName"]["b"] = "c";
        return body;
    }());
    EXPECT_FALSE(letter("names")->render(jane()));
}

TEST_F(LetterTest, OneLetterIsRenderedByManyThreadsAtOnce) {
    auto body = mail("{{ firstName }}", "<p>{{ plan }}</p>{% include 'part' %}");
    body.content.translations["de"].html = "<p>de {{ plan }}</p>";
    save("part", html("{{ email }}"));
    save("a", body);
    const auto letter = this->letter("a");
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 200; ++i) {
                const auto number = std::to_string(t * 1000 + i);
                auto reader = with({{"plan", number}});
                reader.language = i % 2 == 0 ? "de" : "en";
                const auto want = i % 2 == 0 ? "<p>de " + number + "</p>"
                                             : "<p>" + number + "</p>jane@example.com";
                const auto rendered = letter->render(reader);
                if (!rendered || rendered->html != want) ++wrong;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(LetterTest, ThePressKeepsLettersAndForgetsTheLongestUnused) {
    save("a", mail("Hi", "x"));
    EXPECT_EQ(letter("a"), letter("a"));
    EXPECT_EQ(press->size(), 1U);
    for (std::size_t i = 0; i < Press::letters_max + 10; ++i) {
        const auto key = "t" + std::to_string(i);
        save(key, mail("Hi", "x"));
        letter(key);
    }
    EXPECT_EQ(press->size(), Press::letters_max);
    // What alone would fill it is made each time.
    auto large = mail("Hi", "x");
    const std::string bytes(Press::bytes_max / 4, 'x');
    large.attachments.push_back({"a.bin", "", "", base64_encode(bytes), ""});
    save("large", large);
    EXPECT_NE(letter("large"), letter("large"));
}

}  // namespace
}  // namespace mailroom::campaigns
