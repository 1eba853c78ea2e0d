#include "app/app.h"

#include "api/access_keys.h"
#include "api/authenticator.h"
#include "api/cached_keys.h"
#include "api/dynamodb.h"
#include "api/health.h"
#include "api/idempotency.h"
#include "api/key_table.h"
#include "api/keys.h"
#include "api/login_watch.h"
#include "api/metrics.h"
#include "api/native_routes.h"
#include "api/router.h"
#include "api/routes.h"
#include "api/server.h"
#include "api/submission.h"
#include "api/workers.h"
#include "app/counted_receiver.h"
#include "app/data_backup.h"
#include "app/data_directory.h"
#include "app/open_tables.h"
#include "app/outbox_service.h"
#include "app/periodic.h"
#include "app/process_metrics.h"
#include "app/reminder_service.h"
#include "app/start_checks.h"
#include "app/table_metrics.h"
#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "kv/disk_room.h"
#include "kv/rocks_store.h"
#include "smtp/server.h"
#include "table/engine/engine.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <thread>

namespace mailroom::app {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t bytes_per_mb = 1024 * 1024;
constexpr std::size_t worker_queue_max = 1024;  // More would wait longer than their clients do.
constexpr std::size_t worker_threads_min = 2;   // So that one long scan does not hold up everybody.
// Of the native API and of submission: they wait for commits, they do not work.
constexpr std::size_t api_threads = 24;
constexpr std::size_t api_queue_max = 4096;
constexpr auto stop_grace = 20s;   // Less than the 30 s after which supervisors kill.
constexpr auto expiry_pause = 5s;  // DynamoDB itself promises days.
constexpr std::size_t expiry_batch_items = 20'000;  // Some second's work, then a look at the stop.

// The tables, wherever they are.
struct Tables {
    // In the order of opening; closed in reverse.
    std::optional<DataDirectory> directory;
    std::unique_ptr<kv::Store> rows;
    std::unique_ptr<table::Engine> engine;
};

Result<Tables> open_store(const Config& config, const Clock& clock, Random& random,
                          DataDirectory::Absent absent = DataDirectory::Absent::make) {
    if (config.store.remote) {
        return Error{Errc::unavailable, "store.kind is " + config.store.remote->text() +
                                            ", but this version has embedded tables only"};
    }
    Tables tables;
    tables.directory.emplace(TRY(DataDirectory::open(config.server.data, absent)));
    kv::RocksOptions rocks;
    rocks.cache_bytes = config.store.cache_mb * bytes_per_mb;
    rocks.on_warning = [](std::string_view line) { log::warn("store", {{"said", line}}); };
    tables.rows = TRY(open_tables(*tables.directory, rocks));
    table::EngineOptions options;
    options.region = config.dynamodb.region;
    if (config.server.durability == Durability::relaxed) options.sync = kv::Sync::relaxed;
    tables.engine = TRY(table::Engine::open(*tables.rows, clock, random, options));
    return tables;
}

// Reads of tables are answered and mails are accepted where they arrive, so there are as many
// threads as cores to do it with; more than a few only take turns with the disk.
unsigned io_threads() {
    constexpr unsigned io_threads_max = 4;
    return std::clamp(std::thread::hardware_concurrency(), 1u, io_threads_max);
}

Result<std::unique_ptr<api::HttpServer>> listen(const ListenAddress& address, api::Handler& handler,
                                                const Clock& clock, ByteBudget& bodies,
                                                std::size_t body_bytes_max) {
    api::HttpServer::Options options;
    options.limits.bodies = &bodies;
    options.limits.body_bytes_max = body_bytes_max;
    // Whoever sends somewhat more than allowed shall still read the refusal.
    options.limits.linger_bytes_max = 2 * body_bytes_max;
    options.host = address.host;
    options.port = address.port;
    options.io_threads = io_threads();
    return api::HttpServer::listen(std::move(options), handler, clock);
}

void warn_about(const Config& config) {
    if (config.server.durability == Durability::relaxed) {
        log::warn("durability is relaxed: a crash loses the last writes; for test data only");
    }
    if (config.outbox.transport == "capture") {
        log::info("mails are captured, not sent: outbox.transport is capture");
    }
}

// A write that is refused at the start says little about why.
Error explained(const Config& config, const Error& error) {
    const auto room = kv::DiskRoom(config.server.data, kv::store_room_bytes_min).check();
    const bool is_about_storing = error.code != Errc::conflict && error.code != Errc::invalid;
    if (room || !is_about_storing) return error;
    return {error.code, config.server.data + ": " + room.error().message + ". " + error.message};
}

void expire_items(table::Engine& engine, const std::atomic<bool>& stopping) {
    while (!stopping) {
        const auto swept = engine.sweep_expired(expiry_batch_items);
        if (!swept && !engine.writable()) return;  // That has been logged.
        if (!swept) return log::warn("expiry failed", {{"reason", swept.error().message}});
        if (*swept < expiry_batch_items) return;
    }
}

// What was drafted, approved and sent to whom can be brought back as it was at any moment. Whoever
// wants less of that shortens it; one that is off was made before this was so.
Result<> keep_history(table::Engine& engine, const std::string& table) {
    const auto kept = TRY(engine.backups().continuous(table));
    if (kept.setting.enabled) return Ok{};
    TRY(engine.backups().set_continuous(table, {.enabled = true}));
    log::info("the history of a table is kept from now on", {{"table", table}});
    return Ok{};
}

// Why nothing can be accepted. What the disk said, with names of files, is in the log: anybody may
// ask this.
Result<> check_writable(const Config& config, const table::Engine& engine) {
    TRY(kv::DiskRoom(config.server.data, kv::store_room_bytes_min).check());
    const auto writable = engine.writable();
    if (writable) return Ok{};
    const bool is_damaged = writable.error().code == Errc::corrupt;
    return Error{Errc::unavailable, is_damaged ? "a file of the tables is damaged: the log names it"
                                               : "the disk refuses writes: the log says why"};
}

}  // namespace

