#include "program/page.h"

namespace mailroom::program {

void add_page_part(Api& api, const PagePart& part, std::string_view summary,
                   std::string_view policy) {
    const About about{.name = part.name, .scope = "", .summary = summary};
    auto& route = api.declare<Nothing, File>("GET", std::string(part.path), about, Source::query);
    const auto type = part.content_type.substr(0, part.content_type.find(';'));
    route.answers.front().content_type = type;
    route.act = [part, policy = std::string(policy)](const Asked&) {
        const Pairs headers = {{"Content-Security-Policy", policy},
                               {"Referrer-Policy", "no-referrer"},
                               {"X-Content-Type-Options", "nosniff"},
                               {"Cache-Control", "no-cache"}};
        return Rendered{200, std::string(part.content_type), std::string(part.text), headers};
    };
}

}  // namespace mailroom::program
