#include "campaigns/templates/template_routes.h"

#include "campaigns/scopes.h"
#include "outbox/routes/routes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace mailroom::campaigns {

namespace {

using program::Actor;
using program::Agents;
using table::PageWish;
using table::Slice;

struct ByKey {
    std::string key;
    std::optional<std::int64_t> version;

    static constexpr auto fields =
        std::tuple{table::required("key", &ByKey::key, "Such as onboarding/welcome."),
                   table::asked("version", &ByKey::version, "None: the latest.")};
};

struct KeyOnly {
    std::string key;

    static constexpr auto fields = std::tuple{table::required("key", &KeyOnly::key)};
};

struct Begins {
    std::string prefix;

    static constexpr auto fields =
        std::tuple{table::asked("prefix", &Begins::prefix, "Whose keys begin so.")};
};

struct PutTemplate {
    std::string key;
    TemplateBody body;

    static constexpr auto fields =
        std::tuple{table::required("key", &PutTemplate::key, "Such as onboarding/welcome."),
                   table::part(&PutTemplate::body)};
    static void check(const PutTemplate& put, table::Reading& reading) {
        TemplateBody::check(put.body, reading);
    }
};

void add_kept_templates(program::Api& api, const Templates& templates) {
    api.put("/v1/templates/{key...}",
            {.name = "put_template",
             .scope = scope::draft,
             .summary = "Keep a template: a new version of it",
             .more = "The key may have slashes. What says the same as the latest version makes no "
                     "new one. Other templates are named in Liquid: {% layout 'layouts/main' %}, "
                     "{% include 'parts/footer' %}; the versions that a mail is made of are those "
                     "of the moment in which it is.",
             .refuses = {Refusal::Kind::conflict, Refusal::Kind::unprocessable,
                         Refusal::Kind::too_many},
             .body_bytes_max = outbox::mail_body_bytes_max},
            [&templates](const PutTemplate& in, const Actor& who) {
                return templates.save(in.key, in.body, who);
            });
    api.get("/v1/templates/{key...}",
            {.name = "show_template",
             .scope = scope::read,
             .summary = "A template, or one of its versions",
             .more = "Versions of a template that was deleted can still be read.",
             .agents = Agents::may},
            [&templates](const ByKey& in, const Actor&) {
                return templates.require(in.key, in.version);
            });
    api.remove("/v1/templates/{key...}",
               {.name = "delete_template",
                .scope = scope::draft,
                .summary = "Delete a template",
                .more = "Its versions stay: mails that are being made of them go on.",
                .refuses = {Refusal::Kind::conflict}},
               [&templates](const KeyOnly& in, const Actor&) { return templates.remove(in.key); });
}

void add_lists(program::Api& api, const Templates& templates) {
    api.list("/v1/templates",
             {.name = "list_templates",
              .scope = scope::read,
              .summary = "Templates by key",
              .agents = Agents::may},
             [&templates](const Begins& in, const PageWish& page, const Actor&) {
                 return templates.page(in.prefix, page);
             });
    api.list("/v1/templates/{key...}/versions",
             {.name = "list_template_versions",
              .scope = scope::read,
              .summary = "The versions of a template, the latest first",
              .agents = Agents::may},
             [&templates](const KeyOnly& in, const PageWish& page, const Actor&) {
                 return templates.versions(in.key, page);
             });
}

void add_proofs(program::Api& api, const Proofs& proofs) {
    api.post("/v1/templates/{key...}/preview",
             {.name = "preview_template",
              .scope = scope::read,
              .summary = "A template as somebody would get it",
              .more = "Nothing is sent. Its links for unsubscribing are nobody's.",
              .agents = Agents::may,
              .refuses = {Refusal::Kind::forbidden, Refusal::Kind::unprocessable}},
             [&proofs](const ProofWish& in, const Actor& who) { return proofs.preview(in, who); });
    api.post("/v1/templates/{key...}/check",
             {.name = "check_template",
              .scope = scope::read,
              .summary = "What should be looked at before a template is sent",
              .more = "Facts, each with its place, of all translations or of the one for a person.",
              .agents = Agents::may,
              .refuses = {Refusal::Kind::forbidden}},
             [&proofs](const CheckWish& in, const Actor& who) { return proofs.check(in, who); });
}

}  // namespace

void add_template_routes(program::Api& api, const Templates& templates, const Proofs& proofs) {
    api.group("Templates", "Texts of campaigns: kept in versions, looked at before they are sent.");
    add_kept_templates(api, templates);
    add_lists(api, templates);
    add_proofs(api, proofs);
}

}  // namespace mailroom::campaigns
