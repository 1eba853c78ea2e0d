#include "outbox/program.h"

#include "base/base64.h"
#include "base/log.h"
#include "outbox/blobs/directory_blobs.h"
#include "outbox/blobs/shared_files.h"
#include "outbox/blobs/table_blobs.h"
#include "outbox/callbacks/webhook.h"
#include "outbox/routes/routes.h"
#include "outbox/transports/mx.h"
#include "outbox/transports/relay.h"
#include "program/kept_settings.h"
#include "smtp/server_path.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

namespace mailroom::outbox {

namespace {

using namespace std::chrono_literals;

// Those that wait: for the tables that keep captured mails, for files in a directory that may be on
// another machine.
constexpr std::size_t waiting_sender_threads = 24;
constexpr std::size_t fetching_threads = 4;
constexpr std::size_t callback_threads = 8;
// In hand for each connection: one on its way, and those before and after it that wait for the
// disk.
constexpr std::size_t mails_per_connection = 16;
constexpr std::size_t on_their_way_per_connection = 12;  // Without those that wait after it.
// Those that wait for somebody outside hold no thread. More than are made at once, so that those in
// the way of others can be put off.
constexpr std::size_t callbacks_in_hand_max = 8192;
constexpr std::size_t fetchings_in_hand_max = 4096;
constexpr std::size_t mx_connections_usual = 4;
// To all servers together: most wait for a server that is slow or does not answer. Twice as many
// may be on their way, and more be in hand, so that those in the way of others can be put off.
constexpr std::size_t mx_connections = 2048;
constexpr std::size_t mx_mails_in_hand_max = 4 * mx_connections;
constexpr auto sample_pause = 5s;
constexpr auto blobs_pause = 2s;
constexpr auto keeping_pause = 24h;  // What would expire within ten days is kept longer.
constexpr auto pauses_pause = 1s;    // Between looks for those of other nodes.
constexpr auto look_pause = 30s;     // As the seed's own programs look.
// What a transport has less than the crew, so that the crew sees the last answers.
constexpr auto settling_time = 2s;
// What servers that are called or fetched from still get when we stop.
constexpr auto answer_grace = 2s;
constexpr std::size_t key_file_bytes_max = 64 * 1024;  // A key of 8192 bits has 6 KB.
constexpr std::size_t secret_bytes = 32;

std::string host_name_of_system() {
    std::array<char, 256> name = {};
    const bool known = ::gethostname(name.data(), name.size() - 1) == 0;
    return known && smtp::is_domain(name.data()) ? name.data() : "localhost";
}

Error explained(const std::string& setting, const Error& error) {
    return {error.code, setting + ": " + error.message};
}

Result<std::string> read_small_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(key_file_bytes_max + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.gcount() <= 0) return Error{Errc::invalid, path + " cannot be read"};
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > key_file_bytes_max) return Error{Errc::invalid, path + " is too large"};
    return text;
}

Result<> check_directory(const std::string& setting, const std::string& directory) {
    if (directory.empty()) return Ok{};
    std::error_code unknown;
    if (!std::filesystem::is_directory(directory, unknown)) {
        return Error{Errc::invalid, setting + ": " + directory + " is not a directory"};
    }
    if (::access(directory.c_str(), R_OK | X_OK) != 0) {
        return Error{Errc::invalid, setting + ": " + directory + " cannot be read"};
    }
    return Ok{};
}

TableNames table_names(const Settings& settings) {
    TableNames names;
    names.outbox = settings.table;
    return names;
}

Result<> add_signature(Signatures& signatures, const DkimKey& key) {
    const auto pem = TRY(read_small_file(key.file));
    auto parsed = mime::dkim::PrivateKey::from_pem(pem);
    if (!parsed) return Error{Errc::invalid, key.file + ": " + parsed.error().message};
    return signatures.add(key.domain, key.selector, *std::move(parsed));
}

Result<std::unique_ptr<Blobs>> open_blobs(const Settings& settings, table::Store& store,
                                          Random& random) {
    std::unique_ptr<Blobs> own;
    if (settings.has_embedded_blobs()) {
        own = std::make_unique<TableBlobs>(TRY(TableBlobs::open(store)));
    } else {
        own = std::make_unique<DirectoryBlobs>(
            TRY(DirectoryBlobs::open(settings.blobs, store, random)));
    }
    std::optional<std::filesystem::path> shared;
    if (!settings.shared_directory.empty()) shared = settings.shared_directory;
    return std::unique_ptr<Blobs>(new SharedFiles(std::move(own), std::move(shared)));
}

