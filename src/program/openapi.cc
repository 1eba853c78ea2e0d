#include "program/openapi.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace mailroom::program {

namespace {

constexpr std::string_view about_all =
    "Everything a business writes to its customers and everything they write back. JSON in and "
    "out. Errors have one form: `code` is for programs, `message` for people. Unknown members and "
    "parameters are refused, and all that is wrong is said at once. Lists are pages: `next` of one "
    "is `after` of the following, and null on the last.";

constexpr std::string_view about_keys =
    "Authorization: Bearer KEY. A route says which scope its key must have; a key with the scope "
    "admin has all of them.";

constexpr std::string_view failure_schema =
    R"({"type":"object","properties":{"error":{"type":"object","properties":{)"
    R"("code":{"type":"string","description":"For programs: \"not_found\"."},)"
    R"("message":{"type":"string","description":"A sentence that a person can act on."},)"
    R"("details":{"type":"object","description":"How things stand; for a bad field `field` and )"
    R"(`reason`, for several `errors`, a list of those."}},"required":["code","message",)"
    R"("details"],"additionalProperties":false}},"required":["error"],)"
    R"("additionalProperties":false})";

constexpr std::string_view once_parameter =
    R"({"name":"Idempotency-Key","in":"header","required":false,"description":"Makes a repeated )"
    R"(request harmless for 24 hours: the same again gets the first answer.","schema":{"type":)"
    R"("string","minLength":1,"maxLength":255}})";

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

// "/v1/templates/{key}" of "/v1/templates/{key...}", whose parameter has slashes.
std::string described_path(std::string path) {
    constexpr std::string_view tail_end = "...}";
    for (auto at = path.find(tail_end); at != path.npos; at = path.find(tail_end, at)) {
        path.erase(at, tail_end.size() - 1);
    }
    return path;
}

void write_parameters(json::Writer& writer, const Route& route) {
    if (route.parameters.empty() && route.about.once == Once::no) return;
    writer.key("parameters").open_list();
    for (const auto& parameter : route.parameters) {
        const bool in_path = parameter.place == Parameter::Place::path;
        writer.open_object().key("name").text(parameter.name);
        writer.key("in").text(in_path ? "path" : "query");
        writer.key("required").boolean(parameter.is_required);
        if (!parameter.about.empty()) writer.key("description").text(parameter.about);
        const auto tail = "{" + parameter.name + "...}";
        if (route.path.find(tail) != std::string::npos) writer.key("x-slashes").boolean(true);
        writer.key("schema").value() += parameter.schema;
        writer.close_object();
    }
    if (route.about.once == Once::yes) writer.value() += once_parameter;
    writer.close_list();
}

void write_content(json::Writer& writer, const std::vector<Content>& contents) {
    writer.key("content").open_object();
    for (const auto& content : contents) {
        writer.name(content.content_type).open_object();
        if (!content.schema.empty()) writer.key("schema").value() += content.schema;
        writer.close_object();
    }
    writer.close_object();
}

void write_body(json::Writer& writer, const Route& route) {
    if (route.body.empty()) return;
    writer.key("requestBody").open_object();
    writer.key("required").boolean(route.needs_body);
    write_content(writer, route.body);
    writer.close_object();
}

// Why something may not be done, by status: the name that the answer has among the components.
struct Failing {
    int status;
    std::string_view name, about;
};
constexpr Failing failures[] = {
    {400, "Invalid", "Something of the request is wrong: all of it is said."},
    {401, "Unauthorized", "No API key, or one that is not known."},
    {403, "Forbidden", "The key does not have the scope of the route."},
    {404, "NotFound", "There is no such thing."},
    {406, "Spent", "It was told before: nothing comes of telling it again."},
    {409, "Conflict", "Not as things stand: it is in another state, or its name is taken."},
    {410, "Gone", "It is over: it was there."},
    {413, "TooLarge", "The body is too large."},
    {422, "Unprocessable", "The request is fine, and what it asks for cannot be made."},
    {429, "Throttled", "Too many of these; again after Retry-After seconds."},
    {502, "Provider", "Somebody whom the server asked could not help. Nothing was done."},
    {503, "Unavailable", "Not just now; again after Retry-After seconds."},
};

std::set<int> failing_statuses(const Route& route) {
    const auto& about = route.about;
    std::set<int> all;
    for (const auto kind : about.refuses) all.insert(answer_of(kind).http_status);
    if (!route.parameters.empty() || !about.scope.empty()) all.insert(400);
    if (!about.scope.empty()) all.insert({401, 403, 503});
    const auto is_in_path = [](const Parameter& p) { return p.place == Parameter::Place::path; };
    if (std::ranges::any_of(route.parameters, is_in_path)) all.insert(404);
    if (!route.body.empty()) all.insert(413);
    if (about.once == Once::yes) all.insert(409);
    // Those that it answers in a form of its own.
    for (const auto& answer : route.answers) all.erase(answer.status);
    return all;
}

void write_reference(json::Writer& writer, std::string_view name) {
    writer.open_object().key("$ref").text("#/components/responses/" + std::string(name));
    writer.close_object();
}

