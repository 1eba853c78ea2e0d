// How the outside sees whether the process is well: /healthz, /readyz, /metrics.
//
//   HealthFirst tables(endpoint);                              GET /healthz beside any other
//   handler add_health_routes(router, [&] { return store.check(); }, metrics);
//   add_server_metrics(metrics, "http", *server);
//   metrics.counter("mailroom_commits_total", "Commits that succeeded.", {}, […] { … });
#pragma once

#include "base/result.h"
#include "http/http.h"
#include "http/router.h"
#include "http/server.h"
#include "program/metrics.h"

#include <functional>
#include <string>

namespace mailroom::http {

// Ok, or an Error whose message tells operators why not. Must be quick; from any I/O thread.
using ReadyCheck = std::function<Result<>()>;

// GET /healthz: 200 while the process runs. GET /readyz: 200, or 503 with the reason. GET /metrics.
// They run on the I/O thread, so they answer while every worker is busy. `metrics` must outlive the
// router.
void add_health_routes(Router& router, ReadyCheck ready, const program::Metrics& metrics);

// The server's own counters, labelled with the listener's name. `server` must live as long as
// anybody calls metrics.text().
void add_server_metrics(program::Metrics& metrics, const std::string& listener,
                        const Server& server);

// Answers GET and HEAD of /healthz with as little work as possible, and hands everything else to
// `next`, which must outlive it.
class HealthFirst final : public Handler {
public:
    explicit HealthFirst(Handler& next) : next_(next) {}
    void handle(Request request, Reply reply) override;
    Response refuse(int status, std::string_view why) const override;
    std::size_t body_bytes_max(const Request& head) const override;
    std::optional<Response> refuse_head(const Request& head) const override;

private:
    Handler& next_;
};

// Counts and times every request of `next` under one route. Both must outlive it.
class Measured final : public Handler {
public:
    Measured(Handler& next, program::Metrics::Route& route) : next_(next), route_(route) {}
    void handle(Request request, Reply reply) override;
    Response refuse(int status, std::string_view why) const override;
    std::size_t body_bytes_max(const Request& head) const override;
    std::optional<Response> refuse_head(const Request& head) const override;

private:
    Handler& next_;
    program::Metrics::Route& route_;
};

}  // namespace mailroom::http
