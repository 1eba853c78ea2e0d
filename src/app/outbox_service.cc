#include "app/outbox_service.h"

#include "app/kept_settings.h"
#include "base/base64.h"
#include "base/log.h"
#include "outbox/directory_blobs.h"
#include "outbox/mx.h"
#include "outbox/relay.h"
#include "outbox/shared_files.h"
#include "outbox/table_blobs.h"
#include "outbox/webhook.h"
#include "smtp/server_path.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

namespace mailroom::app {

namespace {

using namespace std::chrono_literals;

// Those that wait: for the tables that keep captured mails, for files in a directory that may be on
// another machine.
constexpr std::size_t waiting_sender_threads = 24;
constexpr std::size_t intake_threads = 4;
constexpr std::size_t callback_threads = 8;
// In hand for each connection: one on its way, and those before and after it that wait for the
// disk.
constexpr std::size_t mails_per_connection = 16;
constexpr std::size_t on_their_way_per_connection = 12;  // Without those that wait after it.
// Those that wait for somebody outside hold no thread. More than are made at once, so that those in
// the way of others can be put off.
constexpr std::size_t callbacks_in_hand_max = 8192;
constexpr std::size_t intakes_in_hand_max = 4096;
constexpr std::size_t mx_connections_usual = 4;
// To all servers together: most wait for a server that is slow or does not answer. Twice as many
// may be on their way, and more be in hand, so that those in the way of others can be put off.
constexpr std::size_t mx_connections = 2048;
constexpr std::size_t mx_mails_in_hand_max = 4 * mx_connections;
constexpr auto sample_pause = 5s;
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

Result<> add_signature(outbox::Signatures& signatures, const DkimKey& key) {
    const auto pem = TRY(read_small_file(key.file));
    auto parsed = mime::dkim::PrivateKey::from_pem(pem);
    if (!parsed) return Error{Errc::invalid, key.file + ": " + parsed.error().message};
    return signatures.add(key.domain, key.selector, *std::move(parsed));
}

Result<std::unique_ptr<outbox::Blobs>> open_blobs(const Config& config, table::Store& store,
                                                  Random& random) {
    std::unique_ptr<outbox::Blobs> own;
    if (config.outbox.blobs == "embedded") {
        own = std::make_unique<outbox::TableBlobs>(TRY(outbox::TableBlobs::open(store)));
    } else {
        own = std::make_unique<outbox::DirectoryBlobs>(
            TRY(outbox::DirectoryBlobs::open(config.outbox.blobs, store, random)));
    }
    std::optional<std::filesystem::path> shared;
    if (!config.outbox.shared_directory.empty()) shared = config.outbox.shared_directory;
    return std::unique_ptr<outbox::Blobs>(
        new outbox::SharedFiles(std::move(own), std::move(shared)));
}

std::string make_secret(Random& random) {
    return "whsec_" + base64_encode(random_bytes(random, secret_bytes));
}

outbox::RateLimits rate_limits(const Config::Outbox& config) {
    return {.per_second = static_cast<double>(config.rate_per_second),
            .per_domain_per_second = static_cast<double>(config.domain_rate_per_second),
            .per_domain_at_once = config.domain_connections};
}

// The others do not wait, but signing keeps a processor busy.
std::size_t sender_threads(bool is_waiting) {
    if (is_waiting) return waiting_sender_threads;
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, waiting_sender_threads);
}

}  // namespace

std::set<std::string, std::less<>> OutboxService::own_tables() {
    return {"MailroomSchedule",     "MailroomBlobs",          "MailroomOutboxLog",
            "MailroomOutboxCounts", "MailroomOutboxExpiring", outbox::Pauses::table_name,
            "MailroomCaptured",     "MailroomSuppressions",   KeptSettings::table_name};
}

Result<std::unique_ptr<OutboxService>> OutboxService::open(const Config& config,
                                                           table::Store& store, const Clock& clock,
                                                           Random& random) {
    std::unique_ptr<OutboxService> service(new OutboxService(config, store, clock, random));
    TRY(service->open_data());
    TRY(service->open_network());
    TRY(service->open_transport());
    service->make_crews();
    service->make_follower();
    TRY(service->keep_what_waited());
    return service;
}

OutboxService::~OutboxService() { stop(0ms); }

