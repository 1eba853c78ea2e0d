#include "app/app.h"

#include "api/idempotency.h"
#include "api/serve.h"
#include "api/submission.h"
#include "app/backup_routes.h"
#include "app/counted_receiver.h"
#include "app/own_tables.h"
#include "app/people_export.h"
#include "app/process_metrics.h"
#include "app/programs.h"
#include "app/storage.h"
#include "app/submission_tls.h"
#include "app/table_metrics.h"
#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "dynamodb/access_key_routes.h"
#include "dynamodb/endpoint.h"
#include "http/authenticator.h"
#include "http/cached_keys.h"
#include "http/health.h"
#include "http/health_routes.h"
#include "http/key_routes.h"
#include "http/key_table.h"
#include "http/keys.h"
#include "http/login_watch.h"
#include "http/router.h"
#include "http/server.h"
#include "http/workers.h"
#include "outbox/routes/routes.h"
#include "people/import/importer.h"
#include "program/docs.h"
#include "program/metrics.h"
#include "program/periodic.h"
#include "schedule/schedule.h"
#include "smtp/server.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

namespace mailroom::app {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t worker_queue_max = 1024;  // More would wait longer than their clients do.
constexpr std::size_t worker_threads_min = 2;   // So that one long scan does not hold up everybody.
// Of the native API and of submission: they wait for commits, they do not work.
constexpr std::size_t api_threads = 24;
constexpr std::size_t api_queue_max = 4096;
constexpr auto stop_grace = 20s;   // Less than the 30 s after which supervisors kill.
constexpr auto expiry_pause = 5s;  // DynamoDB itself promises days.

// Reads of tables are answered and mails are accepted where they arrive, so there are as many
// threads as cores to do it with; more than a few only take turns with the disk.
unsigned io_threads() {
    constexpr unsigned io_threads_max = 4;
    return std::clamp(std::thread::hardware_concurrency(), 1u, io_threads_max);
}

Result<std::unique_ptr<http::Server>> listen(const ListenAddress& address, http::Handler& handler,
                                             const Clock& clock, ByteBudget& bodies,
                                             std::size_t body_bytes_max) {
    http::Server::Options options;
    options.limits.bodies = &bodies;
    options.limits.body_bytes_max = body_bytes_max;
    // Whoever sends somewhat more than allowed shall still read the refusal.
    options.limits.linger_bytes_max = 2 * body_bytes_max;
    options.host = address.host;
    options.port = address.port;
    options.io_threads = io_threads();
    return http::Server::listen(std::move(options), handler, clock);
}

void warn_about(const Config& config) {
    if (config.server.durability == Durability::relaxed) {
        log::warn("durability is relaxed: a crash loses the last writes; for test data only");
    }
}

}  // namespace

// Members stand in the order in which they are made, and each uses only those above it.
class App::Impl {
public:
    explicit Impl(Config config)
        : config_(std::move(config)), bodies_(config_.server.request_memory_mb * bytes_per_mb) {}
    ~Impl() { stop(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Result<> start(const std::optional<std::string>& wanted_admin_key) {
        warn_about(config_);
        TRY(programs_.house.check_files());
        storage_.emplace(TRY(open_storage(config_, clock_, random_)));
        auto& engine = *storage_->engine;
        key_table_.emplace(TRY(http::KeyTable::open(engine)));
        cached_keys_.emplace(*key_table_, clock_);
        keys_.emplace(*cached_keys_, clock_, random_);
        access_keys_.emplace(TRY(dynamodb::AccessKeys::open(engine, clock_, random_)));
        idempotency_.emplace(TRY(api::Idempotency::open(engine, clock_, random_)));
        schedule_ = TRY(schedule::Schedule::open(engine, clock_, random_));
        TRY(programs_.house.open(
            {engine, *schedule_, schedule::Ownership::sole, clock_, random_, config_.server.data}));
        TRY(keep_histories(engine, declared_tables(programs_.house)));
        expiry_.emplace(expiry_pause, [this] {
            const auto kept = programs_.outbox.keep_what_waited();
            if (kept) return expire_items(*storage_->engine, stopping_);
            log::warn("nothing expires yet", {{"reason", kept.error().message}});
        });
        add_table_metrics(metrics_, engine, *storage_->rows);
        add_process_metrics(metrics_, config_.server.data, clock_.now());
        programs_.house.add_metrics(metrics_);
        programs_.house.add_routes(api_);
        TRY(start_http());
        TRY(start_dynamodb());
        TRY(start_submission());
        TRY(register_admin(wanted_admin_key));
        programs_.house.start();
        ready_ = true;
        return Ok{};
    }

    const Config& config() const { return config_; }
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
        programs_.house.reload();
        if (config_.server.tls_certificate.empty()) return;
        const auto read = reload_tls();
        if (!read) log::error("not reloaded", {{"why", read.error().message}});
    }

    void stop() {
        ready_ = false;
        stopping_ = true;
        // While the others finish, so that all together take no longer than the grace.
        std::thread stopping_programs([this] { programs_.house.stop(stop_grace); });
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
        stopping_programs.join();
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
            TRY(programs_.house.ready());
            return check_writable(config_, *storage_->engine);
        };
        add_health_routes(router_, check, metrics_);
        authenticator_.emplace(*keys_, &logins_);
        metrics_.counter("mailroom_failed_logins_total", "Keys and passwords that were none.",
                         {{"listener", "http"}},
                         [this] { return static_cast<double>(authenticator_->failed_logins()); });
        http::add_key_routes(api_, *keys_);
        dynamodb::add_access_key_routes(api_, *access_keys_);
        add_backup_routes(api_, backing_up(*storage_->rows, storage_->directory->path()));
        http::describe_health_routes(api_);
        program::add_docs(api_);
        api::serve(router_, api_, *authenticator_, *idempotency_);
        serve_people_export(router_, *authenticator_, programs_.people.books(), api_workers_);
        http_ = TRY(listen(config_.server.http, router_, clock_, bodies_,
                           std::max(outbox::mail_body_bytes_max, people::import_body_bytes_max)));
        add_server_metrics(metrics_, "http", *http_);
        return Ok{};
    }

