// What the routes of the native API share: who may call, JSON bodies, errors, pages.
//
//   Routes routes(router, authenticator);
//   routes.add("GET", "/v1/emails/{id}", scope::read, [&](const Call& call) {
//       auto history = outbox.history(call.parameter("id"));
//       if (!history) return failure_response(history.error());
//       …
//   });
#pragma once

#include "api/authenticator.h"
#include "api/http.h"
#include "api/router.h"
#include "base/result.h"
#include "json/json.h"
#include "json/writer.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::api {

// Of a body, in bytes: far more than any settings or list need.
constexpr std::size_t small_body_bytes_max = 1024 * 1024;
// A message of 25 MB with base64 around its attachments, and some room.
constexpr std::size_t mail_body_bytes_max = 40 * 1024 * 1024;

// A request of somebody who may make it.
struct Call {
    const RoutedRequest& routed;
    const ApiKey& key;
    std::string_view route;  // "POST /v1/emails"

    const Request& request() const { return routed.request; }
    const std::string& parameter(std::string_view name) const { return routed.parameter(name); }
    const std::string* query(std::string_view name) const { return routed.query(name); }
};

class Routes {
public:
    using Action = std::function<Response(const Call&)>;

    // Both must outlive the router's use.
    Routes(Router& router, Authenticator& authenticator)
        : router_(router), authenticator_(authenticator) {}

    // As Router::QuickAction; the Call is there only while the action runs.
    using QuickAction = std::function<Router::Start(const Call&, Router::Later)>;

    // The action runs on a worker, for callers whose key has the scope. The pattern says which
    // parameters a query may have: "/v1/emails?state&limit". All others get 400, which names them.
    void add(const std::string& method, std::string_view pattern, std::string_view wanted_scope,
             Action action, std::size_t body_bytes_max = small_body_bytes_max);
    // See Router::add_quick().
    void add_quick(const std::string& method, std::string_view pattern,
                   std::string_view wanted_scope, QuickAction quick, Action action,
                   std::size_t body_bytes_max = small_body_bytes_max);

private:
    // A pattern, taken apart.
    struct Declared {
        std::string path, route;  // "/v1/emails", "GET /v1/emails"
        std::vector<std::string> query;
    };
    static Declared declare(const std::string& method, std::string_view pattern);
    Router::Action guarded(Declared declared, std::string_view wanted_scope, Action action);
    Router::HeadCheck head_check(std::string_view wanted_scope);

    Router& router_;
    Authenticator& authenticator_;
};

Response json_response(int status, std::string body);
// The same for a body with a secret in it: no cache may keep it.
Response secret_response(int status, std::string body);
Response no_content_response();  // 204
// The fitting status. What is wrong inside is written to the log, not told.
Response failure_response(const Error& error);
// 400: "FIELD WHY", with both in the details.
Response bad_field_response(std::string_view field, std::string_view why);
Response not_found_response(std::string_view message);

// The request's body, or 400 with the reason. The view is of `parser`.
Result<json::View, Response> json_body(const Call& call, json::Parser& parser);
// The same for an object whose members are all among `known`.
Result<json::View, Response> json_object(const Call& call, json::Parser& parser,
                                         std::initializer_list<std::string_view> known);
// A member of an object that must be text; none if it is missing or null.
Result<std::optional<std::string>, Response> text_member(const json::View& object,
                                                         std::string_view name);
Result<std::string, Response> required_text_member(const json::View& object, std::string_view name);
// A member that must be a list of texts; none if it is missing or null. Otherwise 400: "NAME
// WANTED".
Result<std::optional<std::vector<std::string>>, Response> text_list_member(const json::View& object,
                                                                           std::string_view name,
                                                                           std::string_view wanted);

// ?limit=1…1000&after=CURSOR
struct PageQuery {
    static constexpr std::size_t limit_usual = 50, limit_max = 1000;
    std::size_t limit = limit_usual;
    std::optional<std::string> after;
};
Result<PageQuery, Response> page_query(const Call& call);

// One object, written by `write(writer, thing)`.
template <class T, class Write>
Response object_response(int status, const T& thing, Write write) {
    std::string body;
    json::Writer writer(body);
    write(writer, thing);
    return json_response(status, std::move(body));
}

// {"items":[…],"next":…}: `write` adds one item.
template <class Items, class Write>
Response page_response(const Items& items, const std::optional<std::string>& next, Write write) {
    std::string body;
    json::Writer writer(body);
    writer.open_object().key("items").open_list();
    for (const auto& item : items) write(writer, item);
    writer.close_list().key("next");
    if (next) append_json_string(writer.value(), *next);
    if (!next) writer.null();
    writer.close_object();
    return json_response(200, std::move(body));
}

// All that was found, on one page.
template <class Items, class Write>
Response whole_list_response(const Result<Items>& found, Write write) {
    return found ? page_response(*found, std::nullopt, write) : failure_response(found.error());
}

// Text that may hold anything, also what is not UTF-8.
inline void write_text(json::Writer& writer, std::string_view key, std::string_view text) {
    writer.key(key);
    append_json_string(writer.value(), text);
}

}  // namespace mailroom::api
