#include "http/health.h"

#include <cstdint>
#include <utility>

namespace mailroom::http {
namespace {

Response healthy() {
    Response response;
    response.body = R"({"status":"ok"})";
    return response;
}

Response readiness(const ReadyCheck& ready) {
    const auto result = ready();
    if (!result) return error_response(503, "unavailable", result.error().message);
    Response response;
    response.body = R"({"status":"ready"})";
    return response;
}

Response exposition(const program::Metrics& metrics) {
    Response response;
    response.content_type = program::Metrics::content_type;
    response.body = metrics.text();
    return response;
}

}  // namespace

void add_health_routes(Router& router, ReadyCheck ready, const program::Metrics& metrics) {
    router.add(
        "GET", "/healthz", [](const RoutedRequest&) { return healthy(); }, Router::Run::in_place);
    router.add(
        "GET", "/readyz",
        [ready = std::move(ready)](const RoutedRequest&) { return readiness(ready); },
        Router::Run::in_place);
    router.add(
        "GET", "/metrics", [&metrics](const RoutedRequest&) { return exposition(metrics); },
        Router::Run::in_place);
}

void add_server_metrics(program::Metrics& metrics, const std::string& listener,
                        const Server& server) {
    using Field = std::uint64_t Server::Stats::*;
    const auto read = [&server](Field field) {
        return [&server, field] { return static_cast<double>(server.stats().*field); };
    };
    using Stats = Server::Stats;
    const program::Metrics::Labels labels{{"listener", listener}};
    metrics.gauge("mailroom_http_connections", "Connections open now.", labels,
                  read(&Stats::connections));
    metrics.counter("mailroom_http_connections_accepted_total", "Connections accepted.", labels,
                    read(&Stats::accepted));
    metrics.counter("mailroom_http_connections_turned_away_total",
                    "Connections closed because too many were open.", labels,
                    read(&Stats::turned_away));
    metrics.counter("mailroom_http_received_total", "Requests handed to the handler.", labels,
                    read(&Stats::requests));
    metrics.counter("mailroom_http_refused_total",
                    "Requests the server turned down: malformed, too large or too slow.", labels,
                    read(&Stats::refused));
    metrics.counter("mailroom_http_timed_out_total", "Connections that ran out of time.", labels,
                    read(&Stats::timed_out));
}

void HealthFirst::handle(Request request, Reply reply) {
    const bool asks =
        request.target == "/healthz" && (request.method == "GET" || request.method == "HEAD");
    if (asks) return reply(healthy());
    next_.handle(std::move(request), std::move(reply));
}

Response HealthFirst::refuse(int status, std::string_view why) const {
    return next_.refuse(status, why);
}

std::size_t HealthFirst::body_bytes_max(const Request& head) const {
    return next_.body_bytes_max(head);
}

std::optional<Response> HealthFirst::refuse_head(const Request& head) const {
    return next_.refuse_head(head);
}

void Measured::handle(Request request, Reply reply) {
    next_.handle(std::move(request), [reply = std::move(reply), watch = program::Stopwatch(),
                                      &route = route_](Response response) {
        route.record(response.status, watch.elapsed());
        reply(std::move(response));
    });
}

Response Measured::refuse(int status, std::string_view why) const {
    return next_.refuse(status, why);
}

std::size_t Measured::body_bytes_max(const Request& head) const {
    return next_.body_bytes_max(head);
}

std::optional<Response> Measured::refuse_head(const Request& head) const {
    return next_.refuse_head(head);
}

}  // namespace mailroom::http