    static void report_dropped(std::size_t messages) {
        if (messages > 0) log::warn("messages were dropped", {{"count", messages}});
    }

    Result<> start_submission() {
        const auto& server = config_.server;
        submission_.emplace(*keys_, programs_.outbox.outbox(), api_workers_, &logins_);
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
            api::submission_settings(programs_.outbox.host_name(), tls, address.is_loopback());
        options.settings.limits.shared_memory = &bodies_;
        return smtp::Server::listen(std::move(options), *counted_submission_, clock_, random_);
    }

    Result<> start_dynamodb() {
        if (!config_.server.dynamodb) return Ok{};
        const table::OwnTables own(declared_tables(programs_.house));
        TRY(warn_of_hidden_tables(*storage_->engine, own));
        metrics_.counter("mailroom_failed_logins_total", "Keys and passwords that were none.",
                         {{"listener", "dynamodb"}}, [this] {
                             return static_cast<double>(logins_.failures(http::Door::dynamodb));
                         });
        if (config_.dynamodb.auth == DynamodbAuth::sigv4) {
            signatures_.emplace(*access_keys_, clock_, &logins_);
            if (TRY(access_keys_->list()).empty()) {
                log::info(
                    "nobody can reach the tables yet: POST /v1/access-keys makes an access key");
            }
        }
        endpoint_.emplace(*storage_->engine, own, workers_, random_,
                          signatures_ ? &*signatures_ : nullptr,
                          std::vector<table::WriteWatch*>{&programs_.outbox.followed_writes(),
                                                          &programs_.people.followed_writes()});
        measured_.emplace(*endpoint_, metrics_.route("dynamodb", "/"));
        health_first_.emplace(*measured_);
        dynamodb_ = TRY(listen(*config_.server.dynamodb, *health_first_, clock_, bodies_,
                               http::Limits().body_bytes_max));
        add_server_metrics(metrics_, "dynamodb", *dynamodb_);
        return Ok{};
    }

    Config config_;
    const SystemClock clock_;
    SystemRandom random_;
    ByteBudget bodies_;  // Of requests and messages, at whatever door.
    http::LoginWatch logins_{clock_};
    std::atomic<bool> ready_ = false, stopping_ = false;

    std::optional<Storage> storage_;
    std::optional<http::KeyTable> key_table_;
    std::optional<http::CachedKeys> cached_keys_;
    std::optional<http::Keys> keys_;
    std::optional<dynamodb::AccessKeys> access_keys_;
    std::optional<std::string> new_admin_key_;
    std::optional<api::Idempotency> idempotency_;
    std::unique_ptr<schedule::Schedule> schedule_;
    Programs programs_{std::move(config_.programs)};
    program::Api api_;  // The routes of all programs.
    std::optional<program::Periodic> expiry_;

    program::Metrics metrics_;
    std::optional<http::Authenticator> authenticator_;
    std::optional<api::Submission> submission_;
    std::optional<CountedReceiver> counted_submission_;
    http::Workers api_workers_{
        api_threads, api_queue_max,
        std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, api_threads)};
    http::Workers workers_{
        std::max<std::size_t>(worker_threads_min, std::thread::hardware_concurrency()),
        worker_queue_max};
    http::Router router_{"http", api_workers_, metrics_};
    std::optional<dynamodb::RequestSignatures> signatures_;
    std::optional<dynamodb::Endpoint> endpoint_;
    std::optional<http::Measured> measured_;
    std::optional<http::HealthFirst> health_first_;
    std::unique_ptr<http::Server> http_, dynamodb_;
    std::unique_ptr<smtp::Server> smtp_, smtps_;
};

App::App(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
App::~App() = default;

Result<std::unique_ptr<App>> App::start(Config config,
                                        const std::optional<std::string>& wanted_admin_key) {
    auto impl = std::make_unique<Impl>(std::move(config));
    const auto started = impl->start(wanted_admin_key);
    if (!started) return explained(impl->config(), started.error());
    return std::unique_ptr<App>(new App(std::move(impl)));
}

const std::optional<std::string>& App::new_admin_key() const { return impl_->new_admin_key(); }
std::string App::ready_line() const { return impl_->ready_line(); }
void App::reload() { impl_->reload(); }
void App::stop() { impl_->stop(); }

Result<> with_keys(const Config& config, DataDirectory::Absent absent,
                   const std::function<Result<>(http::Keys&, dynamodb::AccessKeys&)>& use) {
    const SystemClock clock;
    SystemRandom random;
    const auto tables = open_storage(config, clock, random, absent);
    if (!tables && tables.error().code == Errc::conflict) {
        return Error{Errc::conflict, tables.error().message +
                                         "; while it runs, its routes /v1/keys and "
                                         "/v1/access-keys do the same"};
    }
    if (!tables) return tables.error();
    auto key_table = TRY(http::KeyTable::open(*tables->engine));
    http::Keys keys(key_table, clock, random);
    auto access_keys = TRY(dynamodb::AccessKeys::open(*tables->engine, clock, random));
    return use(keys, access_keys);
}

}  // namespace mailroom::app
