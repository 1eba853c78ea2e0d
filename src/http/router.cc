#include "http/router.h"

#include "base/log.h"
#include "http/unanswered.h"

#include <cassert>
#include <exception>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace mailroom::http {
namespace {

// The route's name in the metrics when no route was found: paths are the client's to invent.
constexpr const char* no_route = "none";

// Of quick actions: handing a small request to another thread costs more than the others of its
// connection's thread gain by that. A large one is work for some milliseconds.
constexpr std::size_t in_place_body_bytes_max = 64 * 1024;

struct Route {
    Router::QuickAction quick;  // None: straight to the action.
    Router::Action action;
    Router::Run run;
    std::size_t body_bytes_max;
    Router::HeadCheck check;
    std::vector<std::string> parameter_names;
    program::Metrics::Route* metrics;
};

// The tree of segments. Where a literal child leads nowhere, the parameter child is tried, and then
// the tail, which stands for several segments.
struct Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> literals;
    std::unique_ptr<Node> parameter, tail;
    std::map<std::string, Route, std::less<>> routes;  // By method.
};

using Segments = std::span<const std::string>;

const Node* find_node(const Node& node, Segments segments, std::vector<std::string>& values);

// What follows the tail in the pattern wins over a tail that has it, and so does the longer tail.
const Node* find_behind_tail(const Node& tail, Segments segments,
                             std::vector<std::string>& values) {
    std::size_t longest = 0;
    std::string joined;
    std::vector<std::size_t> ends;  // Of the tails, in `joined`.
    for (; longest < segments.size() && !segments[longest].empty(); ++longest) {
        joined += (longest > 0 ? "/" : "") + segments[longest];
        ends.push_back(joined.size());
    }
    const auto place = values.size();
    values.emplace_back();
    const auto try_with = [&](std::size_t count) {
        const auto* found = find_node(tail, segments.subspan(count), values);
        if (found) values[place] = joined.substr(0, ends[count - 1]);
        return found;
    };
    const bool may_be_whole = longest == segments.size();
    for (auto count = may_be_whole ? longest - 1 : longest; count > 0; --count) {
        if (const auto* found = try_with(count)) return found;
    }
    if (may_be_whole && !tail.routes.empty()) return try_with(longest);
    values.resize(place);
    return nullptr;
}

const Node* find_node(const Node& node, Segments segments, std::vector<std::string>& values) {
    if (segments.empty()) return node.routes.empty() ? nullptr : &node;
    const auto& segment = segments.front();
    if (const auto literal = node.literals.find(segment); literal != node.literals.end()) {
        if (const auto* found = find_node(*literal->second, segments.subspan(1), values)) {
            return found;
        }
    }
    if (segment.empty()) return nullptr;
    if (node.parameter) {
        values.push_back(segment);
        if (const auto* found = find_node(*node.parameter, segments.subspan(1), values)) {
            return found;
        }
        values.pop_back();
    }
    return node.tail ? find_behind_tail(*node.tail, segments, values) : nullptr;
}

const Route* find_route(const Node& node, const std::string& method) {
    const auto found = node.routes.find(method);
    if (found != node.routes.end()) return &found->second;
    return method == "HEAD" ? find_route(node, "GET") : nullptr;
}

std::string allowed_methods(const Node& node) {
    std::string result;
    for (const auto& [method, route] : node.routes) {
        if (!result.empty()) result += ", ";
        result += method;
        if (method == "GET" && !node.routes.contains("HEAD")) result += ", HEAD";
    }
    return result;
}

std::vector<std::string_view> split(std::string_view pattern) {
    assert(pattern.starts_with('/'));
    std::vector<std::string_view> segments;
    for (pattern.remove_prefix(1); !pattern.empty();) {
        const auto slash = pattern.find('/');
        segments.push_back(pattern.substr(0, slash));
        if (slash == std::string_view::npos) break;
        pattern.remove_prefix(slash + 1);
    }
    return segments;
}