void write_failures(json::Writer& writer, const Route& route) {
    const auto statuses = failing_statuses(route);
    for (const auto& failing : failures) {
        if (!statuses.contains(failing.status)) continue;
        writer.name(std::to_string(failing.status));
        write_reference(writer, failing.name);
    }
    writer.key("default");
    write_reference(writer, "Failure");
}

std::string_view about_answer(const Route& route, int status) {
    if (status == 204) return "Done.";
    const auto failing = std::ranges::find(failures, status, &Failing::status);
    return failing == std::end(failures) ? route.about.summary : failing->about;
}

// Several answers of one status and type are alternatives.
void write_answers(json::Writer& writer, const Route& route) {
    std::map<int, std::vector<Content>> by_status;
    for (const auto& answer : route.answers) by_status[answer.status].push_back(answer);
    writer.key("responses").open_object();
    for (const auto& [status, contents] : by_status) {
        writer.name(std::to_string(status)).open_object();
        writer.key("description").text(about_answer(route, status));
        const bool is_of_one_type = std::ranges::all_of(contents, [&](const Content& content) {
            return content.content_type == contents.front().content_type;
        });
        if (contents.size() > 1 && is_of_one_type) {
            std::string schema = R"({"anyOf":[)";
            for (const auto& content : contents) {
                schema += (schema.back() == '[' ? "" : ",") + content.schema;
            }
            write_content(writer, {{status, contents.front().content_type, schema + "]}"}});
        } else if (!contents.front().content_type.empty()) {
            write_content(writer, contents);
        }
        writer.close_object();
    }
    write_failures(writer, route);
    writer.close_object();
}

// The scope is told as the role that the key must have.
void write_security(json::Writer& writer, std::string_view scope) {
    writer.key("security").open_list();
    if (!scope.empty()) {
        writer.open_object().key("key").open_list().text(scope).close_list().close_object();
    }
    writer.close_list();
}

void write_route(json::Writer& writer, const Route& route) {
    const auto& about = route.about;
    writer.name(lower(route.method)).open_object();
    writer.key("operationId").text(about.name).key("tags").open_list().text(route.group);
    writer.close_list().key("summary").text(about.summary);
    if (!about.more.empty()) writer.key("description").text(about.more);
    writer.key("x-agents").boolean(about.agents == Agents::may);
    write_security(writer, about.scope);
    write_parameters(writer, route);
    write_body(writer, route);
    write_answers(writer, route);
    writer.close_object();
}

// Those that some route gives.
void write_responses(json::Writer& writer, const Api& api) {
    std::set<int> given;
    for (const auto& route : api.routes()) given.merge(failing_statuses(route));
    const std::vector<Content> content = {
        {0, "application/json", R"({"$ref":"#/components/schemas/Failure"})"}};
    const auto write = [&](std::string_view name, std::string_view about) {
        writer.name(name).open_object().key("description").text(about);
        write_content(writer, content);
        writer.close_object();
    };
    writer.key("responses").open_object();
    for (const auto& failing : failures) {
        if (given.contains(failing.status)) write(failing.name, failing.about);
    }
    write("Failure", "Nothing was done, and why.");
    writer.close_object();
}

void write_components(json::Writer& writer, const Api& api) {
    writer.key("components").open_object().key("schemas").open_object();
    auto schemas = api.schemas().known();
    schemas.emplace("Failure", failure_schema);
    for (const auto& [name, schema] : schemas) writer.name(name).value() += schema;
    writer.close_object();
    write_responses(writer, api);
    writer.key("securitySchemes").open_object();
    writer.key("key").open_object().key("type").text("http").key("scheme").text("bearer");
    writer.key("description").text(about_keys);
    writer.close_object().close_object().close_object();
}

void write_tags(json::Writer& writer, const Api& api) {
    writer.key("tags").open_list();
    for (const auto& [name, about] : api.groups()) {
        writer.open_object().key("name").text(name);
        if (!about.empty()) writer.key("description").text(about);
        writer.close_object();
    }
    writer.close_list();
}

}  // namespace

std::string openapi_json(const Api& api, std::string_view version) {
    // By path; the methods of one in the order of their declaration.
    std::map<std::string, std::vector<const Route*>> by_path;
    for (const auto& route : api.routes()) by_path[described_path(route.path)].push_back(&route);
    std::string text;
    json::Writer writer(text);
    writer.open_object().key("openapi").text("3.1.0").key("info").open_object();
    writer.key("title").text("Mailroom").key("version").text(version);
    writer.key("description").text(about_all).key("license").open_object();
    writer.key("name").text("Apache License 2.0").key("identifier").text("Apache-2.0");
    writer.close_object().close_object();
    write_tags(writer, api);
    writer.key("paths").open_object();
    for (const auto& [path, routes] : by_path) {
        writer.name(path).open_object();
        for (const auto* route : routes) write_route(writer, *route);
        writer.close_object();
    }
    writer.close_object();
    write_components(writer, api);
    writer.close_object();
    return text;
}

}  // namespace mailroom::program