Result<> OutboxService::open_data() {
    const auto& config = config_.outbox;
    outbox::TableNames names;
    names.outbox = config_.tables.outbox;
    ledger_.emplace(TRY(outbox::Ledger::open(store_, clock_, names)));
    auto blobs = open_blobs(config_, store_, random_);
    if (!blobs) return explained("outbox.blobs", blobs.error());
    blobs_ = *std::move(blobs);
    schedule_ = TRY(schedule::Schedule::open(store_, clock_, random_));
    open_slate();
    // The table is hidden from those who come by the DynamoDB endpoint.
    suppressions_.emplace(
        TRY(outbox::Suppressions::open(store_, clock_, outbox::Suppressions::Writers::only_this)));
    outbox::OutboxOptions options;
    options.waiting_max = config.waiting_max;
    options.callback_url = config.callback_url;
    outbox_.emplace(*ledger_, *blobs_, *schedule_, clock_, random_, options);
    watch_.emplace(*ledger_, clock_);
    pauses_ = TRY(outbox::Pauses::open(store_, clock_, random_));

    callback_secret_ = config.callback_secret;
    if (callback_secret_.empty()) {
        auto kept = TRY(KeptSettings::open(store_));
        callback_secret_ =
            TRY(kept.get_or_keep("callback_secret", [this] { return make_secret(random_); }));
    }
    callback_key_ = TRY(outbox::parse_webhook_secret(callback_secret_));
    host_name_ = config.hello_name.empty() ? host_name_of_system() : config.hello_name;
    return Ok{};
}

// Without it more mails are held after a kill; nothing is lost or doubled.
void OutboxService::open_slate() {
    const auto directory = std::filesystem::path(config_.server.data) / "ends";
    auto slate = outbox::Slate::open(directory, schedule_->node(), outbox::Slate::this_boot());
    if (slate) {
        slate_ = *std::move(slate);
    } else {
        log::warn("after a kill, mails may be held that never left",
                  {{"why", slate.error().message}});
    }
}

Result<> OutboxService::open_network() {
    net::DnsOptions dns;
    dns.channel.servers = config_.net.resolvers;
    auto resolver = net::DnsResolver::open(dns, clock_, random_);
    if (!resolver) return explained("net.resolvers", resolver.error());
    resolver_ = *std::move(resolver);
    net::GuardOptions guard;
    for (const auto& block : config_.net.allow) {
        guard.allowed.push_back(TRY(net::Network::parse(block)));
    }
    guard_.emplace(*resolver_, std::move(guard));
    http_.emplace(net::HttpClientOptions{}, *guard_);
    outbox_->guard_callbacks_by(*guard_);
    return Ok{};
}

Result<> OutboxService::reload_keys() {
    outbox::Signatures read;
    for (const auto& key : config_.dkim.keys) {
        const auto added = add_signature(read, key);
        if (!added) return explained("dkim.keys", added.error());
    }
    signatures_.replace_by(read);
    return Ok{};
}

Result<> OutboxService::open_transport() {
    const auto& config = config_.outbox;
    TRY(reload_keys());
    rates_.emplace(clock_, rate_limits(config));
    captured_ = TRY(outbox::Captured::open(store_, clock_));
    if (config.transport == "mx") {
        outbox::MxOptions options;
        options.hello_name = host_name_;
        options.port = static_cast<std::uint16_t>(config.mx_port);
        options.limits.connections_max =
            config.domain_connections > 0 ? config.domain_connections : mx_connections_usual;
        options.destinations.visits_per_destination = 2 * options.limits.connections_max;
        if (!config.transcripts) options.transcript_bytes_max = 0;
        transport_ = TRY(outbox::Mx::open(*resolver_, *guard_, clock_, options));
    } else if (config.transport != "capture") {
        auto options = TRY(outbox::parse_relay_url(config.transport));
        options.hello_name = host_name_;
        options.limits.connections_max = config.connections;
        if (!config.transcripts) options.transcript_bytes_max = 0;
        auto relay = outbox::Relay::open(*resolver_, clock_, std::move(options));
        if (!relay) return explained("outbox.transport", relay.error());
        transport_ = *std::move(relay);
    }
    counted_.emplace(transport_ ? *transport_ : *captured_);
    return Ok{};
}