// The child that a segment of a pattern leads to; `names` are of the parameters.
Node& child_of(Node& node, std::string_view segment, std::vector<std::string>& names) {
    constexpr std::string_view tail_end = "...}";
    const bool is_named = segment.size() > 2 && segment.starts_with('{') && segment.ends_with('}');
    const bool is_tail = is_named && segment.ends_with(tail_end);
    const auto behind = is_tail ? tail_end.size() : 1;
    if (is_named) names.emplace_back(segment.substr(1, segment.size() - 1 - behind));
    auto& child = is_tail    ? node.tail
                  : is_named ? node.parameter
                             : node.literals[std::string(segment)];
    if (!child) child = std::make_unique<Node>();
    return *child;
}

// What `act` returns, or 500 if it throws.
template <class Act>
auto guarded(const Act& act) -> decltype(act()) {
    try {
        return act();
    } catch (const std::exception& error) {
        log::error("a route's action failed", {{"error", error.what()}});
        return error_response(500, "internal", "the request could not be handled");
    }
}

Response too_busy() {
    auto response = error_response(503, "unavailable", "too many requests are waiting; try again");
    response.headers.emplace_back("Retry-After", "1");
    return response;
}

// What a job on a worker needs. Shared by the worker and what answers later.
struct Job {
    const Route& route;
    RoutedRequest request;
    Reply reply;
    program::Stopwatch watch;

    void finish(Response response) {
        route.metrics->record(response.status, watch.elapsed());
        reply(std::move(response));
    }
};

}  // namespace

const std::string& RoutedRequest::parameter(std::string_view name) const {
    for (const auto& [key, value] : parameters) {
        if (key == name) return value;
    }
    assert(false && "the route has no such parameter");
    std::terminate();
}

const std::string* RoutedRequest::query(std::string_view name) const {
    for (const auto& [key, value] : target.parameters) {
        if (key == name) return &value;
    }
    return nullptr;
}

class Router::Impl {
public:
    Impl(std::string listener, Workers& workers, program::Metrics& metrics)
        : listener_(std::move(listener)),
          workers_(workers),
          metrics_(metrics),
          unrouted_(metrics.route(listener_, no_route)) {}

    ~Impl() { unanswered_.wait_for_none(); }

    void add(std::string method, std::string_view pattern, QuickAction quick, Action action,
             Run run, std::size_t body_bytes_max, HeadCheck check) {
        std::vector<std::string> names;
        Node* node = &root_;
        for (const auto segment : split(pattern)) {
            node = &child_of(*node, segment, names);
        }
        const auto name = method + " " + std::string(pattern);
        auto& metrics = metrics_.route(listener_, name);
        const bool added =
            node->routes
                .try_emplace(std::move(method),
                             Route{std::move(quick), std::move(action), run, body_bytes_max,
                                   std::move(check), names, &metrics})
                .second;
        assert(added);
        static_cast<void>(added);
        names_.insert(name);
    }

    const std::set<std::string>& names() const { return names_; }

    void handle(Request request, Reply reply) {
        const program::Stopwatch watch;
        const auto answer_unrouted = [&](Response response) {
            unrouted_.record(response.status, watch.elapsed());
            reply(std::move(response));
        };
        auto target = parse_target(request.target);
        if (!target) return answer_unrouted(error_response(400, "invalid", target.error().message));

        std::vector<std::string> values;
        const auto* node = find_node(root_, target->segments, values);
        const auto* route = node ? find_route(*node, request.method) : nullptr;
        if (!route) return answer_unrouted(no_route_response(node));

        RoutedRequest routed{std::move(request), *std::move(target), {}};
        for (std::size_t i = 0; i < values.size(); ++i) {
            routed.parameters.emplace_back(route->parameter_names[i], std::move(values[i]));
        }
        run({*route, std::move(routed), std::move(reply), watch});
    }

