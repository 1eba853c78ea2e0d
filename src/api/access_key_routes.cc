#include "api/access_key_routes.h"

#include "base/time_format.h"

#include <utility>

namespace mailroom::api {

namespace {

constexpr std::size_t tables_max = 1000;  // More than anybody names one by one.

void write_members(json::Writer& writer, const AccessKey& key) {
    writer.key("id").text(key.id);
    write_text(writer, "name", key.name);
    writer.key("access").text(access_name(key.scope.access));
    writer.key("tables").open_list();
    for (const auto& table : key.scope.tables) append_json_string(writer.value(), table);
    writer.close_list();
    writer.key("created_at").text(format_rfc3339(key.created));
}

void write_key(json::Writer& writer, const AccessKey& key) {
    writer.open_object();
    write_members(writer, key);
    writer.close_object();
}

Result<table::TableSet, Response> tables_of(const json::View& object) {
    const auto* const wanted = "must be a list of at most 1000 names of tables; all without";
    const auto names = text_list_member(object, "tables", wanted);
    if (!names) return names.error();
    if (!*names) return table::TableSet();
    if ((*names)->size() > tables_max) return bad_field_response("tables", wanted);
    // An empty list would be taken for all of them.
    if ((*names)->empty()) return bad_field_response("tables", "must not be empty; leave it out");
    return table::TableSet((*names)->begin(), (*names)->end());
}

Response create(const Call& call, AccessKeys& keys) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"name", "access", "tables"});
    if (!body) return body.error();
    const auto name = required_text_member(*body, "name");
    if (!name) return name.error();
    const auto access = text_member(*body, "access");
    if (!access) return access.error();
    const auto wanted = access_named(access->value_or("write"));
    if (!wanted) return bad_field_response("access", "must be read, write or manage");
    auto tables = tables_of(*body);
    if (!tables) return std::move(tables).error();
    const auto created = keys.create(*name, {*wanted, *std::move(tables)});
    if (!created) return failure_response(created.error());
    std::string text;
    json::Writer writer(text);
    writer.open_object();
    write_members(writer, *created);
    writer.key("secret").text(created->secret).close_object();
    return secret_response(201, std::move(text));
}

Response revoke(const std::string& id, AccessKeys& keys) {
    const auto revoked = keys.revoke(id);
    return revoked ? no_content_response() : failure_response(revoked.error());
}

}  // namespace

void add_access_key_routes(Routes& routes, AccessKeys& keys) {
    routes.add("GET", "/v1/access-keys", scope::admin,
               [&keys](const Call&) { return whole_list_response(keys.list(), write_key); });
    routes.add("POST", "/v1/access-keys", scope::admin,
               [&keys](const Call& call) { return create(call, keys); });
    routes.add("DELETE", "/v1/access-keys/{id}", scope::admin,
               [&keys](const Call& call) { return revoke(call.parameter("id"), keys); });
}

}  // namespace mailroom::api
