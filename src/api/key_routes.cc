#include "api/key_routes.h"

#include "base/time_format.h"

namespace mailroom::api {

namespace {

void write_members(json::Writer& writer, const ApiKey& key) {
    writer.key("id").text(key.id);
    write_text(writer, "name", key.name);
    writer.key("scopes").open_list();
    for (const auto& own : key.scopes) writer.text(own);
    writer.close_list();
    writer.key("created_at").text(format_rfc3339(key.created));
    write_text(writer, "last_four", key.last_four);
}

void write_key(json::Writer& writer, const ApiKey& key) {
    writer.open_object();
    write_members(writer, key);
    writer.close_object();
}

Result<std::vector<std::string>, Response> scopes_of(const json::View& object) {
    const auto wanted = "must be a list of " + known_scopes_text();
    auto scopes = text_list_member(object, "scopes", wanted);
    if (!scopes) return std::move(scopes).error();
    if (!*scopes) return bad_field_response("scopes", wanted);
    return **std::move(scopes);
}

Response create(const Call& call, Keys& keys) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"name", "scopes"});
    if (!body) return body.error();
    const auto name = required_text_member(*body, "name");
    if (!name) return name.error();
    auto scopes = scopes_of(*body);
    if (!scopes) return std::move(scopes).error();
    const auto created = keys.create(*name, *std::move(scopes));
    if (!created) return failure_response(created.error());
    std::string text;
    json::Writer writer(text);
    writer.open_object();
    write_members(writer, created->key);
    writer.key("key").text(created->text).close_object();
    return secret_response(201, std::move(text));
}

Response revoke(const std::string& id, Keys& keys) {
    const auto revoked = keys.revoke(id);
    return revoked ? no_content_response() : failure_response(revoked.error());
}

}  // namespace

void add_key_routes(Routes& routes, Keys& keys) {
    routes.add("GET", "/v1/keys", scope::admin,
               [&keys](const Call&) { return whole_list_response(keys.list(), write_key); });
    routes.add("POST", "/v1/keys", scope::admin,
               [&keys](const Call& call) { return create(call, keys); });
    routes.add("DELETE", "/v1/keys/{id}", scope::admin,
               [&keys](const Call& call) { return revoke(call.parameter("id"), keys); });
}

}  // namespace mailroom::api
