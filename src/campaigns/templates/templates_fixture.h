// What tests of templates share: their table, the people they are for, and links that lead to us.
#pragma once

#include "campaigns/templates/press.h"
#include "campaigns/templates/proofs.h"
#include "campaigns/templates/templates.h"
#include "engagement/tracking/mail_tailor.h"
#include "people/people_fixture.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace mailroom::campaigns {

class TemplatesTest : public people::PeopleTest {
protected:
    void SetUp() override {
        PeopleTest::SetUp();
        tracking.url = "https://u.example";
        links.emplace(tracking.url, tokens);
        tailor.emplace(*links, tracking, [](const std::string&) -> Result<bool> { return true; });
        open(front->store());
    }
    // As another process would.
    void open(table::Store& store) {
        proofs.reset();
        press.reset();
        templates.reset();
        books.reset();
        books.emplace(Books{store, *schedule, clock, random});
        ASSERT_TRUE(books->open());
        templates.emplace(*books);
        press.emplace(*templates, clock);
        proofs.emplace(Proofs::Desk{*templates, *press, *people, *tailor, clock, true,
                                    [this](std::string_view domain) {
                                        return signed_domains.contains(std::string(domain));
                                    }});
    }

    static TemplateBody html(std::string text) {
        TemplateBody body;
        body.content.texts.html = std::move(text);
        return body;
    }
    static TemplateBody mail(std::string subject, std::string text) {
        auto body = html(std::move(text));
        body.content.texts.subject = std::move(subject);
        return body;
    }
    // The number of the version that it makes.
    std::int64_t save(const std::string& key, const TemplateBody& body) {
        const auto saved = templates->save(key, body, who);
        EXPECT_TRUE(saved) << key << ": " << saved.error().text();
        return saved ? saved->entry.number : 0;
    }
    // Why it is not saved: its code, and what is said.
    std::string refused(const std::string& key, const TemplateBody& body) {
        table::Reading reading;
        TemplateBody::check(body, reading);
        if (!reading.is_good()) return Refusal(reading.take()).text();
        const auto saved = templates->save(key, body, who);
        return saved ? "" : saved.error().code + ": " + saved.error().text();
    }
    Press::Held letter(const std::string& key, std::optional<std::int64_t> number = std::nullopt) {
        return taken(press->letter(taken(templates->edition(key, number))));
    }
    static RenderedMail done(Result<RenderedMail, RenderFault> rendered) {
        EXPECT_TRUE(rendered) << Refusal(rendered.error()).message;
        return rendered ? *std::move(rendered) : RenderedMail();
    }
    RenderedMail render(const std::string& key, const Reader& reader) {
        return done(letter(key)->render(reader));
    }
    std::string rendered_html(const std::string& key, const Reader& reader = {}) {
        return render(key, reader).html.value_or("");
    }
    static Reader jane() {
        Reader reader;
        reader.email = "jane@example.com";
        reader.first_name = "Jane";
        return reader;
    }

    const program::Actor who{"k1", "ann", {"campaigns:draft", "people:read"}};
    const engagement::Tokens tokens{
        *engagement::TokenKeys::make({{1, "the first of our secrets"}})};
    engagement::TrackingSettings tracking;
    std::optional<engagement::Links> links;
    std::optional<engagement::MailTailor> tailor;
    std::set<std::string> signed_domains{"example.com"};
    std::optional<Books> books;
    std::optional<Templates> templates;
    std::optional<Press> press;
    std::optional<Proofs> proofs;
};

}  // namespace mailroom::campaigns
