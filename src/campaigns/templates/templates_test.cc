#include "campaigns/templates/templates.h"

#include "base/base64.h"
#include "campaigns/templates/templates_fixture.h"

#include <thread>

namespace mailroom::campaigns {
namespace {

TEST_F(TemplatesTest, EachChangeIsAVersionAndOldOnesStayReadable) {
    EXPECT_EQ(save("onboarding/welcome", mail("Hi", "<p>1</p>")), 1);
    EXPECT_EQ(save("onboarding/welcome", mail("Hi", "<p>2</p>")), 2);
    const auto latest = taken(templates->require("onboarding/welcome"));
    EXPECT_EQ(latest.entry.number, 2);
    EXPECT_EQ(latest.latest, 2);
    EXPECT_EQ(latest.kept.content.texts.html, "<p>2</p>");
    EXPECT_EQ(latest.entry.by, "ann");
    const auto first = taken(templates->require("onboarding/welcome", 1));
    EXPECT_EQ(first.kept.content.texts.html, "<p>1</p>");
    EXPECT_EQ(first.latest, 2);
    EXPECT_EQ(code(templates->require("onboarding/welcome", 3)), "not_found");
    EXPECT_EQ(code(templates->require("onboarding/welcome", 0)), "not_found");
    EXPECT_EQ(code(templates->require("onboarding/other")), "not_found");
    EXPECT_EQ(code(templates->require("a#b")), "not_found");
}

TEST_F(TemplatesTest, WhatSaysTheSameAgainMakesNoVersion) {
    EXPECT_EQ(save("a", mail("Hi", "x")), 1);
    EXPECT_EQ(save("a", mail("Hi", "x")), 1);
    EXPECT_EQ(save("a", mail("Ho", "x")), 2);
    EXPECT_EQ(save("a", mail("Hi", "x")), 3);
}

TEST_F(TemplatesTest, AnOldVersionIsRestoredAsANewOne) {
    save("a", mail("one", "1"));
    save("a", mail("two", "2"));
    TemplateBody body;
    body.restore = 1;
    EXPECT_EQ(save("a", body), 3);
    const auto latest = taken(templates->require("a"));
    EXPECT_EQ(latest.kept.content.texts.subject, "one");
    EXPECT_EQ(latest.entry.restored, 1);
    EXPECT_EQ(latest.entry.hash, taken(templates->require("a", 1)).entry.hash);
    body.restore = 9;
    EXPECT_EQ(refused("a", body), "not_found: template a has no version 9");
    body.content.texts.html = "x";
    EXPECT_EQ(refused("a", body), "restore must stand alone, or beside version");
}

TEST_F(TemplatesTest, AChangeOfAnotherVersionIsRefused) {
    auto body = mail("Hi", "1");
    body.follows = 1;
    EXPECT_EQ(refused("a", body), "version_conflict: there is no template a");
    body.follows = 0;
    EXPECT_EQ(save("a", body), 1);
    body = mail("Hi", "2");
    body.follows = 0;
    EXPECT_EQ(refused("a", body), "version_conflict: the latest version of template a is 1");
    body.follows = 1;
    EXPECT_EQ(save("a", body), 2);
    EXPECT_EQ(refused("a", mail("x", "3")), "");
}

TEST_F(TemplatesTest, OfThoseWhoChangeOneVersionAtOnceOneSucceeds) {
    save("a", mail("Hi", "0"));
    std::atomic<int> made = 0, turned_away = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            auto body = mail("Hi", "by " + std::to_string(t));
            body.follows = 1;
            const auto saved = templates->save("a", body, who);
            ++(saved ? made : turned_away);
            if (!saved) {
                EXPECT_EQ(saved.error().code, "version_conflict");
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(made, 1);
    EXPECT_EQ(turned_away, 3);
    EXPECT_EQ(taken(templates->require("a")).latest, 2);
}

TEST_F(TemplatesTest, WhatIsNamedMustBeThereAndMustNotLeadBack) {
    EXPECT_EQ(refused("a", html("{% include 'parts/x' %}")),
              "template_missing: there is no template parts/x: a > parts/x");
    save("parts/x", html("x"));
    save("a", html("{% include 'parts/x' %}"));
    save("b", html("{% layout 'a' %}"));
    EXPECT_EQ(refused("parts/x", html("{% render 'b' %}")),
              "template_cycle: a template must not name itself: parts/x > b > a > parts/x");
    EXPECT_EQ(refused("b", html("{% include 'b' %}")),
              "template_cycle: a template must not name itself: b > b");
    EXPECT_EQ(refused("c", html("a\n{% include name %}")),
              "html must name other templates in quotes (line 2)");
    EXPECT_NE(refused("c", html("{% include 'x y' %}")).find("is no key of a template"),
              std::string::npos);
    EXPECT_EQ(refused("c", mail("{% include 'a' %}", "x")),
              "subject must not name another template (line 1)");
}

TEST_F(TemplatesTest, TwoThatWouldNameEachOtherAtOnceDoNotBothSucceed) {
    for (int round = 0; round < 10; ++round) {
        const auto one = "one" + std::to_string(round), two = "two" + std::to_string(round);
        save(one, html("1"));
        save(two, html("2"));
        int saved_count = 0;
        std::mutex mutex;
        const auto name_other = [&](const std::string& key, const std::string& other) {
            const auto saved = templates->save(key, html("{% include '" + other + "' %}"), who);
            const std::lock_guard lock(mutex);
            if (saved) ++saved_count;
            if (!saved) {
                EXPECT_EQ(saved.error().code, "template_cycle");
            }
        };
        std::thread first([&] { name_other(one, two); });
        name_other(two, one);
        first.join();
        EXPECT_EQ(saved_count, 1);
    }
}

TEST_F(TemplatesTest, ATemplateThatIsNamedIsNotDeleted) {
    save("part", html("x"));
    save("a", html("{% include 'part' %}"));
    EXPECT_EQ(templates->remove("part").error().text(), "template a names it");
    save("a", html("none"));
    EXPECT_TRUE(templates->remove("part"));
    EXPECT_EQ(code(templates->remove("part")), "not_found");
    EXPECT_EQ(code(templates->require("part")), "not_found");
    EXPECT_EQ(refused("b", html("{% include 'part' %}")).substr(0, 16), "template_missing");
}

TEST_F(TemplatesTest, OneThatIsDeletedWhileAnotherBeginsToNameItIsNeverMissed) {
    for (int round = 0; round < 10; ++round) {
        const auto part = "part" + std::to_string(round), user = "user" + std::to_string(round);
        save(part, html("x"));
        bool is_deleted = false, is_named = false;
        std::thread deleting([&] { is_deleted = bool(templates->remove(part)); });
        is_named = bool(templates->save(user, html("{% include '" + part + "' %}"), who));
        deleting.join();
        EXPECT_NE(is_deleted, is_named);
    }
}

TEST_F(TemplatesTest, VersionsOfADeletedTemplateStayAndItsNumbersGoOn) {
    save("a", mail("Hi", "1"));
    ASSERT_TRUE(templates->remove("a"));
    EXPECT_EQ(taken(templates->require("a", 1)).kept.content.texts.html, "1");
    EXPECT_EQ(taken(templates->versions("a", {})).items.size(), 1U);
    EXPECT_TRUE(taken(templates->page("", {})).items.empty());
    auto body = mail("Hi", "1");
    body.follows = 0;
    EXPECT_EQ(save("a", body), 2);
    EXPECT_EQ(taken(templates->page("", {})).items.size(), 1U);
}

TEST_F(TemplatesTest, ListsAreByKeyAndVersionsTheLatestFirst) {
    for (const auto* key : {"b/two", "a", "b/one"}) save(key, mail("Hi", key));
    save("a", mail("Hi", "again"));
    const auto all = taken(templates->page("", {}));
    ASSERT_EQ(all.items.size(), 3U);
    EXPECT_EQ(all.items[0].key, "a");
    EXPECT_EQ(all.items[0].latest, 2);
    EXPECT_EQ(all.items[0].subject, "Hi");
    const auto begun = taken(templates->page("b/", {1, {}}));
    ASSERT_EQ(begun.items.size(), 1U);
    EXPECT_EQ(begun.items[0].key, "b/one");
    const auto next = taken(templates->page("b/", {1, begun.next}));
    ASSERT_EQ(next.items.size(), 1U);
    EXPECT_EQ(next.items[0].key, "b/two");
    const auto versions = taken(templates->versions("a", {}));
    ASSERT_EQ(versions.items.size(), 2U);
    EXPECT_EQ(versions.items[0].number, 2);
    EXPECT_EQ(code(templates->versions("c", {})), "not_found");
}

TEST_F(TemplatesTest, WhatIsWrongIsSaidWithItsPlace) {
    struct Case {
        TemplateBody body;
        std::string_view why;
    };
    TemplateBody translated = mail("Hi", "x"), twice = translated, strange = translated,
                 long_one = translated, about = translated;
    translated.content.translations["de"].html = "a\n{{ b | upcas }}";
    twice.content.language = "de";
    twice.content.translations["DE"].subject = "x";
    strange.content.translations["a language"].subject = "x";
    long_one.content.texts.html = std::string(1024 * 1024 + 1, 'a');
    about.content.about = std::string(1001, 'a');
    const Case cases[] = {
        {{}, "it says nothing"},
        {mail("{{ a", "x"), "subject cannot be read: "},
        {translated,
         "translations.de.html cannot be read: unknown filter upcas (did you mean "
         "upcase?) at line 2"},
        {twice, "translations.DE is there twice"},
        {strange, "must be a language such as de or pt-BR"},
        {long_one, "html must be at most 1048576 bytes"},
        {about, "about must be at most 1000 bytes"},
    };
    for (const auto& [body, why] : cases) {
        EXPECT_NE(refused("a", body).find(why), std::string::npos)
            << refused("a", body) << "\nis not " << why;
    }
    EXPECT_EQ(refused("a b", mail("Hi", "x")).substr(0, 13), "invalid: key ");
}

constexpr const char* small_mjml =
    "<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ firstName }}{% include 'part' %}"
    "</mj-text></mj-column></mj-section></mj-body></mjml>";

TEST_F(TemplatesTest, MjmlBecomesHtmlWhenItIsKept) {
    save("part", html("!"));
    auto body = mail("Hi", small_mjml);
    body.content.format = Format::mjml;
    body.content.translations["de"].html =
        "<mjml><mj-body><mj-section><mj-column><mj-text>Hallo {{ firstName }}</mj-text>"
        "</mj-column></mj-section></mj-body></mjml>";
    save("a", body);
    EXPECT_EQ(taken(templates->require("a")).kept.content.texts.html, small_mjml);
    auto reader = jane();
    const auto made = rendered_html("a", reader);
    EXPECT_NE(made.find("Hi Jane!"), std::string::npos) << made;
    EXPECT_NE(made.find("<table"), std::string::npos);
    EXPECT_EQ(made.find("mj-text"), std::string::npos);
    reader.language = "de";
    EXPECT_NE(rendered_html("a", reader).find("Hallo Jane"), std::string::npos);
}

TEST_F(TemplatesTest, MjmlThatCannotBeReadIsRefusedWithItsLine) {
    auto body = mail("Hi", "<mjml>\n<mj-body>\n<mj-include path='x'/></mj-body></mjml>");
    body.content.format = Format::mjml;
    body.content.translations["de"].html = "no mjml";
    const auto why = refused("a", body);
    EXPECT_NE(why.find("html cannot be read as MJML: line 3"), std::string::npos) << why;
    EXPECT_NE(why.find("translations.de.html cannot be read as MJML"), std::string::npos) << why;
}

TEST_F(TemplatesTest, FilesGoAlongAndAreKeptOnce) {
    auto body = mail("Hi", "<img src='cid:logo'>");
    const std::string picture(800 * 1024, 'p');
    body.attachments.push_back({"logo.png", "", "logo", base64_encode(picture), ""});
    body.attachments.push_back({"terms.txt", "text/plain", "", base64_encode("terms"), ""});
    save("a", body);
    const auto kept = taken(templates->require("a")).kept.files;
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[0].content_type, "image/png");
    EXPECT_EQ(kept[0].bytes, 800 * 1024);
    EXPECT_EQ(taken(templates->file(kept[0])), picture);
    const auto letter = this->letter("a");
    ASSERT_EQ(letter->attachments().size(), 2U);
    EXPECT_EQ(letter->attachments()[0].content_id, "logo");
    EXPECT_EQ(letter->attachments()[1].value, "terms");

    // By its hash it need not be sent again.
    auto again = mail("Ho", "x");
    again.attachments.push_back({"logo.png", "", "logo", std::nullopt, kept[0].sha256});
    save("b", again);
    EXPECT_EQ(this->letter("b")->attachments()[0].value, picture);
}

TEST_F(TemplatesTest, FilesThatTheOutboxWouldNotSendAreRefused) {
    const auto with = [](NewFile file) {
        auto body = mail("Hi", "x");
        body.attachments.push_back(std::move(file));
        return body;
    };
    const auto content = base64_encode("x");
    EXPECT_EQ(refused("a", with({"a.txt", "", "", "not base 64!", ""})),
              "invalid: attachments[0].content must be base 64");
    EXPECT_EQ(refused("a", with({"a.txt", "", "", std::nullopt, std::string(64, 'a')})),
              "invalid: attachments[0].sha256 is of no file that is here");
    EXPECT_NE(refused("a", with({std::string(300, 'n'), "", "", content, ""}))
                  .find("attachments[0].filename"),
              std::string::npos);
    EXPECT_NE(refused("a", with({"a.txt", "no\r\ntype", "", content, ""})).find("attachments"),
              std::string::npos);
}

TEST_F(TemplatesTest, AnEditionIsWhatAMailIsMadeOfAndStaysSo) {
    save("layouts/main", html("<body>{% block content %}{% endblock %}1</body>"));
    save("a", mail("Hi", "{% layout 'layouts/main' %}{% block content %}A{% endblock %}"));
    const auto edition = taken(templates->edition("a"));
    ASSERT_EQ(edition.versions.size(), 2U);
    EXPECT_EQ(edition.key(), "a");
    EXPECT_EQ(edition.versions[1].key, "layouts/main");
    save("layouts/main", html("<body>{% block content %}{% endblock %}2</body>"));
    save("a", mail("Hi", "gone"));
    EXPECT_EQ(done(taken(press->letter(edition))->render({})).html, "<body>A1</body>");
    // Of the first version of `a` as it would be made now.
    EXPECT_EQ(done(letter("a", 1)->render({})).html, "<body>A2</body>");
    EXPECT_NE(taken(templates->edition("a", 1)).hash(), edition.hash());
    EXPECT_EQ(code(templates->edition("b")), "not_found");
}

TEST_F(TemplatesTest, AnOldVersionOfWhichSomethingIsGoneIsRefusedWithThePath) {
    save("part", html("x"));
    save("a", html("{% include 'part' %}"));
    save("a", html("y"));
    ASSERT_TRUE(templates->remove("part"));
    EXPECT_EQ(templates->edition("a", 1).error().text(), "there is no template part: a > part");
    EXPECT_TRUE(templates->edition("a"));
}

TEST_F(TemplatesTest, LargeTextsAreKeptWhole) {
    std::string text;
    for (int i = 0; i < 60'000; ++i) text += "<p>line " + std::to_string(i) + " äöü</p>\n";
    save("a", mail("Hi", text.substr(0, 1000 * 1024)));
    open(front->store());
    EXPECT_EQ(taken(templates->require("a")).kept.content.texts.html, text.substr(0, 1000 * 1024));
}

}  // namespace
}  // namespace mailroom::campaigns
