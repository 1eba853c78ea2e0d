#include "campaigns/templates/proofs.h"

#include "campaigns/templates/facts.h"
#include "campaigns/templates/markup.h"
#include "mime/html/to_text.h"
#include "people/canonical.h"
#include "people/locale.h"

#include <algorithm>
#include <set>
#include <utility>

namespace mailroom::campaigns {

namespace {

constexpr std::string_view may_see_people = "people:read";
// Whose links a preview has: a click on one must not take anybody off a list.
constexpr std::string_view nobody = "preview@mailroom.invalid";

// The subject that stands in the place of the template's own.
Answer<std::optional<liquid::Template>> own_subject(const std::optional<std::string>& text) {
    if (!text) return std::optional<liquid::Template>();
    auto compiled = liquid::Template::compile(*text);
    if (compiled) return std::optional(*std::move(compiled));
    const Error error = compiled.error();
    return Refusal::bad_field("subject", "cannot be read: " + error.message);
}

// Of the translations that there are, or of the one that is asked about.
std::set<std::string> languages_of(const Letter& letter, const Reader& reader) {
    if (!reader.language.empty()) return {reader.language};
    std::set<std::string> languages{letter.content().language};
    for (const auto& [language, texts] : letter.content().translations) languages.insert(language);
    return languages;
}

void add_all(std::vector<Fact>& facts, std::vector<Fact> more) {
    for (auto& fact : more) {
        const auto is_same = [&](const Fact& known) {
            return known.code == fact.code && known.key == fact.key && known.part == fact.part &&
                   known.language == fact.language && known.line == fact.line &&
                   known.column == fact.column && known.message == fact.message;
        };
        if (std::ranges::none_of(facts, is_same)) facts.push_back(std::move(fact));
    }
}

std::vector<Fact> facts_of(const Letter& letter, const Reader& reader,
                           const liquid::Template* subject, Leaving leaving, Time now) {
    auto facts = unknown_variables(letter, reader, now);
    const auto mail = letter.render(reader, subject);
    if (mail) add_all(facts, facts_of_mail(letter, *mail, leaving));
    if (!mail) facts.push_back(fact_of(mail.error(), reader.language));
    return facts;
}

}  // namespace

void ProofWish::check(const ProofWish& wish, table::Reading& reading) {
    if (!wish.language.empty() && !people::is_language(wish.language)) {
        reading.wrong_member("language", "must be a language such as de or pt-BR");
    }
    if (!wish.email.empty() && !mime::parse_address(wish.email)) {
        reading.wrong_member("email", "must be an e-mail address");
    }
}

void CheckWish::check(const CheckWish& wish, table::Reading& reading) {
    ProofWish::check(wish.proof, reading);
    if (!wish.from.empty() && !mime::parse_address(wish.from)) {
        reading.wrong_member("from", "must be an e-mail address");
    }
}

Answer<Reader> Proofs::reader(const ProofWish& wish, const program::Actor& who) const {
    Reader reader;
    if (!wish.email.empty()) {
        if (!who.may(may_see_people)) {
            return Refusal(Refusal::Kind::forbidden,
                           "to see what somebody gets takes the scope people:read");
        }
        const auto person = TRY(desk_.people.find(wish.email));
        if (person) reader = Reader::of(*person);
    }
    if (reader.email.empty()) reader.email = wish.email;
    if (!wish.first_name.empty()) reader.first_name = wish.first_name;
    reader.given = wish.data.attributes;
    if (!wish.language.empty()) reader.language = wish.language;
    return reader;
}

Answer<Preview> Proofs::preview(const ProofWish& wish, const program::Actor& who) const {
    const auto reader = TRY(this->reader(wish, who));
    const auto subject = TRY(own_subject(wish.subject));
    auto edition = TRY(desk_.templates.edition(wish.key, wish.version));
    const auto letter = TRY(desk_.press.letter(edition));
    auto mail = TRY(letter->render(reader, subject ? &*subject : nullptr));
    Preview preview{
        .subject = mail.subject, .preheader = mail.preheader, .language = mail.language};
    auto message = TRY(fitted(wish, std::move(mail)));
    preview.html = std::move(message.html).value_or("");
    preview.text = std::move(message.text).value_or("");
    for (auto& [name, value] : message.headers) {
        preview.headers.push_back({std::move(name), std::move(value)});
    }
    preview.attachments = letter->versions().front().kept.files;
    preview.edition = std::move(edition);
    return preview;
}

Answer<mime::Message> Proofs::fitted(const ProofWish& wish, RenderedMail mail) const {
    mime::Message message;
    message.subject = std::move(mail.subject);
    message.html = std::move(mail.html);
    message.text = std::move(mail.text);
    if (!message.text) message.text = mime::html_to_text(*message.html);
    message.headers.push_back({"X-Template-Key", wish.key});
    if (wish.is_transactional || !desk_.has_links) return message;
    outbox::Engagement engagement;
    engagement.template_key = wish.key;
    engagement.unsubscribe = true;
    TRY(desk_.tailor.fit(message, engagement, "", nobody));
    return message;
}

Answer<CheckReport> Proofs::check(const CheckWish& wish, const program::Actor& who) const {
    auto reader = TRY(this->reader(wish.proof, who));
    const auto subject = TRY(own_subject(wish.proof.subject));
    CheckReport report;
    const auto leaving =
        wish.proof.is_transactional ? Leaving::not_asked : Leaving::must_be_possible;
    if (leaving == Leaving::must_be_possible && !desk_.has_links) {
        report.facts.push_back({.code = "links_unknown",
                                .message = "The setting tracking.url does not say where links for "
                                           "unsubscribing lead."});
    }
    if (const auto from = mime::parse_address(wish.from); from && !desk_.is_signed(from->domain)) {
        report.facts.push_back({.code = "sender_not_signed",
                                .message = "There is no DKIM key for mails from " + from->domain +
                                           "; many who get them will not believe them."});
    }
    const auto edition = desk_.templates.edition(wish.proof.key, wish.proof.version);
    if (!edition) {
        if (edition.error().kind != Refusal::Kind::unprocessable) return edition.error();
        report.facts.push_back({.code = edition.error().code, .message = edition.error().message});
        return report;
    }
    const auto letter = TRY(desk_.press.letter(*edition));
    for (const auto& version : letter->versions()) {
        add_all(report.facts, markup_facts(version.used.key, version.kept.content));
    }
    for (const auto& language : languages_of(*letter, reader)) {
        reader.language = language;
        add_all(report.facts, facts_of(*letter, reader, subject ? &*subject : nullptr, leaving,
                                       desk_.clock.now()));
    }
    return report;
}

}  // namespace mailroom::campaigns