// Members stand in the order in which they are made, and each uses only those above it.
class App::Impl {
public:
    explicit Impl(const Config& config)
        : config_(config), bodies_(config.server.request_memory_mb * bytes_per_mb) {}
    ~Impl() { stop(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Result<> start(const std::optional<std::string>& wanted_admin_key) {
        warn_about(config_);
        TRY(check_files(config_));
        tables_.emplace(TRY(open_store(config_, clock_, random_)));
        key_table_.emplace(TRY(api::KeyTable::open(*tables_->engine)));
        cached_keys_.emplace(*key_table_, clock_);
        keys_.emplace(*cached_keys_, clock_, random_);
        access_keys_.emplace(TRY(api::AccessKeys::open(*tables_->engine, clock_, random_)));
        idempotency_.emplace(TRY(api::Idempotency::open(*tables_->engine, clock_, random_)));
        outbox_ = TRY(OutboxService::open(config_, *tables_->engine, clock_, random_));
        reminders_ =
            TRY(ReminderService::open(config_, *tables_->engine, *outbox_, clock_, random_));
        TRY(keep_history(*tables_->engine, config_.tables.reminders));
        expiry_.emplace(expiry_pause, [this] { expire_items(*tables_->engine, stopping_); });
        add_table_metrics(metrics_, *tables_->engine, *tables_->rows);
        outbox_->add_metrics(metrics_);
        add_process_metrics(metrics_, config_.server.data, clock_.now());
        TRY(start_http());
        TRY(start_dynamodb());
        TRY(start_submission());
        TRY(register_admin(wanted_admin_key));
        outbox_->start();
        reminders_->start();
        ready_ = true;
        return Ok{};
    }

    const std::optional<std::string>& new_admin_key() const { return new_admin_key_; }

    std::string ready_line() const {
        std::string line = "mailroom ready";
        if (http_) line += " http=" + http_->address();
        if (dynamodb_) line += " dynamodb=" + dynamodb_->address();
        if (smtp_) line += " smtp=" + smtp_->address();
        if (smtps_) line += " smtps=" + smtps_->address();
        return line;
    }

    // What cannot be read any more stays as it was.
    void reload() {
        const auto report = [](const Result<>& read) {
            if (!read) log::error("not reloaded", {{"why", read.error().message}});
        };
        report(outbox_->reload_keys());
        if (!config_.server.tls_certificate.empty()) report(reload_tls());
    }

    void stop() {
        ready_ = false;
        stopping_ = true;
        // While the others finish, so that all together take no longer than the grace.
        std::thread stopping_outbox([this] {
            if (outbox_) outbox_->stop(stop_grace);
        });
        std::thread stopping_reminders([this] {
            if (reminders_) reminders_->stop(stop_grace);
        });
        std::thread stopping_submission([this] {
            if (smtp_) report_dropped(smtp_->stop(stop_grace));
        });
        std::thread stopping_tls_submission([this] {
            if (smtps_) report_dropped(smtps_->stop(stop_grace));
        });
        // The tables first: the HTTP listener goes on telling that we are not ready any more.
        for (auto* server : {dynamodb_.get(), http_.get()}) {
            const auto dropped = server ? server->stop(stop_grace) : 0;
            if (dropped > 0) log::warn("requests were dropped", {{"count", dropped}});
        }
        stopping_submission.join();
        stopping_tls_submission.join();
        api_workers_.stop();
        workers_.stop();
        stopping_outbox.join();
        stopping_reminders.join();
        if (expiry_) expiry_->stop();
    }

private:
    // When nothing is left that could keep the server from starting: the key of a start that fails
    // would never be shown to anybody.
    Result<> register_admin(const std::optional<std::string>& wanted) {
        new_admin_key_ = TRY(keys_->ensure_admin(wanted));
        if (wanted && !TRY(keys_->authenticate(*wanted))) {
            log::warn("MAILROOM_ADMIN_KEY is ignored: there are keys already, and it is not one");
        }
        return Ok{};
    }

    Result<> reload_tls() {
        const auto tls = TRY(open_tls(config_));
        for (auto* server : {smtp_.get(), smtps_.get()}) {
            if (server != nullptr) server->use(tls);
        }
        return Ok{};
    }

    Result<> start_http() {
        const auto check = [this]() -> Result<> {
            if (!ready_) return Error{Errc::unavailable, "starting or stopping"};
            return check_writable(config_, *tables_->engine);
        };
        add_health_routes(router_, check, metrics_);
        authenticator_.emplace(*keys_, &logins_);
        metrics_.counter("mailroom_failed_logins_total", "Keys and passwords that were none.",
                         {{"listener", "http"}},
                         [this] { return static_cast<double>(authenticator_->failed_logins()); });
        add_native_routes(
            router_,
            {*keys_, *access_keys_, *authenticator_, *idempotency_, outbox_->outbox(),
             outbox_->ledger(), outbox_->pauses(), outbox_->captured(), outbox_->suppressions(),
             outbox_->schedule(), outbox_->watch(), clock_, outbox_->callback_secret(),
             [this](const std::string& name) { return back_up(name); },
             reminders_->services(*idempotency_)});
        http_ =
            TRY(listen(config_.server.http, router_, clock_, bodies_, api::mail_body_bytes_max));
        add_server_metrics(metrics_, "http", *http_);
        return Ok{};
    }

    // Inside the data directory, so that what did not change takes no room.
    Result<std::string> back_up(const std::string& name) const {
        const auto target = tables_->directory->path() / "backups" / name;
        TRY(back_up_data(*tables_->rows, target));
        log::info("backed up", {{"directory", target.string()}});
        return std::filesystem::absolute(target).string();
    }

    static void report_dropped(std::size_t messages) {
        if (messages > 0) log::warn("messages were dropped", {{"count", messages}});
    }

    Result<> start_submission() {
        const auto& server = config_.server;
        submission_.emplace(*keys_, outbox_->outbox(), api_workers_, &logins_);
        counted_submission_.emplace(*submission_);
        counted_submission_->add_metrics(metrics_);
        const auto plain =
            server.tls_certificate.empty() ? api::SubmissionTls::none : api::SubmissionTls::offered;
        if (server.smtp) smtp_ = TRY(listen_for_mail(*server.smtp, plain));
        if (server.smtps) {
            smtps_ = TRY(listen_for_mail(*server.smtps, api::SubmissionTls::implicit));
        }
        return Ok{};
    }

    Result<std::unique_ptr<smtp::Server>> listen_for_mail(const ListenAddress& address,
                                                          api::SubmissionTls tls) {
        smtp::Server::Options options;
        options.host = address.host;
        options.port = address.port;
        if (tls != api::SubmissionTls::none) {
            options.tls.emplace(TRY(open_tls(config_)));
        }
        options.settings =
            api::submission_settings(outbox_->host_name(), tls, address.is_loopback());
        options.settings.limits.shared_memory = &bodies_;
        return smtp::Server::listen(std::move(options), *counted_submission_, clock_, random_);
    }

    // A table that somebody else made under a name that is Mailroom's is no longer to be found:
    // that must not go without a word.
    Result<> warn_of_hidden_tables() {
        auto own = OutboxService::own_tables();
        own.insert(
            {api::KeyTable::table_name, api::Idempotency::table_name, api::AccessKeys::table_name});
        own.merge(reminders::Books::own_tables());
        constexpr std::size_t page = 100;
        for (std::optional<std::string> after = ""; after;) {
            const auto names = TRY(tables_->engine->list_tables(*after, page));
            for (const auto& name : names.names) {
                if (!table::OwnTables::hides(name) || own.contains(name)) continue;
                log::warn("the name of this table is reserved: it is hidden from the endpoint",
                          {{"table", name}});
            }
            after = names.last;
        }
        return Ok{};
    }

    Result<> start_dynamodb() {
        if (!config_.server.dynamodb) return Ok{};
        TRY(warn_of_hidden_tables());
        if (config_.dynamodb.auth == DynamodbAuth::sigv4) {
            signatures_.emplace(*access_keys_, clock_, &logins_);
            if (TRY(access_keys_->list()).empty()) {
                log::info(
                    "nobody can reach the tables yet: POST /v1/access-keys makes an access key");
            }
        }
        const auto& names = config_.tables;
        endpoint_.emplace(*tables_->engine, table::OwnTables{{names.outbox, names.reminders}},
                          workers_, random_, signatures_ ? &*signatures_ : nullptr,
                          &outbox_->followed_writes());
        measured_.emplace(*endpoint_, metrics_.route("dynamodb", "/"));
        health_first_.emplace(*measured_);
        dynamodb_ = TRY(listen(*config_.server.dynamodb, *health_first_, clock_, bodies_,
                               api::Limits().body_bytes_max));
        add_server_metrics(metrics_, "dynamodb", *dynamodb_);
        return Ok{};
    }

    const Config config_;
    const SystemClock clock_;
    SystemRandom random_;
    ByteBudget bodies_;  // Of requests and messages, at whatever door.
    api::LoginWatch logins_{clock_};
    std::atomic<bool> ready_ = false, stopping_ = false;

    std::optional<Tables> tables_;
    std::optional<api::KeyTable> key_table_;
    std::optional<api::CachedKeys> cached_keys_;
    std::optional<api::Keys> keys_;
    std::optional<api::AccessKeys> access_keys_;
    std::optional<std::string> new_admin_key_;
    std::optional<api::Idempotency> idempotency_;
    std::unique_ptr<OutboxService> outbox_;
    std::unique_ptr<ReminderService> reminders_;
    std::optional<Periodic> expiry_;

    api::Metrics metrics_;
    std::optional<api::Authenticator> authenticator_;
    std::optional<api::Submission> submission_;
    std::optional<CountedReceiver> counted_submission_;
    api::Workers api_workers_{
        api_threads, api_queue_max,
        std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, api_threads)};
    api::Workers workers_{
        std::max<std::size_t>(worker_threads_min, std::thread::hardware_concurrency()),
        worker_queue_max};
    api::Router router_{"http", api_workers_, metrics_};
    std::optional<api::RequestSignatures> signatures_;
    std::optional<api::DynamodbEndpoint> endpoint_;
    std::optional<api::Measured> measured_;
    std::optional<api::HealthFirst> health_first_;
    std::unique_ptr<api::HttpServer> http_, dynamodb_;
    std::unique_ptr<smtp::Server> smtp_, smtps_;
};

App::App(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
App::~App() = default;

Result<std::unique_ptr<App>> App::start(const Config& config,
                                        const std::optional<std::string>& wanted_admin_key) {
    auto impl = std::make_unique<Impl>(config);
    const auto started = impl->start(wanted_admin_key);
    if (!started) return explained(config, started.error());
    return std::unique_ptr<App>(new App(std::move(impl)));
}

const std::optional<std::string>& App::new_admin_key() const { return impl_->new_admin_key(); }
std::string App::ready_line() const { return impl_->ready_line(); }
void App::reload() { impl_->reload(); }
void App::stop() { impl_->stop(); }

Result<> with_keys(const Config& config, DataDirectory::Absent absent,
                   const std::function<Result<>(api::Keys&, api::AccessKeys&)>& use) {
    const SystemClock clock;
    SystemRandom random;
    const auto tables = open_store(config, clock, random, absent);
    if (!tables && tables.error().code == Errc::conflict) {
        return Error{Errc::conflict, tables.error().message +
                                         "; while it runs, its routes /v1/keys and "
                                         "/v1/access-keys do the same"};
    }
    if (!tables) return tables.error();
    auto key_table = TRY(api::KeyTable::open(*tables->engine));
    api::Keys keys(key_table, clock, random);
    auto access_keys = TRY(api::AccessKeys::open(*tables->engine, clock, random));
    return use(keys, access_keys);
}

}  // namespace mailroom::app