    std::size_t body_bytes_max(const Request& head) const {
        const auto target = parse_target(head.target);
        std::vector<std::string> values;
        const auto* node = target ? find_node(root_, target->segments, values) : nullptr;
        const auto* route = node ? find_route(*node, head.method) : nullptr;
        return route ? route->body_bytes_max : SIZE_MAX;
    }

    std::optional<Response> refuse_head(const Request& head) const {
        const program::Stopwatch watch;
        const auto target = parse_target(head.target);
        if (!target) return error_response(400, "invalid", target.error().message);
        std::vector<std::string> values;
        const auto* node = find_node(root_, target->segments, values);
        const auto* route = node ? find_route(*node, head.method) : nullptr;
        std::optional<Response> refusal;
        if (!route) {
            refusal = no_route_response(node);
        } else if (route->check) {
            refusal = route->check(head);
        }
        auto& metrics = route ? *route->metrics : unrouted_;
        if (refusal) metrics.record(refusal->status, watch.elapsed());
        return refusal;
    }

private:
    static Response no_route_response(const Node* node) {
        if (node) return method_not_allowed(*node);
        return error_response(404, "not_found", "there is no such path");
    }

    static Response method_not_allowed(const Node& node) {
        auto response =
            error_response(405, "method_not_allowed", "this path does not take that method");
        response.headers.emplace_back("Allow", allowed_methods(node));
        return response;
    }

    using SharedJob = std::shared_ptr<Job>;

    void run(Job job) {
        const auto shared = std::make_shared<Job>(std::move(job));
        if (shared->route.run == Run::in_place) return act(shared);
        const bool is_small = shared->request.request.body.size() <= in_place_body_bytes_max;
        if (shared->route.quick && is_small) return act_quickly(shared);
        const bool posted = shared->route.quick
                                ? workers_.post_quick([this, shared] { act_quickly(shared); })
                                : workers_.post([shared] { act(shared); });
        if (!posted) shared->finish(too_busy());
    }

    static void act(const SharedJob& job) {
        job->finish(guarded([&] { return job->route.action(job->request); }));
    }

    void act_quickly(const SharedJob& job) {
        unanswered_.add();
        const Later later = [this, job](std::variant<Response, MustWait> found) {
            if (auto* response = std::get_if<Response>(&found)) {
                job->finish(std::move(*response));
            } else if (!workers_.post([job] { act(job); })) {
                job->finish(too_busy());
            }
            unanswered_.remove();
        };
        auto start = guarded([&] { return job->route.quick(job->request, later); });
        if (std::holds_alternative<AnswersLater>(start)) return;
        if (auto* response = std::get_if<Response>(&start)) return later(std::move(*response));
        later(MustWait{});
    }

    const std::string listener_;
    Workers& workers_;
    program::Metrics& metrics_;
    program::Metrics::Route& unrouted_;
    Node root_;
    std::set<std::string> names_;
    Unanswered unanswered_;
};

Router::Router(std::string listener, Workers& workers, program::Metrics& metrics)
    : impl_(std::make_unique<Impl>(std::move(listener), workers, metrics)) {}
Router::~Router() = default;

void Router::add(std::string method, std::string_view pattern, Action action, Run run,
                 std::size_t body_bytes_max, HeadCheck check) {
    impl_->add(std::move(method), pattern, nullptr, std::move(action), run, body_bytes_max,
               std::move(check));
}

void Router::add_quick(std::string method, std::string_view pattern, QuickAction quick,
                       Action action, std::size_t body_bytes_max, HeadCheck check) {
    impl_->add(std::move(method), pattern, std::move(quick), std::move(action), Run::on_worker,
               body_bytes_max, std::move(check));
}

std::vector<std::string> Router::routes() const {
    return {impl_->names().begin(), impl_->names().end()};
}

void Router::handle(Request request, Reply reply) {
    impl_->handle(std::move(request), std::move(reply));
}

std::size_t Router::body_bytes_max(const Request& head) const {
    return impl_->body_bytes_max(head);
}

std::optional<Response> Router::refuse_head(const Request& head) const {
    return impl_->refuse_head(head);
}

}  // namespace mailroom::http
