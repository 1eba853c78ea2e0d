#include "api/serve.h"

#include <optional>
#include <string>
#include <utility>

namespace mailroom::api {

namespace {

using program::Actor;
using program::Asked;
using program::Route;

// What serves one route. All are there as long as the router.
struct Door {
    const Route& route;
    std::string text;  // "POST /v1/emails"
    Authenticator& authenticator;
    Idempotency& idempotency;

    bool is_for_anybody() const { return route.about.scope.empty(); }
};

Asked asked_of(const RoutedRequest& routed, const Actor& who) {
    const auto* type = routed.request.header("Content-Type");
    return {routed.parameters,
            routed.target.parameters,
            routed.request.body,
            who,
            type ? std::string_view(*type) : std::string_view(),
            routed.request.method,
            routed.request.peer,
            &routed.request.headers};
}

Response act(const Route& route, const Call& call, const std::optional<std::string>& once) {
    const Actor who{call.key.id, call.key.name, call.key.scopes, once, call.key.person};
    return response_of(route.act(asked_of(call.routed, who)));
}

Response act_for_anybody(const Route& route, const RoutedRequest& routed) {
    return response_of(route.act(asked_of(routed, Actor())));
}

Response answer(const Door& door, const RoutedRequest& routed) {
    const auto& [route, text, authenticator, idempotency] = door;
    if (door.is_for_anybody()) return act_for_anybody(route, routed);
    const auto key = authenticator.allow(routed.request, route.about.scope);
    if (!key) return key.error();
    const Call call{routed, *key, text};
    if (route.about.once == program::Once::no) return act(route, call, std::nullopt);
    return idempotency.run(call, [&](const auto& value) { return act(route, call, value); });
}

Router::Start begun(program::Start start) {
    if (auto* rendered = std::get_if<program::Rendered>(&start)) {
        return response_of(std::move(*rendered));
    }
    if (std::holds_alternative<program::MustWait>(start)) return Router::MustWait{};
    return Router::AnswersLater{};
}

program::Later told_later(Router::Later later) {
    return [later = std::move(later)](std::variant<program::Rendered, program::MustWait> found) {
        auto* rendered = std::get_if<program::Rendered>(&found);
        if (!rendered) return later(Router::MustWait{});
        later(response_of(std::move(*rendered)));
    };
}

program::Keep keep_with(const std::optional<Once>& once) {
    if (!once) return nullptr;
    return [once](table::write::Transaction& together, const program::Rendered& rendered) {
        once->keep_with(together, response_of(rendered));
    };
}

Router::Start begin(const Door& door, const RoutedRequest& routed, Router::Later later) {
    const auto& [route, text, authenticator, idempotency] = door;
    if (door.is_for_anybody()) {
        return begun(route.start(asked_of(routed, Actor()), nullptr, told_later(std::move(later))));
    }
    auto key = authenticator.allow(routed.request, route.about.scope);
    if (!key) return std::move(key).error();
    const Call call{routed, *key, text};
    std::optional<Once> once;
    if (route.about.once == program::Once::yes && Idempotency::is_asked_for(call)) {
        once = idempotency.once(call);
        if (!once) return Router::MustWait{};
    }
    const Actor who{std::move(key->id), std::move(key->name), std::move(key->scopes), std::nullopt,
                    std::move(key->person)};
    auto start =
        begun(route.start(asked_of(routed, who), keep_with(once), told_later(std::move(later))));
    // Refusals are kept, too, which takes one that waits.
    if (once && std::holds_alternative<Response>(start)) return Router::MustWait{};
    return start;
}

Router::HeadCheck head_check(const Door& door) {
    if (door.is_for_anybody()) return nullptr;
    return [door](const Request& head) -> std::optional<Response> {
        auto key = door.authenticator.allow(head, door.route.about.scope);
        return key ? std::nullopt : std::optional(std::move(key).error());
    };
}

void add(Router& router, const Door& door) {
    const auto& about = door.route.about;
    auto action = [door](const RoutedRequest& routed) { return answer(door, routed); };
    if (door.route.start) {
        auto quick = [door](const RoutedRequest& routed, Router::Later later) {
            return begin(door, routed, std::move(later));
        };
        return router.add_quick(door.route.method, door.route.path, std::move(quick),
                                std::move(action), about.body_bytes_max, head_check(door));
    }
    const bool is_quick = door.is_for_anybody() && about.pace == program::Pace::quick;
    const auto run = is_quick ? Router::Run::in_place : Router::Run::on_worker;
    router.add(door.route.method, door.route.path, std::move(action), run, about.body_bytes_max,
               head_check(door));
}

}  // namespace

Response response_of(program::Rendered rendered) {
    Response response;
    response.status = rendered.status;
    response.content_type = std::move(rendered.content_type);
    response.headers = std::move(rendered.headers);
    response.body = std::move(rendered.body);
    return response;
}

void serve(Router& router, const program::Api& api, Authenticator& authenticator,
           Idempotency& idempotency) {
    for (const auto& route : api.routes()) {
        if (route.act) add(router, {route, route.text(), authenticator, idempotency});
    }
}

}  // namespace mailroom::api