std::string make_secret(Random& random) {
    return "whsec_" + base64_encode(random_bytes(random, secret_bytes));
}

RateLimits rate_limits(const Settings& settings) {
    return {.per_second = static_cast<double>(settings.rate_per_second),
            .per_domain_per_second = static_cast<double>(settings.domain_rate_per_second),
            .per_domain_at_once = settings.domain_connections};
}

// The others do not wait, but signing keeps a processor busy.
std::size_t sender_threads(bool is_waiting) {
    if (is_waiting) return waiting_sender_threads;
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, waiting_sender_threads);
}

}  // namespace

void Program::add_settings(program::Settings& list) { outbox::add_settings(list, settings_); }

Result<> Program::check_files() const {
    TRY(check_directory("outbox.attachments_directory", settings_.attachments_directory));
    return check_directory("outbox.shared_directory", settings_.shared_directory);
}

std::vector<table::OwnTable> Program::tables() const {
    auto all = Ledger::declared(table_names(settings_));
    for (auto table :
         {settings_.has_embedded_blobs() ? TableBlobs::declared() : DirectoryBlobs::declared(),
          Pauses::declared(), Captured::declared(), program::KeptSettings::declared()}) {
        all.push_back(std::move(table));
    }
    return all;
}

Result<> Program::open(const program::Ground& ground) {
    ground_.emplace(ground);
    if (settings_.is_captured()) {
        log::info("mails are captured, not sent: outbox.transport is capture");
    }
    TRY(open_data());
    TRY(open_network());
    TRY(open_transport());
    make_crews();
    make_follower();
    return keep_what_waited();
}

void Program::add_routes(program::Api& api) {
    outbox::add_routes(api, {*outbox_, *ledger_, *pauses_, *captured_, schedule(), *watch_, clock(),
                             callback_secret_});
}

Program::~Program() { stop(0ms); }

Result<> Program::open_data() {
    ledger_.emplace(TRY(Ledger::open(store(), clock(), table_names(settings_), schedule().node())));
    auto blobs = open_blobs(settings_, store(), random());
    if (!blobs) return explained("outbox.blobs", blobs.error());
    blobs_ = *std::move(blobs);
    if (!settings_.has_embedded_blobs()) blob_watch_.emplace(*blobs_, settings_.blobs, clock());
    open_slate();
    OutboxOptions options;
    options.waiting_max = settings_.waiting_max;
    options.callback_url = settings_.callback_url;
    outbox_.emplace(*ledger_, *blobs_, schedule(), clock(), random(), options);
    personal_.emplace(*outbox_, *ledger_, *blobs_, schedule(), clock());
    people_.people().keep(*personal_);
    watch_.emplace(*ledger_, clock());
    pauses_ = TRY(Pauses::open(store(), clock(), random()));

    callback_secret_ = settings_.callback_secret;
    if (callback_secret_.empty()) {
        auto kept = TRY(program::KeptSettings::open(store()));
        callback_secret_ =
            TRY(kept.get_or_keep("callback_secret", [this] { return make_secret(random()); }));
    }
    callback_key_ = TRY(parse_webhook_secret(callback_secret_));
    host_name_ = settings_.hello_name.empty() ? host_name_of_system() : settings_.hello_name;
    return Ok{};
}

// Without it more mails are held after a kill; nothing is lost or doubled.
void Program::open_slate() {
    const auto directory = ground_->directory / "ends";
    auto slate = Slate::open(directory, schedule().node(), Slate::this_boot());
    if (slate) {
        slate_ = *std::move(slate);
    } else {
        log::warn("after a kill, mails may be held that never left",
                  {{"why", slate.error().message}});
    }
}

Result<> Program::open_network() {
    net::DnsOptions dns;
    dns.channel.servers = settings_.resolvers;
    auto resolver = net::DnsResolver::open(dns, clock(), random());
    if (!resolver) return explained("net.resolvers", resolver.error());
    resolver_ = *std::move(resolver);
    net::GuardOptions guard;
    for (const auto& block : settings_.allowed_networks) {
        guard.allowed.push_back(TRY(net::Network::parse(block)));
    }
    guard_.emplace(*resolver_, std::move(guard));
    http_.emplace(net::HttpClientOptions{}, *guard_);
    outbox_->guard_callbacks_by(*guard_);
    return Ok{};
}

