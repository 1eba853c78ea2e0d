#include "app/commands.h"
#include "app/setting_values.h"
#include "smtp/server.h"
#include "smtp/sink.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <ostream>
#include <utility>

namespace mailroom::app {

struct SinkCommand::Flags {
    std::string listen = "127.0.0.1:2525";
    std::vector<std::pair<smtp::SinkRule::Kind, std::string>> rules;  // In the order given.
    bool obey_addresses = false;
    std::uint64_t seed = 1;
    std::string store, user, certificate_file, key_file;
    bool implicit_tls = false;
    unsigned every_seconds = 0;
};

namespace {

// For clients in the middle of a mail when the sink is told to stop.
constexpr std::chrono::milliseconds stop_grace = std::chrono::seconds(2);

// SIGTERM and SIGINT end the sink, SIGUSR1 asks for the counts. Make one before any thread is
// started: threads inherit that these signals do not interrupt them.
class SinkSignals {
public:
    enum class Event { stop, counts };

    SinkSignals() {
        sigemptyset(&signals_);
        for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&signals_, signal);
        pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    }
    ~SinkSignals() { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }
    SinkSignals(const SinkSignals&) = delete;
    SinkSignals& operator=(const SinkSignals&) = delete;

    // Without an interval only a signal ends the wait.
    Event wait(std::optional<std::chrono::seconds> interval) {
        const timespec time = {interval.value_or(std::chrono::seconds(0)).count(), 0};
        for (;;) {
            const int signal =
                sigtimedwait(&signals_, nullptr, interval ? &time : nullptr);  // -1: time is up.
            if (signal == SIGTERM || signal == SIGINT) return Event::stop;
            if (signal == SIGUSR1 || (signal < 0 && errno == EAGAIN)) return Event::counts;
        }
    }

private:
    sigset_t signals_;
};

Result<smtp::Credentials> parse_credentials(const std::string& text) {
    const auto colon = text.find(':');
    if (colon == text.npos || colon == 0) {
        return Error{Errc::invalid, "--user is \"" + text + "\"; expected NAME:PASSWORD"};
    }
    return smtp::Credentials{text.substr(0, colon), text.substr(colon + 1)};
}

Result<smtp::SinkOptions> sink_options(const SinkCommand::Flags& flags) {
    smtp::SinkOptions options;
    for (const auto& [kind, text] : flags.rules) {
        auto rule = smtp::parse_sink_rule(kind, text);
        if (!rule) {
            return Error{Errc::invalid, "--" + std::string(name_of(kind)) + " " + text + ": " +
                                            rule.error().message};
        }
        options.rules.push_back(*std::move(rule));
    }
    options.obey_addresses = flags.obey_addresses;
    options.seed = flags.seed;
    if (!flags.user.empty()) options.credentials = TRY(parse_credentials(flags.user));
    if (flags.store.empty()) return options;
    std::error_code failure;
    std::filesystem::create_directories(flags.store, failure);
    if (failure) {
        return Error{Errc::invalid, "cannot make " + flags.store + ": " + failure.message()};
    }
    options.store = flags.store;
    return options;
}

Result<smtp::Server::Options> server_options(const SinkCommand::Flags& flags,
                                             const smtp::SinkOptions& of_sink) {
    const auto address = parse_listen_address(flags.listen);
    if (!address) {
        return Error{Errc::invalid, "--listen is \"" + flags.listen + "\"; expected HOST:PORT"};
    }
    smtp::Server::Options options{
        .host = address->host, .port = address->port, .settings = smtp::sink_settings(of_sink)};
    if (flags.certificate_file.empty() != flags.key_file.empty()) {
        return Error{Errc::invalid, "--tls-cert and --tls-key belong together"};
    }
    if (flags.certificate_file.empty()) {
        if (!flags.implicit_tls) return options;
        return Error{Errc::invalid, "--tls-implicit needs --tls-cert and --tls-key"};
    }
    options.tls = TRY(net::TlsServerContext::create(
        {.certificate_file = flags.certificate_file, .key_file = flags.key_file}));
    options.settings.tls =
        flags.implicit_tls ? smtp::TlsPolicy::implicit : smtp::TlsPolicy::offered;
    return options;
}

void add_rules(CLI::App& command, SinkCommand::Flags& flags) {
    using Kind = smtp::SinkRule::Kind;
    const auto add = [&](Kind kind, const char* form, const char* help) {
        const auto take = [&flags, kind](const std::vector<std::string>& texts) {
            for (const auto& text : texts) flags.rules.emplace_back(kind, text);
        };
        const auto name = "--" + std::string(name_of(kind));
        command.add_option_function<std::vector<std::string>>(name, take, help)
            ->type_name(form)
            ->take_all();
    };
    add(Kind::refuse, "STEP[@DOMAIN]=CODE[:RATE]", "Answer with CODE, as in rcpt=450:5%.");
    add(Kind::drop, "STEP[@DOMAIN][=RATE]", "Hang up instead of answering, as in end=0.5%.");
    add(Kind::stall, "STEP[@DOMAIN][=RATE]", "Never answer.");
    add(Kind::rubbish, "STEP[@DOMAIN][=RATE]", "Answer with bytes that are no reply.");
    add(Kind::delay, "STEP[@DOMAIN]=TIME[-TIME][:RATE]", "Answer late, as in data=100ms-2s:10%.");
}

}  // namespace

