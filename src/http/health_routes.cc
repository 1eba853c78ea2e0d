#include "http/health_routes.h"

#include "table/records/record.h"

namespace mailroom::http {

namespace {

using program::About;
using program::Nothing;
using program::Source;

struct Status {
    std::string status;

    static constexpr std::string_view record_name = "Status";
    static constexpr auto fields =
        std::tuple{table::shown("status", &Status::status, "ok or ready.")};
};
struct Exposition : program::File {
    static constexpr const char* type = "text/plain";
};

}  // namespace

void describe_health_routes(program::Api& api) {
    api.group("Server");
    const About health{.name = "healthz", .scope = "", .summary = "Whether the process runs"};
    api.declare<Nothing, Status>("GET", "/healthz", health, Source::query);
    const About readiness{.name = "readyz",
                          .scope = "",
                          .summary = "Whether it can accept and store",
                          .refuses = {Refusal::Kind::unavailable}};
    api.declare<Nothing, Status>("GET", "/readyz", readiness, Source::query);
    const About metrics{
        .name = "metrics", .scope = "", .summary = "What is counted, for Prometheus"};
    api.declare<Nothing, Exposition>("GET", "/metrics", metrics, Source::query);
}

}  // namespace mailroom::http