void OutboxService::make_crews() {
    const auto& config = config_.outbox;
    outbox::IntakeOptions intake;
    if (!config.attachments_directory.empty()) {
        intake.attachments_directory = config.attachments_directory;
    }
    intake_.emplace(*ledger_, *blobs_, *schedule_, *http_, clock_, random_, intake,
                    [this] { return intake_crew_->await(); });

    outbox::CallbackOptions callbacks;
    callbacks.url = config.callback_url;
    callbacks.secret = callback_key_;
    callbacks.called = [this](bool answered) {
        ++(answered ? callbacks_answered_ : callbacks_failed_);
    };
    callbacks_.emplace(*ledger_, *blobs_, *schedule_, *http_, clock_, random_, callbacks,
                       [this] { return callback_crew_->await(); });

    outbox::SenderOptions sending;
    sending.unknown = config.unknown == UnknownMails::hold ? outbox::UnknownPolicy::hold
                                                           : outbox::UnknownPolicy::retry;
    sending.give_up_after = std::chrono::hours(config.retry_hours);
    const bool is_mx = config.transport == "mx";
    const std::size_t connections = is_mx ? mx_connections : config.connections;
    sending.connections = connections;
    sending.on_their_way_max = is_mx ? 0 : on_their_way_per_connection * config.connections;
    sending.pauses = pauses_.get();
    sending.sent = [this](std::chrono::milliseconds took) {
        if (auto* times = delivery_times_.load()) times->record(took);
    };
    sending.backoff.first = std::chrono::seconds(config.retry_first_seconds);
    sending.slate = slate_.get();
    sender_ = std::make_unique<outbox::Sender>(
        *ledger_, *blobs_, *schedule_, *counted_, *suppressions_, *rates_, signatures_, clock_,
        random_, sending,
        outbox::SenderCrew{
            .post = [this](std::function<void()> work) { sender_crew_->post(std::move(work)); },
            .hold =
                [this](schedule::Transaction& transaction, schedule::NewJob job) {
                    return sender_crew_->add_in_hand(transaction, std::move(job));
                }});
    outbox_->leave_through(*sender_);

    intake_crew_ = std::make_unique<schedule::Crew>(
        *schedule_, clock_,
        schedule::CrewOptions{.queues = {std::string(outbox::intake_queue)},
                              .threads = intake_threads,
                              .jobs_max = intakes_in_hand_max},
        [this](schedule::JobInHand job) { intake_->run(std::move(job)); });
    callback_crew_ = std::make_unique<schedule::Crew>(
        *schedule_, clock_,
        schedule::CrewOptions{.queues = {std::string(outbox::callback_queue)},
                              .threads = callback_threads,
                              .jobs_max = callbacks_in_hand_max},
        [this](schedule::JobInHand job) { callbacks_->run(std::move(job)); });
    sender_crew_ = std::make_unique<schedule::Crew>(
        *schedule_, clock_,
        schedule::CrewOptions{
            .queues = {std::string(send_queue(outbox::Stream::transactional)),
                       std::string(send_queue(outbox::Stream::bulk))},
            .threads = sender_threads(!transport_ || config.blobs != "embedded"),
            .jobs_max = is_mx ? mx_mails_in_hand_max : mails_per_connection * config.connections},
        [this](schedule::JobInHand job) { sender_->run(std::move(job)); });
}

void OutboxService::make_follower() {
    outbox::FollowerOptions options;
    options.sends = config_.outbox.other_programs == OtherPrograms::send;
    options.calls_back = !config_.outbox.callback_url.empty();
    options.reads_shared = !config_.outbox.shared_directory.empty();
    follower_.emplace(*ledger_, *blobs_, *schedule_, clock_, random_, options);
    outbox::FollowedWritesOptions writes;
    writes.table = config_.tables.outbox;
    writes.settings = std::string(options.sends ? "send" : "leave") +
                      (options.reads_shared ? " shared" : "") +
                      (options.calls_back ? " callback" : "");
    // Nobody tells what is written past us.
    if (config_.store.remote) writes.look_every = look_pause;
    followed_writes_.emplace(*follower_, *ledger_, store_, writes);
}

// Before anything can expire: the server may have been off for months.
Result<> OutboxService::keep_what_waited() {
    if (!TRY(outbox_->is_keeping_overdue())) return Ok{};
    const auto kept = TRY(outbox_->keep_what_waits([] { return false; }));
    if (kept > 0) log::info("mails that wait are kept longer", {{"count", kept}});
    return Ok{};
}

