// Finds the action for a method and a path.
//
//   Router router("http", workers, metrics);
//   router.add("GET", "/v1/emails/{id}", [&](const RoutedRequest& request) {
//       return show(request.parameter("id"));
//   });
//
// Unknown paths get 404, unknown methods of known paths 405 with Allow, a malformed target 400, all
// in the form of error_response(). HEAD runs the action of GET; the server leaves the body out.
#pragma once

#include "http/http.h"
#include "http/target.h"
#include "http/workers.h"
#include "program/metrics.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mailroom::http {

struct RoutedRequest {
    Request request;
    Target target;
    std::vector<std::pair<std::string, std::string>> parameters;  // The path's, decoded.

    // A parameter of the route's pattern; asking for another one is a bug.
    const std::string& parameter(std::string_view name) const;
    // The first query parameter of that name, or none.
    const std::string* query(std::string_view name) const;
};

// Thread-safe once all routes are added.
class Router final : public Handler {
public:
    using Action = std::function<Response(const RoutedRequest&)>;
    // Answers, or sees to it that Later is called, once, by any thread; or would have to wait, and
    // has done nothing, which it may also find out later. The request is there until it is
    // answered; what answers later must still do so when the router goes, which waits for it.
    struct AnswersLater {};
    struct MustWait {};
    using Start = std::variant<Response, AnswersLater, MustWait>;
    using Later = std::function<void(std::variant<Response, MustWait>)>;
    using QuickAction = std::function<Start(const RoutedRequest&, Later)>;
    enum class Run {
        on_worker,  // May block.
        in_place,   // On the I/O thread: must be quick.
    };

    // `listener` is the name in the metrics. `workers` and `metrics` must outlive the router, and
    // the workers must have stopped before it goes.
    Router(std::string listener, Workers& workers, program::Metrics& metrics);
    ~Router() override;

    // Asked before a large body has arrived, on the I/O thread: the answer if the head alone is
    // reason enough to refuse the request.
    using HeadCheck = std::function<std::optional<Response>(const Request& head)>;

    // `{name}` stands for one whole segment that is not empty; a literal segment wins over it.
    // `{name...}` stands for one or more of them, with the slashes between them; anything else wins
    // over it, also what follows it: of "/a/{b...}" and "/a/{b...}/c" the second one gets "/a/x/c".
    // The same method and pattern twice is a bug. An exception from the action becomes a 500.
    void add(std::string method, std::string_view pattern, Action action, Run run = Run::on_worker,
             std::size_t body_bytes_max = SIZE_MAX, HeadCheck check = {});

    // `quick` is tried first: on the I/O thread, or, if the body is large, as a quick job of the
    // workers. If it must wait, `action` runs in its place on a worker, which may.
    void add_quick(std::string method, std::string_view pattern, QuickAction quick, Action action,
                   std::size_t body_bytes_max = SIZE_MAX, HeadCheck check = {});

    // "GET /v1/emails/{id}" of each route, in order.
    std::vector<std::string> routes() const;

    void handle(Request request, Reply reply) override;
    std::size_t body_bytes_max(const Request& head) const override;
    // Also for a path or a method that there is not.
    std::optional<Response> refuse_head(const Request& head) const override;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::http
