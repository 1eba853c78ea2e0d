#include "http/key_routes.h"

#include "program/action.h"
#include "table/records/record.h"

#include <algorithm>
#include <utility>

namespace mailroom::table {

template <>
struct Record<http::ApiKey> {
    using Key = http::ApiKey;
    static constexpr std::string_view record_name = "Key";
    static constexpr auto fields =
        std::tuple{shown("id", &Key::id),
                   shown("name", &Key::name),
                   shown("scopes", &Key::scopes),
                   shown_or_omitted("person", &Key::person, "Who holds it, where that was said."),
                   shown("created_at", &Key::created),
                   shown("last_four", &Key::last_four, "Of its text, to recognise it.")};
};

template <>
struct Record<http::Keys::Created> {
    using Created = http::Keys::Created;
    static constexpr std::string_view record_name = "NewKey";
    static constexpr auto fields =
        std::tuple{Part{&Created::key}, shown("key", &Created::text, "The key itself, this once.")};
};

}  // namespace mailroom::table

namespace mailroom::http {

namespace {

using program::Actor;
using program::ById;
using program::Done;
using program::Nothing;
using program::Secret;
using table::required;

// A list of scopes that there are.
struct ScopeNames : table::Form<std::vector<std::string>> {
    static void read(const json::View& view, std::vector<std::string>& to,
                     table::Reading& reading) {
        table::Reading own;
        table::Form<std::vector<std::string>>::read(view, to, own);
        if (!own.is_good() || to.empty()) {
            return reading.wrong("must be a list of " + known_scopes_text());
        }
        for (std::size_t i = 0; i < to.size(); ++i) {
            const table::Reading::Inside inside(reading, i);
            const bool is_known = std::ranges::find(known_scopes, to[i]) != known_scopes.end();
            if (!is_known) reading.wrong("is not a scope; those there are: " + known_scopes_text());
        }
    }
    static void describe(json::Writer& writer, table::Schemas&) {
        writer.key("type").text("array").key("minItems").integer(1).key("items").open_object();
        writer.key("type").text("string").key("enum").open_list();
        for (const auto known : known_scopes) writer.text(known);
        writer.close_list().close_object();
    }
};

struct NewKey {
    std::string name;
    std::vector<std::string> scopes;
    std::string person;

    static constexpr auto fields =
        std::tuple{table::spelled<KeyName>(required("name", &NewKey::name, "For people.")),
                   table::spelled<ScopeNames>(required("scopes", &NewKey::scopes)),
                   table::asked("person", &NewKey::person,
                                "Who holds it: what takes two people takes keys of two.")};
};

}  // namespace

void add_key_routes(program::Api& api, Keys& keys) {
    using program::scope::admin;
    api.group("Keys", "Who may call the API, and who may sign requests to the tables.");
    api.get(
        "/v1/keys",
        {.name = "list_keys", .scope = admin, .summary = "List API keys, without their secrets"},
        [&keys](const Nothing&, const Actor&) -> Result<table::Slice<ApiKey>> {
            return table::Slice<ApiKey>{TRY(keys.list()), std::nullopt};
        });
    api.post("/v1/keys",
             {.name = "make_key",
              .scope = admin,
              .summary = "Make an API key, which is shown this once",
              .more = "An Idempotency-Key is not looked at: the answer would have to be kept."},
             [&keys](const NewKey& in, const Actor&) -> Result<Secret<Keys::Created>> {
                 return Secret<Keys::Created>{TRY(keys.create(in.name, in.scopes, in.person))};
             });
    api.remove("/v1/keys/{id}",
               {.name = "revoke_key",
                .scope = admin,
                .summary = "Revoke a key: from the next request on it is refused",
                .refuses = {Refusal::Kind::conflict}},
               [&keys](const ById& in, const Actor&) -> Result<Done> {
                   TRY(keys.revoke(in.id));
                   return Done{};
               });
}

}  // namespace mailroom::http
