// Who comes to a page by a link, and how they are spoken to.
#pragma once

#include "engagement/pages/language.h"
#include "engagement/pages/page.h"
#include "engagement/pages/texts.h"
#include "engagement/tracking/seed_token.h"
#include "engagement/tracking/tokens.h"
#include "engagement/tracking/tracking_settings.h"
#include "people/consent/topics.h"
#include "people/people.h"
#include "program/api.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace mailroom::engagement {

inline constexpr std::size_t page_form_bytes_max = 64 * 1024;

// What routes of pages take and answer.
struct LinkOfPerson {
    std::string token;
    static constexpr auto fields =
        std::tuple{table::asked("token", &LinkOfPerson::token, "As it stands in the mail.")};
};
struct FormOfPerson {
    std::string token;
    program::RawBody body;
    static constexpr const char* body_type = "application/x-www-form-urlencoded";
    static constexpr auto fields =
        std::tuple{table::asked("token", &FormOfPerson::token, "As it stands in the mail.")};
};
struct HtmlPage {};  // Also of what went wrong.

// Adds a page that is shown by a GET, which changes nothing, and what a POST to it does. Both may
// wait.
struct PageRoute {
    std::string_view path, show_name, act_name;
    std::string_view show_summary, act_summary, act_more;
};
using PageAction = std::function<program::Rendered(const program::Asked&)>;
void add_page(program::Api& api, const PageRoute& page, PageAction show, PageAction act);

struct Visitor {
    PersonToken person;
    Language language = Language::en;
    std::string topic;  // Of the mail, as it is called in that language; empty: none.

    const PageTexts& texts() const { return texts_in(language); }
    std::string text(std::string_view of) const;
};

// Of the path, or of the query.
std::string token_of(const program::Asked& asked);

// Thread-safe.
class Reception {
public:
    // All must outlive this object.
    Reception(const people::People& people, const people::TopicCatalog& topics,
              const Tokens& tokens, const TrackingSettings& settings, const Pages& pages,
              const Clock& clock);

    // Who has the link, or what to answer whoever has one that is none. Takes links of an earlier
    // system, too.
    std::variant<Visitor, program::Rendered> welcome(const program::Asked& asked) const;

    Language language_of(const program::Asked& asked, std::string_view of_person = "") const;
    // A whole page: 200.
    program::Rendered show(const Visitor& visitor, std::string_view title,
                           const PageBody& body) const;
    program::Rendered bad_link(const program::Asked& asked, SeedFault fault) const;
    // The same of a link that leads elsewhere: 404.
    program::Rendered no_such_link(const program::Asked& asked) const;
    // `invalid`, `not_found` and `gone` are the link's fault; the rest is written to the log.
    program::Rendered trouble(const program::Asked& asked, const Refusal& refusal) const;

private:
    std::variant<Visitor, program::Rendered> known(const program::Asked& asked,
                                                   PersonToken person) const;

    const people::People& people_;
    const people::TopicCatalog& topics_;
    const Tokens& tokens_;
    const TrackingSettings& settings_;
    const Pages& pages_;
    const Clock& clock_;
};

}  // namespace mailroom::engagement

namespace mailroom::program {

template <>
struct Output<engagement::HtmlPage> {
    static std::vector<Content> contents(table::Schemas&) {
        return {{200, "text/html", ""}, {400, "text/html", ""}, {503, "text/html", ""}};
    }
};

}  // namespace mailroom::program
