#include "api/routes.h"

#include "base/log.h"

#include <algorithm>
#include <charconv>

namespace mailroom::api {

namespace {

// 400 if the query has parameters that the route does not know: all of them are named.
std::optional<Response> refuse_query(const RoutedRequest& request,
                                     const std::vector<std::string>& known) {
    std::vector<std::string_view> unknown;
    for (const auto& [name, value] : request.target.parameters) {
        const bool is_new = std::ranges::find(unknown, name) == unknown.end();
        if (is_new && std::ranges::find(known, name) == known.end()) unknown.push_back(name);
    }
    if (unknown.empty()) return std::nullopt;
    if (unknown.size() == 1) return bad_field_response(unknown[0], "is not a known parameter");
    std::string names, details;
    json::Writer writer(details);
    writer.open_object().key("errors").open_list();
    for (const auto name : unknown) {
        names += (names.empty() ? "" : ", ") + std::string(name);
        writer.open_object();
        write_text(writer, "field", name);
        writer.key("reason").text("is not a known parameter").close_object();
    }
    writer.close_list().close_object();
    return error_response(400, "invalid", names + " are not known parameters", details);
}

}  // namespace

Routes::Declared Routes::declare(const std::string& method, std::string_view pattern) {
    const auto mark = pattern.find('?');
    Declared declared;
    declared.path = pattern.substr(0, mark);
    declared.route = method + " " + declared.path;
    auto names = mark == pattern.npos ? std::string_view() : pattern.substr(mark + 1);
    while (!names.empty()) {
        const auto end = std::min(names.find('&'), names.size());
        declared.query.emplace_back(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return declared;
}

Router::Action Routes::guarded(Declared declared, std::string_view wanted_scope, Action action) {
    return
        [&authenticator = authenticator_, wanted = std::string(wanted_scope),
         declared = std::move(declared), action = std::move(action)](const RoutedRequest& request) {
            const auto key = authenticator.allow(request.request, wanted);
            if (!key) return key.error();
            if (auto refusal = refuse_query(request, declared.query)) return *std::move(refusal);
            return action({request, *key, declared.route});
        };
}

Router::HeadCheck Routes::head_check(std::string_view wanted_scope) {
    return
        [&authenticator = authenticator_, wanted = std::string(wanted_scope)](const Request& head) {
            auto key = authenticator.allow(head, wanted);
            return key ? std::nullopt : std::optional(std::move(key).error());
        };
}

void Routes::add(const std::string& method, std::string_view pattern, std::string_view wanted_scope,
                 Action action, std::size_t body_bytes_max) {
    auto declared = declare(method, pattern);
    const auto path = declared.path;
    router_.add(method, path, guarded(std::move(declared), wanted_scope, std::move(action)),
                Router::Run::on_worker, body_bytes_max, head_check(wanted_scope));
}

void Routes::add_quick(const std::string& method, std::string_view pattern,
                       std::string_view wanted_scope, QuickAction quick, Action action,
                       std::size_t body_bytes_max) {
    const auto declared = declare(method, pattern);
    auto checked = [&authenticator = authenticator_, wanted = std::string(wanted_scope), declared,
                    quick = std::move(quick)](const RoutedRequest& request,
                                              Router::Later later) -> Router::Start {
        const auto key = authenticator.allow(request.request, wanted);
        if (!key) return key.error();
        if (auto refusal = refuse_query(request, declared.query)) return *std::move(refusal);
        return quick({request, *key, declared.route}, std::move(later));
    };
    router_.add_quick(method, declared.path, std::move(checked),
                      guarded(declared, wanted_scope, std::move(action)), body_bytes_max,
                      head_check(wanted_scope));
}

Response json_response(int status, std::string body) {
    Response response;
    response.status = status;
    response.body = std::move(body);
    return response;
}

Response secret_response(int status, std::string body) {
    auto response = json_response(status, std::move(body));
    response.headers.emplace_back("Cache-Control", "no-store");
    return response;
}

Response no_content_response() {
    Response response;
    response.status = 204;
    response.content_type.clear();
    return response;
}

Response failure_response(const Error& error) {
    switch (error.code) {
        case Errc::invalid:
            return error_response(400, "invalid", error.message);
        case Errc::not_found:
            return error_response(404, "not_found", error.message);
        case Errc::conflict:
            return error_response(409, "conflict", error.message);
        case Errc::throttled:
        case Errc::unavailable: {
            log::warn("a request could not be served", {{"reason", error.message}});
            auto response = error_response(503, "unavailable",
                                           "the data cannot be reached just now; try again");
            response.headers.emplace_back("Retry-After", "1");
            return response;
        }
        case Errc::corrupt:
            break;
    }
    log::error("a request failed", {{"reason", error.message}});
    return error_response(500, "internal", "the request could not be handled");
}

Response bad_field_response(std::string_view field, std::string_view why) {
    std::string details;
    json::Writer writer(details);
    writer.open_object();
    write_text(writer, "field", field);
    write_text(writer, "reason", why);
    writer.close_object();
    return error_response(400, "invalid", std::string(field) + " " + std::string(why), details);
}

Response not_found_response(std::string_view message) {
    return error_response(404, "not_found", message);
}

Result<json::View, Response> json_body(const Call& call, json::Parser& parser) {
    const auto& body = call.request().body;
    if (body.empty()) return error_response(400, "invalid", "the body is empty; send JSON");
    auto parsed = parser.parse(body);
    if (parsed) return *parsed;
    return error_response(400, "invalid",
                          "the body is " + std::string(json::describe(parsed.error())));
}

Result<json::View, Response> json_object(const Call& call, json::Parser& parser,
                                         std::initializer_list<std::string_view> known) {
    auto body = json_body(call, parser);
    if (!body) return body;
    if (body->type() != json::View::Type::object) {
        return error_response(400, "invalid", "the body must be a JSON object");
    }
    json::Members members(*body);
    std::string_view name;
    json::View value;
    while (members.next(name, value)) {
        if (std::ranges::find(known, name) == known.end()) {
            return bad_field_response(name, "is not known");
        }
    }
    return body;
}

Result<std::optional<std::string>, Response> text_member(const json::View& object,
                                                         std::string_view name) {
    const auto found = object.find(name);
    if (!found || found->is_null()) return std::optional<std::string>();
    if (found->type() != json::View::Type::text) return bad_field_response(name, "must be text");
    return std::optional(std::string(found->text()));
}

Result<std::string, Response> required_text_member(const json::View& object,
                                                   std::string_view name) {
    auto text = text_member(object, name);
    if (!text) return std::move(text).error();
    if (!*text) return bad_field_response(name, "is missing");
    return **std::move(text);
}

Result<std::optional<std::vector<std::string>>, Response> text_list_member(
    const json::View& object, std::string_view name, std::string_view wanted) {
    const auto found = object.find(name);
    if (!found || found->is_null()) return std::optional<std::vector<std::string>>();
    if (found->type() != json::View::Type::list) return bad_field_response(name, wanted);
    std::vector<std::string> texts;
    json::Elements elements(*found);
    json::View element;
    while (elements.next(element)) {
        if (element.type() != json::View::Type::text) return bad_field_response(name, wanted);
        texts.emplace_back(element.text());
    }
    return std::optional(std::move(texts));
}

Result<PageQuery, Response> page_query(const Call& call) {
    PageQuery page;
    if (const auto* limit = call.query("limit")) {
        const auto* end = limit->data() + limit->size();
        const auto [read_to, error] = std::from_chars(limit->data(), end, page.limit);
        const bool good = error == std::errc() && read_to == end && page.limit >= 1 &&
                          page.limit <= PageQuery::limit_max;
        if (!good) return bad_field_response("limit", "must be a whole number from 1 to 1000");
    }
    if (const auto* after = call.query("after"); after && !after->empty()) page.after = *after;
    return page;
}

}  // namespace mailroom::api