SinkCommand::SinkCommand(CLI::App& parser, Invocation& invocation)
    : invocation_(invocation), flags_(std::make_unique<Flags>()) {
    auto& flags = *flags_;
    auto* command = parser.add_subcommand(
        "sink", "Receive mail as a rude server would, to rehearse with, and count it.");
    command->add_option("--listen", flags.listen, "Where to listen (127.0.0.1:2525).")
        ->type_name("HOST:PORT");
    add_rules(*command, flags);
    command->add_flag("--obey-addresses", flags.obey_addresses,
                      "Recipients say what happens to them: bounce-550@, drop@, stall@, rubbish@, "
                      "delay-500@ (milliseconds).");
    command->add_option("--seed", flags.seed, "The same seed gives the same fates (1).")
        ->type_name("N");
    command->add_option("--store", flags.store, "Write each mail to a file in DIR.")
        ->type_name("DIR");
    command->add_option("--user", flags.user, "Ask clients for this name and password.")
        ->type_name("NAME:PASSWORD");
    command->add_option("--tls-cert", flags.certificate_file, "Offer STARTTLS as this.")
        ->type_name("PEM");
    command->add_option("--tls-key", flags.key_file, "The certificate's key.")->type_name("PEM");
    command->add_flag("--tls-implicit", flags.implicit_tls, "Speak TLS from the first byte.");
    command->add_option("--every", flags.every_seconds, "Print the counts every so often.")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber);
    command->callback([this] { invocation_.chosen = [this] { return run(); }; });
}

SinkCommand::~SinkCommand() = default;

int SinkCommand::run() {
    auto& out = invocation_.surroundings.out;
    auto of_sink = sink_options(*flags_);
    if (!of_sink) return invocation_.fail(of_sink.error().message, exit_usage);
    auto of_server = server_options(*flags_, *of_sink);
    if (!of_server) return invocation_.fail(of_server.error().message, exit_usage);

    SinkSignals signals;
    const SystemClock clock;
    SystemRandom random;
    smtp::Sink sink(*std::move(of_sink));
    auto server = smtp::Server::listen(*std::move(of_server), sink, clock, random);
    if (!server) return invocation_.fail(server.error().message, exit_failure);
    out << "mailroom ready smtp=" << (*server)->address() << std::endl;

    std::optional<std::chrono::seconds> interval;
    if (flags_->every_seconds > 0) interval = std::chrono::seconds(flags_->every_seconds);
    while (signals.wait(interval) == SinkSignals::Event::counts) {
        out << sink.counts().json() << std::endl;
    }
    (*server)->stop(stop_grace);
    out << sink.counts().json() << std::endl;
    return exit_ok;
}

}  // namespace mailroom::app
