#include "dynamodb/access_key_routes.h"

#include "http/key_routes.h"
#include "program/action.h"
#include "table/records/record.h"

#include <utility>

namespace mailroom::table {

template <>
struct Record<dynamodb::AccessKey> {
    using Key = dynamodb::AccessKey;
    static std::vector<std::string> tables(const Key& key) {
        return {key.scope.tables.begin(), key.scope.tables.end()};
    }
    static constexpr std::string_view record_name = "AccessKey";
    static constexpr auto fields = std::tuple{
        shown("id", &Key::id, "What SDKs call the access key id."), shown("name", &Key::name),
        shown("access", [](const Key& k) { return k.scope.access; }),
        shown("tables", &tables, "Empty: all."), shown("created_at", &Key::created)};
};

}  // namespace mailroom::table

namespace mailroom::dynamodb {

namespace {

using program::Actor;
using program::ById;
using program::Done;
using program::Nothing;
using program::Secret;
using table::asked;
using table::required;
using table::TableAccess;

constexpr std::size_t tables_max = 1000;  // More than anybody names one by one.

struct NewAccessKey {
    AccessKey key;

    static constexpr std::string_view record_name = "NewAccessKey";
    static constexpr auto fields =
        std::tuple{table::Part{&NewAccessKey::key},
                   table::shown(
                       "secret", [](const NewAccessKey& k) -> const auto& { return k.key.secret; },
                       "This once.")};
};

// A list of names, of which none is missing: an empty list would be taken for all tables.
struct TableNames : table::Form<std::vector<std::string>> {
    static void read(const json::View& view, std::vector<std::string>& to,
                     table::Reading& reading) {
        table::Reading own;
        table::Form<std::vector<std::string>>::read(view, to, own);
        if (!own.is_good() || to.size() > tables_max) {
            return reading.wrong("must be a list of at most 1000 names of tables; all without");
        }
        if (to.empty()) reading.wrong("must not be empty; leave it out");
    }
};

struct AskForAccessKey {
    std::string name;
    TableAccess access = TableAccess::write;
    std::vector<std::string> tables;

    static constexpr auto fields = std::tuple{
        table::spelled<http::KeyName>(required("name", &AskForAccessKey::name, "For people.")),
        asked("access", &AskForAccessKey::access, "write unless given."),
        table::spelled<TableNames>(asked("tables", &AskForAccessKey::tables, "All without."))};
};

Result<Secret<NewAccessKey>> create(const AskForAccessKey& in, AccessKeys& keys) {
    const table::TableScope scope{in.access, {in.tables.begin(), in.tables.end()}};
    return Secret<NewAccessKey>{{TRY(keys.create(in.name, scope))}};
}

}  // namespace

void add_access_key_routes(program::Api& api, AccessKeys& keys) {
    using program::scope::admin;
    api.group("Keys");
    api.get("/v1/access-keys",
            {.name = "list_access_keys",
             .scope = admin,
             .summary = "List access keys of the tables, without their secrets"},
            [&keys](const Nothing&, const Actor&) -> Result<table::Slice<AccessKey>> {
                return table::Slice<AccessKey>{TRY(keys.list()), std::nullopt};
            });
    api.post("/v1/access-keys",
             {.name = "make_access_key",
              .scope = admin,
              .summary = "Make an access key of the tables, whose secret is shown this once",
              .more = "An Idempotency-Key is not looked at: the answer would have to be kept."},
             [&keys](const AskForAccessKey& in, const Actor&) { return create(in, keys); });
    api.remove("/v1/access-keys/{id}",
               {.name = "revoke_access_key",
                .scope = admin,
                .summary = "Revoke an access key: from the next request on it is refused"},
               [&keys](const ById& in, const Actor&) -> Result<Done> {
                   TRY(keys.revoke(in.id));
                   return Done{};
               });
}

}  // namespace mailroom::dynamodb