Result<> Program::reload() {
    Signatures read;
    for (const auto& key : settings_.dkim_keys) {
        const auto added = add_signature(read, key);
        if (!added) return explained("dkim.keys", added.error());
    }
    signatures_.replace_by(read);
    return Ok{};
}

Result<> Program::open_transport() {
    TRY(reload());
    rates_.emplace(clock(), rate_limits(settings_));
    captured_ = TRY(Captured::open(store(), clock()));
    if (settings_.transport == "mx") {
        MxOptions options;
        options.hello_name = host_name_;
        options.port = settings_.mx_port;
        options.limits.connections_max =
            settings_.domain_connections > 0 ? settings_.domain_connections : mx_connections_usual;
        options.destinations.visits_per_destination = 2 * options.limits.connections_max;
        if (!settings_.transcripts) options.transcript_bytes_max = 0;
        transport_ = TRY(Mx::open(*resolver_, *guard_, clock(), options));
    } else if (!settings_.is_captured()) {
        auto options = TRY(parse_relay_url(settings_.transport));
        options.hello_name = host_name_;
        options.limits.connections_max = settings_.connections;
        if (!settings_.transcripts) options.transcript_bytes_max = 0;
        auto relay = Relay::open(*resolver_, clock(), std::move(options));
        if (!relay) return explained("outbox.transport", relay.error());
        transport_ = *std::move(relay);
    }
    counted_.emplace(transport_ ? *transport_ : *captured_);
    return Ok{};
}

void Program::make_crews() {
    FetchingOptions fetching;
    if (!settings_.attachments_directory.empty()) {
        fetching.attachments_directory = settings_.attachments_directory;
    }
    fetching_.emplace(*ledger_, *blobs_, schedule(), *http_, clock(), random(), fetching,
                      [this] { return fetching_crew_->await(); });

    CallbackOptions callbacks;
    callbacks.url = settings_.callback_url;
    callbacks.secret = callback_key_;
    callbacks.called = [this](bool answered) {
        ++(answered ? callbacks_answered_ : callbacks_failed_);
    };
    callbacks_.emplace(*ledger_, *blobs_, schedule(), *http_, clock(), random(), callbacks,
                       [this] { return callback_crew_->await(); });

    SenderOptions sending;
    sending.unknown = settings_.unknown;
    sending.give_up_after = settings_.retry_for;
    const bool is_mx = settings_.transport == "mx";
    const std::size_t connections = is_mx ? mx_connections : settings_.connections;
    sending.connections = connections;
    sending.on_their_way_max = is_mx ? 0 : on_their_way_per_connection * settings_.connections;
    sending.pauses = pauses_.get();
    sending.sent = [this](std::chrono::milliseconds took) {
        if (auto* times = delivery_times_.load()) times->record(took);
    };
    sending.backoff.first = settings_.retry_first;
    sending.slate = slate_.get();
    sending.is_alone = ground_->ownership == schedule::Ownership::sole;
    sender_ = std::make_unique<Sender>(
        *ledger_, *blobs_, schedule(), *counted_, people_.suppressions(), *rates_, signatures_,
        clock(), random(), sending,
        SenderCrew{
            .post = [this](std::function<void()> work) { sender_crew_->post(std::move(work)); },
            .hold =
                [this](schedule::Transaction& transaction, schedule::NewJob job) {
                    return sender_crew_->add_in_hand(transaction, std::move(job));
                }});
    outbox_->leave_through(*sender_);

    fetching_crew_ = std::make_unique<schedule::Crew>(
        schedule(), clock(),
        schedule::CrewOptions{.queues = {std::string(fetching_queue)},
                              .threads = fetching_threads,
                              .jobs_max = fetchings_in_hand_max},
        [this](schedule::JobInHand job) { fetching_->run(std::move(job)); });
    callback_crew_ = std::make_unique<schedule::Crew>(
        schedule(), clock(),
        schedule::CrewOptions{.queues = {std::string(callback_queue)},
                              .threads = callback_threads,
                              .jobs_max = callbacks_in_hand_max},
        [this](schedule::JobInHand job) { callbacks_->run(std::move(job)); });
    sender_crew_ = std::make_unique<schedule::Crew>(
        schedule(), clock(),
        schedule::CrewOptions{
            .queues = {std::string(send_queue(Stream::transactional)),
                       std::string(send_queue(Stream::bulk))},
            .threads = sender_threads(!transport_ || !settings_.has_embedded_blobs()),
            .jobs_max =
                is_mx ? mx_mails_in_hand_max : mails_per_connection * settings_.connections},
        [this](schedule::JobInHand job) { sender_->run(std::move(job)); });
}