void OutboxService::start() {
    for (auto* crew : {sender_crew_.get(), intake_crew_.get(), callback_crew_.get()}) {
        crew->start();
    }
    followed_writes_->start();
    sampling_.emplace(sample_pause, [this] {
        watch_->sample();
        look_at_queues();
    });
    pausing_.emplace(pauses_pause, [this] {
        const auto released = pauses_->release(*ledger_, *schedule_);
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

void OutboxService::stop(std::chrono::milliseconds grace) {
    if (stopped_ || !sender_crew_) return;
    stopped_ = true;
    stopping_ = true;
    for (auto* periodic : {&sampling_, &keeping_, &pausing_}) {
        if (*periodic) (*periodic)->stop();
    }
    followed_writes_->stop();
    callbacks_->stop();
    // At the same time: what the transport settles while it stops is written by its crew.
    std::vector<std::thread> stopping;
    for (auto* crew : {sender_crew_.get(), intake_crew_.get(), callback_crew_.get()}) {
        stopping.emplace_back([crew, grace] {
            const auto left = crew->stop(grace);
            if (left > 0) log::warn("jobs were left for the next start", {{"count", left}});
        });
    }
    stopping.emplace_back([this, grace] {
        // Whoever is waited for outside gets a moment, not all the time they might take.
        callback_crew_->stop(std::min<std::chrono::milliseconds>(grace, answer_grace));
        intake_crew_->stop(0ms);
        http_->stop();
    });
    counted_->stop(std::max<std::chrono::milliseconds>(0ms, grace - settling_time));
    for (auto& thread : stopping) thread.join();
}

void OutboxService::look_at_queues() {
    for (auto& queue : queues_) {
        const auto due = schedule_->first_due(queue.name);
        if (!due) continue;
        const auto late = *due ? std::chrono::duration<double>(clock_.now() - **due).count() : 0;
        queue.late_seconds = std::max(0.0, late);
    }
}

void OutboxService::add_pause_metrics(api::Metrics& metrics) const {
    using Kind = outbox::PauseScope::Kind;
    for (const auto kind : {Kind::all, Kind::stream, Kind::domain}) {
        metrics.gauge("mailroom_outbox_pauses", "Pauses that hold mails back.",
                      {{"kind", std::string(name_of(kind))}}, [this, kind] {
                          return static_cast<double>(std::ranges::count_if(
                              pauses_->now(), [kind](const outbox::Pause& pause) {
                                  return pause.scope.kind == kind && !pause.is_resuming;
                              }));
                      });
    }
}

void OutboxService::add_queue_metrics(api::Metrics& metrics) {
    const std::string_view names[] = {outbox::intake_queue, outbox::callback_queue,
                                      send_queue(outbox::Stream::transactional),
                                      send_queue(outbox::Stream::bulk)};
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        queues_[i].name = names[i];
        metrics.gauge("mailroom_outbox_oldest_due_seconds",
                      "How long the mail waits that is due longest; 0 if none is.",
                      {{"queue", queues_[i].name}},
                      [&queue = queues_[i]] { return queue.late_seconds.load(); });
    }
    delivery_times_ =
        &metrics.histogram("mailroom_outbox_delivery_seconds",
                           "From when a mail was accepted, or due if later, until it was sent.");
    const auto callbacks = [&](const char* outcome, const std::atomic<std::uint64_t>& count) {
        metrics.counter("mailroom_callbacks_total", "Callbacks that were tried, since the start.",
                        {{"outcome", outcome}},
                        [&count] { return static_cast<double>(count.load()); });
    };
    callbacks("answered", callbacks_answered_);
    callbacks("failed", callbacks_failed_);
    metrics.gauge("mailroom_callbacks_waiting", "Mails whose callback was begun and not answered.",
                  {}, [this] {
                      const auto counts = watch_->counts().by_state;
                      const auto of = [&](outbox::State state) {
                          return static_cast<double>(counts[static_cast<std::size_t>(state)]);
                      };
                      return of(outbox::State::calling_sent_callback) +
                             of(outbox::State::calling_failed_callback);
                  });
}

void OutboxService::add_metrics(api::Metrics& metrics) {
    add_pause_metrics(metrics);
    add_queue_metrics(metrics);
    const auto& watch = *watch_;
    for (std::size_t i = 0; i < outbox::all_states.size(); ++i) {
        metrics.gauge("mailroom_outbox_mails", "Mails in the table, by state.",
                      {{"state", std::string(name_of(outbox::all_states[i]))}},
                      [&watch, i] { return static_cast<double>(watch.counts().by_state[i]); });
    }
    metrics.gauge("mailroom_outbox_held", "Mails that wait for a person's decision.", {},
                  [&watch] { return static_cast<double>(watch.counts().held); });
    metrics.counter("mailroom_outbox_accepted_total", "Mails accepted.", {},
                    [&watch] { return static_cast<double>(watch.counts().accepted_total); });
    metrics.counter("mailroom_outbox_sent_total", "Mails sent.", {},
                    [&watch] { return static_cast<double>(watch.counts().sent_total); });
    metrics.counter("mailroom_outbox_failed_total", "Mails that failed or were invalid.", {},
                    [&watch] { return static_cast<double>(watch.counts().failed_total); });
    const auto& counted = *counted_;
    for (const auto outcome : {smtp::Outcome::accepted, smtp::Outcome::refused_for_good,
                               smtp::Outcome::refused_for_now, smtp::Outcome::unknown}) {
        metrics.counter("mailroom_outbox_recipients_total",
                        "Recipients of attempts since the start, by what the other server said.",
                        {{"outcome", std::string(name_of(outcome))}}, [&counted, outcome] {
                            return static_cast<double>(counted.recipients(outcome));
                        });
    }
    metrics.gauge("mailroom_outbox_in_hand", "Mails on their way to another server.", {},
                  [&counted] { return static_cast<double>(counted.in_hand()); });
}

}  // namespace mailroom::app
