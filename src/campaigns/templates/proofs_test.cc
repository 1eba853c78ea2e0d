#include "campaigns/templates/proofs.h"

#include "campaigns/templates/templates_fixture.h"

namespace mailroom::campaigns {
namespace {

class ProofsTest : public TemplatesTest {
protected:
    // "code part line" of each fact.
    std::vector<std::string> facts(const CheckWish& wish) {
        std::vector<std::string> told;
        for (const auto& fact : taken(proofs->check(wish, who)).facts) {
            auto text = fact.code;
            if (!fact.part.empty()) text += " " + fact.part;
            if (!fact.language.empty()) text += " " + fact.language;
            if (fact.line > 0) text += " " + std::to_string(fact.line);
            told.push_back(std::move(text));
        }
        return told;
    }
    static CheckWish of(const std::string& key) {
        CheckWish wish;
        wish.proof.key = key;
        return wish;
    }
    // Of a mail with nothing to be said of, but for what `more` is.
    std::vector<std::string> facts_of_html(const std::string& more) {
        auto body = mail("Hi", more + "<a href=\"{{ unsubscribeUrl }}\">leave</a>");
        body.content.texts.text = "Leave: {{ unsubscribeUrl }}";
        save("a", body);
        return facts(of("a"));
    }
    using Facts = std::vector<std::string>;
};

TEST_F(ProofsTest, OfAGoodTemplateThereIsNothingToSay) {
    EXPECT_EQ(facts_of_html("<p>Hi {{ firstName }} {{ email }} {{ currentYear }}</p>"
                            "<img src='https://x.example/a.png' width=1 height=2>"
                            "<a href='https://x.example/?a={{ email | url_encode }}'>x</a>"
                            "<a href='mailto:x@x.example'>x</a><a href='{{ preferencesUrl }}'>"
                            "x</a><a href='#top'>x</a>"),
              Facts());
}

TEST_F(ProofsTest, LinksAndImagesThatDoNotWorkAreToldWithTheirLine) {
    EXPECT_EQ(facts_of_html("\n<a href='www.example.com'>x</a>\n<a href=''>x</a><a href='#'>y</a>"),
              (Facts{"link_broken html 2", "link_empty html 3", "link_empty html 3"}));
    EXPECT_EQ(facts_of_html("<a href='https://'>x</a><a href='javascript:x'>x</a>"),
              (Facts{"link_broken html 1", "link_broken html 1"}));
    EXPECT_EQ(facts_of_html("<img src='https://x.example/a.png'>"),
              (Facts{"image_without_size html 1"}));
    EXPECT_EQ(facts_of_html("<img width=1 height=1 src='cid:none'><img width=1 height=1>"),
              (Facts{"image_missing html 1", "image_broken html 1"}));
}

TEST_F(ProofsTest, WhatIsMissingOrTooLongIsTold) {
    save("a", mail("", "<p>x</p>"));
    EXPECT_EQ(facts(of("a")), (Facts{"subject_empty subject", "text_missing text",
                                     "unsubscribe_link_missing html"}));
    auto transactional = of("a");
    transactional.proof.is_transactional = true;
    EXPECT_EQ(facts(transactional), (Facts{"subject_empty subject", "text_missing text"}));

    auto body = mail(std::string(79, 's'), "<img src='https://x.example/a' width=1 height=1>");
    save("a", body);
    EXPECT_EQ(facts(transactional), (Facts{"subject_long subject", "text_empty text"}));
    body = mail("Hi", "x");
    body.content.texts.text = "x";
    save("a", body);
    EXPECT_EQ(facts(of("a")),
              (Facts{"unsubscribe_link_missing html", "unsubscribe_link_missing text"}));
}

TEST_F(ProofsTest, GmailClipsWhatIsLongerThanItShows) {
    EXPECT_EQ(facts_of_html(std::string(102 * 1024, 'x')), (Facts{"clipped html"}));
    EXPECT_EQ(facts_of_html(std::string(100 * 1024, 'x')), Facts());
}

TEST_F(ProofsTest, VariablesThatNobodyGivesAreToldWithTheirPlace) {
    save("part", html("{{ unsubscribeUrl }}\n{{ city }}"));
    auto body = mail("{{ plan }}", "a\n{{ order.total }}{{ planName }}{% include 'part' %}");
    body.content.texts.text = "{{ unsubscribeUrl }}{{ given }}";
    body.content.variables = {"given"};
    body.content.display_names["planName"]["pro"] = "Pro";
    save("a", body);
    auto wish = of("a");
    EXPECT_EQ(facts(wish), (Facts{"unknown_variable subject 1", "unknown_variable html 2",
                                  "unknown_variable html 2", "subject_empty subject"}));
    wish.proof.data.attributes = {{"plan", "x"},
                                  {"order", table::Value::map(table::Item{{"id", 1}})}};
    EXPECT_EQ(facts(wish), (Facts{"unknown_variable html 2", "unknown_variable html 2"}));
    wish.proof.data.attributes.set("order", table::Value::map(table::Item{{"total", 1}}));
    wish.proof.data.attributes.set("city", table::Value("Bonn"));
    EXPECT_EQ(facts(wish), Facts());
}

TEST_F(ProofsTest, APersonsAttributesAreKnown) {
    people::Change change;
    change.attributes.set("plan", table::Value("pro"));
    ASSERT_TRUE(people->change("jane@example.com", change));
    auto body = mail("{{ plan }}", "{{ plan }}{{ city }}");
    save("a", body);
    auto wish = of("a");
    wish.proof.is_transactional = true;
    wish.proof.email = "Jane@example.com";
    wish.proof.data.attributes = {{"city", "Bonn"}};  // Counts only where there is nobody.
    EXPECT_EQ(facts(wish), (Facts{"unknown_variable html 1", "text_missing text"}));
    const program::Actor other{"k2", "bob", {"campaigns:read"}};
    EXPECT_EQ(proofs->check(wish, other).error().kind, Refusal::Kind::forbidden);
    EXPECT_EQ(proofs->preview(wish.proof, other).error().kind, Refusal::Kind::forbidden);
}

TEST_F(ProofsTest, AllTranslationsAreLookedAt) {
    auto body = mail("Hi", "{{ unsubscribeUrl }}");
    body.content.texts.text = "{{ unsubscribeUrl }}";
    body.content.translations["de"].html = "{{ x }}";
    save("a", body);
    EXPECT_EQ(facts(of("a")), (Facts{"unknown_variable html de 1", "text_empty text de",
                                     "unsubscribe_link_missing html de"}));
    auto wish = of("a");
    wish.proof.language = "en";
    EXPECT_EQ(facts(wish), Facts());
}

TEST_F(ProofsTest, WhatFailsIsAFactToo) {
    save("a", mail("Hi", "x\n{% for i in (1..2000000) %}{% endfor %}"));
    EXPECT_EQ(facts(of("a")), (Facts{"template_failed html 2"}));
    save("part", html("x"));
    save("b", mail("Hi", "{% include 'part' %}"));
    save("b", mail("Hi", "none"));
    ASSERT_TRUE(templates->remove("part"));
    auto wish = of("b");
    wish.proof.version = 1;
    EXPECT_EQ(facts(wish), (Facts{"template_missing"}));
    EXPECT_EQ(code(proofs->check(of("c"), who)), "not_found");
}

TEST_F(ProofsTest, WhatMjmlLeavesOutIsAFact) {
    auto body = mail("Hi",
                     "<mjml><mj-body><mj-section><mj-column>\n<mj-text colour='red'>"
                     "{{ unsubscribeUrl }}</mj-text></mj-column></mj-section></mj-body>"
                     "</mjml>");
    body.content.format = Format::mjml;
    save("a", body);
    EXPECT_EQ(facts(of("a")), (Facts{"mjml_warning html 2", "text_missing text"}));
}

TEST_F(ProofsTest, ASenderWithoutAKeyIsTold) {
    save("a", mail("Hi", "x"));
    auto wish = of("a");
    wish.proof.is_transactional = true;
    wish.from = "Ann <ann@example.com>";
    EXPECT_EQ(facts(wish), (Facts{"text_missing text"}));
    wish.from = "ann@example.org";
    EXPECT_EQ(facts(wish), (Facts{"sender_not_signed", "text_missing text"}));
}

TEST_F(ProofsTest, APreviewIsTheMailAsThePersonGetsIt) {
    people::Change change;
    change.attributes.set("plan", table::Value("pro"));
    change.language = "de";
    ASSERT_TRUE(people->change("jane@example.com", change));
    auto body = mail("Hi {{ firstName }}", "<p>{{ plan }}</p><a href='{{ unsubscribeUrl }}'>x</a>");
    body.content.translations["de"].subject = "Hallo {{ firstName }}";
    save("a/b", body);
    ProofWish wish;
    wish.key = "a/b";
    wish.email = "jane@example.com";
    wish.first_name = "Jane";
    const auto preview = taken(proofs->preview(wish, who));
    EXPECT_EQ(preview.subject, "Hallo Jane");
    EXPECT_EQ(preview.language, "de");
    EXPECT_EQ(preview.html.find("<p>pro</p><a href='https://u.example/u/"), 0U) << preview.html;
    EXPECT_NE(preview.text.find("pro"), std::string::npos);
    ASSERT_EQ(preview.headers.size(), 3U);
    EXPECT_EQ(preview.headers[0].name, "X-Template-Key");
    EXPECT_EQ(preview.headers[0].value, "a/b");
    EXPECT_EQ(preview.headers[1].name, "List-Unsubscribe");
    EXPECT_EQ(preview.headers[2].value, "List-Unsubscribe=One-Click");
    EXPECT_EQ(preview.edition.versions.size(), 1U);

    // Its link is nobody's.
    const auto begin = preview.html.find("/u/") + 3;
    const auto token = preview.html.substr(begin, preview.html.find('\'', begin) - begin);
    const auto person = tokens.read_as<engagement::PersonToken>(token);
    ASSERT_TRUE(person);
    EXPECT_EQ(person->address, "preview@mailroom.invalid");
}

TEST_F(ProofsTest, APreviewWithGivenDataNeedsNobody) {
    save("a", mail("{{ plan }}", "x"));
    ProofWish wish;
    wish.key = "a";
    wish.data.attributes = {{"plan", "free"}};
    wish.is_transactional = true;
    auto preview = taken(proofs->preview(wish, who));
    EXPECT_EQ(preview.subject, "free");
    EXPECT_EQ(preview.headers.size(), 1U);
    wish.subject = "Own {{ plan }}";
    EXPECT_EQ(taken(proofs->preview(wish, who)).subject, "Own free");
    wish.subject = "{{ plan";
    EXPECT_EQ(proofs->preview(wish, who).error().text().substr(0, 22), "subject cannot be read");
}

}  // namespace
}  // namespace mailroom::campaigns
