#include "engagement/tracking/link_routes.h"

#include "engagement/scopes.h"

namespace mailroom::engagement {

namespace {

struct LinksAsk {
    std::string template_key, sequence;

    static constexpr auto fields = std::tuple{
        table::asked("template", &LinksAsk::template_key, "Of mails made of this template."),
        table::asked("sequence", &LinksAsk::sequence, "Of this sequence or broadcast.")};
    static void check(const LinksAsk& ask, table::Reading& reading) {
        if (ask.template_key.empty() == ask.sequence.empty()) {
            reading.wrong_member("sequence", "or template must be given, and not both");
        }
    }
};

}  // namespace

void add_link_routes(program::Api& api, const LinkCounts& counts) {
    api.list("/v1/engagement/links",
             {.name = "engagement_of_links",
              .scope = scope::events,
              .summary = "How often each link was followed",
              .more = "With what is asked for by utm names, as it was sent.",
              .agents = program::Agents::may},
             [&counts](const LinksAsk& in, const table::PageWish& wish,
                       const program::Actor&) -> Result<table::Slice<LinkFigures>> {
                 if (!in.sequence.empty()) {
                     return counts.page(LinkCounts::Of::sequences, in.sequence, wish);
                 }
                 return counts.page(LinkCounts::Of::templates, in.template_key, wish);
             });
}

}  // namespace mailroom::engagement
