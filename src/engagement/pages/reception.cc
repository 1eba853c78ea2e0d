#include "engagement/pages/reception.h"

#include "base/log.h"

#include <utility>

namespace mailroom::engagement {

using program::Asked;
using program::Rendered;

void add_page(program::Api& api, const PageRoute& page, PageAction show, PageAction act) {
    auto& shown = api.declare<LinkOfPerson, HtmlPage>(
        "GET", std::string(page.path),
        {.name = page.show_name,
         .scope = "",
         .summary = page.show_summary,
         .more = "Changes nothing: programs that look at links open it, too.",
         .refuses = {},
         .pace = program::Pace::may_wait},
        program::Source::query);
    shown.act = std::move(show);
    auto& acted = api.declare<FormOfPerson, HtmlPage>("POST", std::string(page.path),
                                                      {.name = page.act_name,
                                                       .scope = "",
                                                       .summary = page.act_summary,
                                                       .more = page.act_more,
                                                       .refuses = {},
                                                       .body_bytes_max = page_form_bytes_max,
                                                       .pace = program::Pace::may_wait},
                                                      program::Source::body);
    acted.act = std::move(act);
    acted.needs_body = false;
}

std::string Visitor::text(std::string_view of) const {
    return filled(of, {.address = veiled(person.address), .topic = topic});
}

std::string token_of(const Asked& asked) {
    for (const auto* pairs : {&asked.path, &asked.query}) {
        for (const auto& [name, value] : *pairs) {
            if (name == "token") return value;
        }
    }
    return "";
}

Reception::Reception(const people::People& people, const people::TopicCatalog& topics,
                     const Tokens& tokens, const TrackingSettings& settings, const Pages& pages,
                     const Clock& clock)
    : people_(people),
      topics_(topics),
      tokens_(tokens),
      settings_(settings),
      pages_(pages),
      clock_(clock) {}

Language Reception::language_of(const Asked& asked, std::string_view of_person) const {
    return pick_language(of_person, asked.header("Accept-Language").value_or(""),
                         pages_.settings().language);
}

std::variant<Visitor, Rendered> Reception::welcome(const Asked& asked) const {
    const auto token = token_of(asked);
    if (auto person = tokens_.read_as<PersonToken>(token)) return known(asked, *std::move(person));
    auto address = read_seed_token(settings_.unsubscribe_secrets, token, clock_.now());
    if (!address) return bad_link(asked, address.error().fault);
    return known(asked, {"", "", *std::move(address)});
}

std::variant<Visitor, Rendered> Reception::known(const Asked& asked, PersonToken person) const {
    const auto profile = people_.find(person.address);
    if (!profile) return trouble(asked, profile.error());
    const auto of_person = *profile ? (*profile)->language : std::string();
    Visitor visitor{std::move(person), language_of(asked, of_person), ""};
    visitor.topic = visitor.person.topic;
    if (visitor.topic.empty()) return visitor;
    // One that was taken away is called by its id.
    const auto topic = topics_.find(visitor.person.topic);
    if (topic && *topic) {
        visitor.topic = (*topic)->details.text_in(name_of(visitor.language)).name;
    }
    return visitor;
}

Rendered Reception::show(const Visitor& visitor, std::string_view title,
                         const PageBody& body) const {
    return pages_.show(200, visitor.language, title, body);
}

Rendered Reception::bad_link(const Asked& asked, SeedFault fault) const {
    const auto language = language_of(asked);
    const auto& texts = texts_in(language);
    PageBody body;
    body.paragraph(token_of(asked).empty()       ? texts.no_token
                   : fault == SeedFault::expired ? texts.expired
                                                 : texts.cut_off);
    return pages_.show(400, language, texts.bad_link, body);
}

Rendered Reception::no_such_link(const Asked& asked) const {
    constexpr int not_found = 404;
    auto page = bad_link(asked, SeedFault::none_of_ours);
    page.status = not_found;
    return page;
}

Rendered Reception::trouble(const Asked& asked, const Refusal& refusal) const {
    using enum Refusal::Kind;
    if (refusal.kind == invalid || refusal.kind == not_found) {
        return bad_link(asked, SeedFault::none_of_ours);
    }
    if (refusal.kind == gone) return bad_link(asked, SeedFault::expired);
    log::error("a page for people could not do what it should", {{"why", refusal.message}});
    const auto language = language_of(asked);
    const auto& texts = texts_in(language);
    PageBody body;
    body.paragraph(texts.trouble_text);
    return pages_.show(503, language, texts.trouble, body);
}

}  // namespace mailroom::engagement