void Program::make_follower() {
    FollowerOptions options;
    options.sends = settings_.other_programs == OtherPrograms::send;
    options.calls_back = !settings_.callback_url.empty();
    options.reads_shared = !settings_.shared_directory.empty();
    follower_.emplace(*ledger_, *blobs_, schedule(), clock(), random(), options);
    FollowedWritesOptions writes;
    writes.table = settings_.table;
    writes.settings = std::string(options.sends ? "send" : "leave") +
                      (options.reads_shared ? " shared" : "") +
                      (options.calls_back ? " callback" : "");
    // Nobody tells what is written past us.
    if (ground_->ownership == schedule::Ownership::shared) writes.look_every = look_pause;
    followed_writes_.emplace(*follower_, *ledger_, store(), writes);
}

Result<> Program::keep_what_waited() {
    if (!TRY(outbox_->is_keeping_overdue())) return Ok{};
    const auto kept = TRY(outbox_->keep_what_waits([this] { return stopping_.load(); }));
    if (kept > 0) log::info("mails that wait are kept longer", {{"count", kept}});
    return Ok{};
}

std::vector<program::Work> Program::jobs() {
    return {{{.queues = {std::string(forgetting_queue)}, .threads = 1},
             [this](schedule::JobInHand job) { personal_->run(std::move(job)); }}};
}

void Program::start() {
    for (auto* crew : {sender_crew_.get(), fetching_crew_.get(), callback_crew_.get()}) {
        crew->start();
    }
    followed_writes_->start();
    sampling_.emplace(sample_pause, [this] {
        watch_->sample();
        look_at_queues();
    });
    if (blob_watch_) watching_blobs_.emplace(blobs_pause, [this] { blob_watch_->look(); });
    pausing_.emplace(pauses_pause, [this] {
        const auto released = pauses_->release(*ledger_, schedule());
        if (!released) log::warn("pauses", {{"reason", released.error().message}});
    });
    keeping_.emplace(keeping_pause, [this] {
        const auto kept = outbox_->keep_what_waits([this] { return stopping_.load(); });
        if (!kept) log::error("mails that wait", {{"reason", kept.error().message}});
        // Whatever other programs did to the rows. While mails move it is left for another day.
        if (std::exchange(is_first_day_, false)) return;
        const auto counted = ledger_->recount();
        if (!counted) log::warn("mails were not counted", {{"reason", counted.error().message}});
    });
}

void Program::stop(std::chrono::milliseconds grace) {
    if (stopped_ || !sender_crew_) return;
    stopped_ = true;
    stopping_ = true;
    for (auto* periodic : {&sampling_, &keeping_, &pausing_, &watching_blobs_}) {
        if (*periodic) (*periodic)->stop();
    }
    followed_writes_->stop();
    callbacks_->stop();
    // At the same time: what the transport settles while it stops is written by its crew.
    std::vector<std::thread> stopping;
    for (auto* crew : {sender_crew_.get(), fetching_crew_.get(), callback_crew_.get()}) {
        stopping.emplace_back([crew, grace] {
            const auto left = crew->stop(grace);
            if (left > 0) log::warn("jobs were left for the next start", {{"count", left}});
        });
    }
    stopping.emplace_back([this, grace] {
        // Whoever is waited for outside gets a moment, not all the time they might take.
        callback_crew_->stop(std::min<std::chrono::milliseconds>(grace, answer_grace));
        fetching_crew_->stop(0ms);
        http_->stop();
    });
    counted_->stop(std::max<std::chrono::milliseconds>(0ms, grace - settling_time));
    for (auto& thread : stopping) thread.join();
}

}  // namespace mailroom::outbox
