// A template looked at before it is sent: as somebody would get it, and what is wrong with it.
#pragma once

#include "campaigns/templates/fact.h"
#include "campaigns/templates/given.h"
#include "campaigns/templates/press.h"
#include "campaigns/templates/templates.h"
#include "mime/build/message.h"
#include "outbox/accept/tailor.h"
#include "people/people.h"
#include "program/actor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

// For whom, and with what.
struct ProofWish {
    std::string key;
    std::optional<std::int64_t> version;
    std::string email, first_name;
    Given data;
    std::string language;
    std::optional<std::string> subject;
    bool is_transactional = false;

    static constexpr auto fields =
        std::tuple{table::required("key", &ProofWish::key),
                   table::asked("version", &ProofWish::version, "None: the latest."),
                   table::asked("email", &ProofWish::email,
                                "As this person gets it. Takes the right to see people, too."),
                   table::asked("firstName", &ProofWish::first_name),
                   table::asked("data", &ProofWish::data,
                                "Attributes, which count where there is no such person."),
                   table::asked("language", &ProofWish::language, "In place of the person's own."),
                   table::asked("subject", &ProofWish::subject,
                                "In place of the template's own, as steps and broadcasts have it."),
                   table::asked("transactional", &ProofWish::is_transactional,
                                "Whether it goes without the means to unsubscribe.")};
    static void check(const ProofWish& wish, table::Reading& reading);
};

struct CheckWish {
    ProofWish proof;
    std::string from;

    static constexpr auto fields = std::tuple{
        table::part(&CheckWish::proof),
        table::asked("from", &CheckWish::from, "Whoever is to send it, to check their domain.")};
    static void check(const CheckWish& wish, table::Reading& reading);
};

struct ShownHeader {
    std::string name, value;

    static constexpr std::string_view record_name = "PreviewHeader";
    static constexpr auto fields = std::tuple{table::shown("name", &ShownHeader::name),
                                              table::shown("value", &ShownHeader::value)};
};

struct Preview {
    std::string subject = {}, preheader = {};
    std::string html = {}, text = {};
    std::string language = {};
    std::vector<ShownHeader> headers = {};
    std::vector<KeptFile> attachments = {};
    Edition edition = {};

    static constexpr std::string_view record_name = "TemplatePreview";
    static constexpr auto fields = std::tuple{
        table::shown("subject", &Preview::subject),
        table::shown("preheader", &Preview::preheader),
        table::shown("html", &Preview::html),
        table::shown("text", &Preview::text, "Made from the HTML where the template has none."),
        table::shown("language", &Preview::language,
                     "The translation that was taken; empty: the texts themselves."),
        table::shown("headers", &Preview::headers, "Besides those that every mail has."),
        table::shown("attachments", &Preview::attachments),
        table::part(&Preview::edition)};
};

struct CheckReport {
    std::vector<Fact> facts;

    static constexpr std::string_view record_name = "TemplateCheck";
    static constexpr auto fields = std::tuple{
        table::shown("facts", &CheckReport::facts, "What should be looked at; none: nothing.")};
};

// Thread-safe.
class Proofs {
public:
    struct Desk {
        const Templates& templates;
        Press& press;
        const people::People& people;
        outbox::Tailor& tailor;
        const Clock& clock;
        bool has_links = false;  // It is known where links in mails lead.
        // Whether mails of that domain are signed.
        std::function<bool(std::string_view domain)> is_signed;
    };
    // All must outlive this object.
    explicit Proofs(Desk desk) : desk_(std::move(desk)) {}

    // `unprocessable` where it fails. Its links for unsubscribing are nobody's.
    Answer<Preview> preview(const ProofWish& wish, const program::Actor& who) const;
    // Also of a template that cannot be rendered.
    Answer<CheckReport> check(const CheckWish& wish, const program::Actor& who) const;

private:
    Answer<Reader> reader(const ProofWish& wish, const program::Actor& who) const;
    Answer<mime::Message> fitted(const ProofWish& wish, RenderedMail mail) const;

    const Desk desk_;
};

}  // namespace mailroom::campaigns
