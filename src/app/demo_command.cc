#include "app/commands.h"
#include "app/demo_data.h"
#include "app/setting_values.h"
#include "base/clock.h"
#include "net/http_client.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <ostream>

namespace mailroom::app {

namespace {

constexpr auto patience = std::chrono::seconds(30);

Result<> post_file(net::HttpClient& http, const std::string& url, const std::string& key,
                   const std::string& file) {
    const auto where = TRY(net::Url::parse(url));
    net::HttpRequest request{.method = "POST", .url = where};
    request.headers = {{"Authorization", "Bearer " + key}, {"Content-Type", "text/csv"}};
    request.body = file;
    request.reach = net::Reach::trusted;  // Whoever runs the command named it.
    request.limits.total_timeout = patience;
    const auto answer = http.send(request);
    if (!answer) return Error{Errc::unavailable, url + ": " + answer.error().message};
    if (answer->status == 200) return Ok{};
    return Error{Errc::unavailable,
                 url + " answered " + std::to_string(answer->status) + ": " + answer->body};
}

}  // namespace

DemoCommand::DemoCommand(CLI::App& parser, Invocation& invocation) : invocation_(invocation) {
    auto* command = parser.add_subcommand(
        "demo", "Load customers and invoices into a running server, to try reminders with.");
    command->add_option("--http", http_, "Where the server's HTTP API is (127.0.0.1:8025).")
        ->type_name("HOST:PORT");
    command->add_option("--key", key_, "An API key; without it, MAILROOM_ADMIN_KEY.");
    command->callback([this] { invocation_.chosen = [this] { return run(); }; });
}

int DemoCommand::run() {
    const auto& environment = invocation_.surroundings.environment;
    const auto found = environment.find(std::string(admin_key_variable));
    if (key_.empty() && found != environment.end()) key_ = found->second;
    if (key_.empty()) {
        return invocation_.fail("give the server's API key with --key or in MAILROOM_ADMIN_KEY",
                                exit_usage);
    }
    const auto address = parse_listen_address(http_);
    if (!address) return invocation_.fail("--http must be HOST:PORT", exit_usage);
    // A server that leaves is an error to tell, not the end of us.
    std::signal(SIGPIPE, SIG_IGN);
    const SystemClock clock;
    const auto data = demo_data(clock.now());
    net::HttpClient http(net::HttpClientOptions{});
    const auto base = "http://" + address->text() + "/v1/";
    for (const auto& [path, file] : {std::pair("reminders/customers/import", &data.customers),
                                     {"reminders/invoices/import", &data.invoices}}) {
        const auto posted = post_file(http, base + path, key_, *file);
        if (!posted) return invocation_.fail(posted.error().message, exit_failure);
    }
    invocation_.surroundings.out << data.customer_count << " customers and " << data.invoice_count
                                 << " invoices are there; GET /v1/reminders/due shows who is "
                                    "overdue\n";
    return exit_ok;
}

}  // namespace mailroom::app
