#include "engagement/webhooks/webhook_routes.h"

#include <utility>

namespace mailroom::engagement::webhooks {

namespace {

using program::Actor;
using program::Done;
using program::Nothing;
using program::Taken;
using table::asked;
using table::PageWish;
using table::required;
using table::Slice;

struct ById {
    std::string id;
    static constexpr auto fields = std::tuple{required("id", &ById::id, "Of the webhook.")};
};
struct DeliveryFilter {
    std::string id;
    std::optional<DeliveryState> state;
    static constexpr auto fields =
        std::tuple{required("id", &DeliveryFilter::id, "Of the webhook."),
                   asked("state", &DeliveryFilter::state, "failed: only those given up.")};
    static void check(const DeliveryFilter& in, table::Reading& reading) {
        if (!in.state || *in.state == DeliveryState::failed) return;
        reading.wrong_member("state", "must be failed, or nothing");
    }
};
struct AskedReplay {
    std::string id;
    Time from = {};
    std::optional<Time> until;
    bool only_failed = false;
    static constexpr auto fields = std::tuple{
        required("id", &AskedReplay::id, "Of the webhook."),
        required("from", &AskedReplay::from, "What happened from then on is told again."),
        asked("until", &AskedReplay::until, "And before then; now, if none is said."),
        asked("only_failed", &AskedReplay::only_failed, "Only what was given up.")};
};
struct BegunReplay {
    std::string id;
    Time from = {}, until = {};
    bool only_failed = false;
    static constexpr std::string_view record_name = "BegunReplay";
    static constexpr auto fields =
        std::tuple{table::shown("id", &BegunReplay::id), table::shown("from", &BegunReplay::from),
                   table::shown("until", &BegunReplay::until),
                   table::shown("only_failed", &BegunReplay::only_failed)};
};
struct WebhookSecret {
    std::string secret;
    static constexpr std::string_view record_name = "WebhookSecret";
    static constexpr auto fields =
        std::tuple{table::shown("secret", &WebhookSecret::secret,
                                "What verifies the signatures: whsec_ and base 64, or text.")};
};

Refusal no_such_webhook(const std::string& id) {
    return Refusal::not_found("there is no webhook " + id);
}

Answer<Webhook> show(const std::string& id, Webhooks& webhooks) {
    auto found = TRY(webhooks.find(id));
    if (!found) return no_such_webhook(id);
    return *std::move(found);
}

Answer<Done> remove(const std::string& id, Webhooks& webhooks) {
    if (!TRY(webhooks.remove(id))) return no_such_webhook(id);
    return Done{};
}

Answer<Slice<Delivery>> list(const DeliveryFilter& in, const PageWish& page,
                             const WebhookDesk& desk) {
    TRY(show(in.id, desk.webhooks));
    using Which = Deliveries::Which;
    return TRY(desk.deliveries.list(in.id, in.state ? Which::failed : Which::all, page));
}

Answer<Taken<BegunReplay>> replay(const AskedReplay& in, const WebhookDesk& desk) {
    TRY(show(in.id, desk.webhooks));
    const auto until = in.until.value_or(desk.clock.now());
    if (until < in.from) return Refusal::bad_field("until", "must not be before from");
    TRY(desk.replays.begin(
        {.webhook = in.id, .from = in.from, .until = until, .only_failed = in.only_failed}));
    return Taken<BegunReplay>{{in.id, in.from, until, in.only_failed}};
}

void add_definitions(program::Api& api, Webhooks& webhooks) {
    api.list("/v1/webhooks",
             {.name = "list_webhooks", .scope = events_scope, .summary = "List webhooks, by id"},
             [&webhooks](const Nothing&, const PageWish& page, const Actor&) {
                 return webhooks.page(page);
             });
    api.put(
        "/v1/webhooks/{id}",
        {.name = "put_webhook",
         .scope = events_scope,
         .summary = "Add or change a webhook",
         .more = "There can be a hundred. A secret is made up unless one is given; after a change "
                 "of it, what is told is signed with both for a day.",
         .refuses = {Refusal::Kind::conflict}},
        [&webhooks](const NewWebhook& in, const Actor&) { return webhooks.put(in); });
    api.get("/v1/webhooks/{id}",
            {.name = "show_webhook", .scope = events_scope, .summary = "Show a webhook"},
            [&webhooks](const ById& in, const Actor&) { return show(in.id, webhooks); });
    api.get("/v1/webhooks/{id}/secret",
            {.name = "show_webhook_secret",
             .scope = events_scope,
             .summary = "Show what its signatures are verified with"},
            [&webhooks](const ById& in, const Actor&) -> Answer<program::Shown<WebhookSecret>> {
                return program::Shown<WebhookSecret>{{TRY(show(in.id, webhooks)).secret}};
            });
    api.remove("/v1/webhooks/{id}",
               {.name = "remove_webhook",
                .scope = events_scope,
                .summary = "Remove a webhook",
                .more = "What waits for it is not told any more."},
               [&webhooks](const ById& in, const Actor&) { return remove(in.id, webhooks); });
}

}  // namespace

void add_webhook_routes(program::Api& api, const WebhookDesk& desk) {
    api.group("Webhooks",
              "Whoever is to hear of events: each is posted as Standard Webhooks has it, and again "
              "for a day until it is taken.");
    add_definitions(api, desk.webhooks);
    api.list("/v1/webhooks/{id}/deliveries",
             {.name = "list_webhook_deliveries",
              .scope = events_scope,
              .summary = "List what a webhook was told, and is to be told still",
              .more = "The newest first; kept for thirty days."},
             [desk](const DeliveryFilter& in, const PageWish& page, const Actor&) {
                 return list(in, page, desk);
             });
    api.post("/v1/webhooks/{id}/replay",
             {.name = "replay_webhook",
              .scope = events_scope,
              .summary = "Tell a webhook again what happened since a time",
              .more = "Of what it was told, or should have been, in the last thirty days. Each has "
                      "the webhook-id that it had.",
              .refuses = {Refusal::Kind::conflict}},
             [desk](const AskedReplay& in, const Actor&) { return replay(in, desk); });
}

}  // namespace mailroom::engagement::webhooks
