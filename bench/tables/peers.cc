#include "peers.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <charconv>
#include <chrono>

namespace mailroom::bench {

namespace {

constexpr int table_checks_max = 100;  // Five seconds at the interval below.
constexpr int table_check_interval_ms = 50;
constexpr std::size_t preload_connections = 16;
constexpr auto preload_time_max = std::chrono::minutes(10);

Error about(std::string_view name, const Error& error) {
    return Error{error.code, std::string(name) + ": " + error.message};
}

// The port in `... KEY127.0.0.1:PORT ...`.
Result<Endpoint> endpoint_in(std::string_view line, std::string_view key) {
    const auto before = std::string(key) + "127.0.0.1:";
    const auto found = line.find(before);
    const auto digits = found == line.npos ? "" : line.substr(found + before.size());
    Endpoint endpoint{};
    const auto parsed =
        std::from_chars(digits.data(), digits.data() + digits.size(), endpoint.port);
    if (parsed.ec == std::errc{}) return endpoint;
    return Error{Errc::unavailable, "no port in its ready line: " + std::string(line)};
}

struct Launch {
    std::string name;
    std::filesystem::path program;
    Command command;
    std::string ready_prefix;
    std::string endpoint_key;
};

Result<Peer> launch(Launch launch, const std::filesystem::path& directory) {
    if (!std::filesystem::exists(launch.program)) {
        return Error{Errc::not_found, launch.name + ": there is no " + launch.program.string()};
    }
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    if (failed) return Error{Errc::unavailable, "cannot make " + directory.string()};

    launch.command.error_log = directory.string() + ".log";
    auto child = TRY(Child::start(launch.command));
    const auto line = child.line_starting(launch.ready_prefix);
    if (!line) return about(launch.name, line.error());
    const auto endpoint = endpoint_in(*line, launch.endpoint_key);
    if (!endpoint) return about(launch.name, endpoint.error());
    return Peer{launch.name, std::move(child), *endpoint};
}

// dynalite takes port 0 for "no port given", so a free one is looked for here.
Result<std::uint16_t> free_port() {
    const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket.number(), generic, length) != 0 ||
        ::getsockname(socket.number(), generic, &length) != 0) {
        return Error{Errc::unavailable, "no free port"};
    }
    return ntohs(address.sin_port);
}

Result<> wait_until_active(Endpoint endpoint, const Workload& workload) {
    for (int check = 0; check < table_checks_max; ++check) {
        const auto answer = TRY(call(endpoint, workload.describe_table_request()));
        if (answer.find(R"("TableStatus":"ACTIVE")") != answer.npos) return Ok{};
        ::poll(nullptr, 0, table_check_interval_ms);
    }
    return Error{Errc::unavailable, "the table does not become active"};
}

}  // namespace

Result<Peer> start_mailroom(const std::filesystem::path& program,
                            const std::filesystem::path& directory) {
    Command command;
    command.arguments = {program,  "serve",       "--data",       directory,
                         "--http", "127.0.0.1:0", "--dynamodb",   "127.0.0.1:0",
                         "--smtp", "off",         "--durability", "full"};
    command.environment = {"MAILROOM_DYNAMODB_AUTH=none"};
    return launch({"mailroom", program, command, "mailroom ready", "dynamodb="}, directory);
}

Result<Peer> start_dynalite(const std::filesystem::path& script,
                            const std::filesystem::path& directory) {
    Command command;
    command.arguments = {"node",      script,    "--host",
                         "127.0.0.1", "--port",  std::to_string(TRY(free_port())),
                         "--path",    directory, "--createTableMs",
                         "0"};
    return launch({"dynalite", script, command, "Dynalite listening", "http://"}, directory);
}

Result<Peer> start_ceiling(const std::filesystem::path& program,
                           const std::filesystem::path& directory) {
    Command command;
    command.arguments = {program, directory};
    return launch({"ceiling", program, command, "ceiling ready", ""}, directory);
}

Result<> prepare_tables(Endpoint endpoint, Workload& workload) {
    TRY(call(endpoint, workload.create_table_request()));
    TRY(wait_until_active(endpoint, workload));

    LoadPlan plan;
    plan.connections = preload_connections;
    plan.measured = preload_time_max;
    plan.requests_max = workload.preload_requests();
    plan.render = workload.preload();
    plan.accept = workload.accept(Operation::batch);
    const auto loaded = TRY(run_load(endpoint, plan));
    if (loaded.errors > 0) return Error{Errc::invalid, loaded.error_sample};
    if (loaded.requests != plan.requests_max) {
        return Error{Errc::unavailable, "writing the first items takes too long"};
    }
    TRY(call(endpoint, workload.create_hot_item_request()));
    return Ok{};
}

}  // namespace mailroom::bench
