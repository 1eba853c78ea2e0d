// The outbox as a running thing: its tables, its transport and the crews that do the work.
#pragma once

#include "api/metrics.h"
#include "api/outbox_watch.h"
#include "app/config.h"
#include "app/counted_transport.h"
#include "app/periodic.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "net/dns_resolver.h"
#include "net/guard.h"
#include "net/http_client.h"
#include "outbox/callbacks.h"
#include "outbox/captured.h"
#include "outbox/followed_writes.h"
#include "outbox/follower.h"
#include "outbox/intake.h"
#include "outbox/ledger.h"
#include "outbox/outbox.h"
#include "outbox/pauses.h"
#include "outbox/sender.h"
#include "outbox/suppressions.h"
#include "schedule/crew.h"
#include "schedule/schedule.h"
#include "table/store.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace mailroom::app {

// Thread-safe once it runs.
class OutboxService {
public:
    // Opens tables, keys and the transport; nothing is sent before start(). Fails with a sentence
    // that names the setting that cannot be used. `store`, `clock` and `random` must outlive it.
    static Result<std::unique_ptr<OutboxService>> open(const Config& config, table::Store& store,
                                                       const Clock& clock, Random& random);
    ~OutboxService();  // As stop(0).
    OutboxService(const OutboxService&) = delete;
    OutboxService& operator=(const OutboxService&) = delete;

    void start();
    // Begins nothing new, and returns when what is in hand is settled or `grace` is over. Mails can
    // still be accepted. Later calls do nothing.
    void stop(std::chrono::milliseconds grace);

    // Reads the DKIM keys anew; if one cannot be read all stay as they were.
    Result<> reload_keys();

    outbox::Outbox& outbox() { return *outbox_; }
    outbox::Ledger& ledger() { return *ledger_; }
    outbox::Suppressions& suppressions() { return *suppressions_; }
    outbox::Pauses& pauses() { return *pauses_; }
    outbox::Captured& captured() { return *captured_; }
    schedule::Schedule& schedule() { return *schedule_; }
    // Before start(): asked about mails that programs added. Must live until stop() returned.
    void guard_with(outbox::Guard& guard) {
        outbox_->guard_with(guard);
        sender_->guard_with(guard);
    }
    // For the table endpoint: hears of what other programs write into the table of mails.
    table::WriteWatch& followed_writes() { return *followed_writes_; }
    const api::OutboxWatch& watch() const { return *watch_; }
    const std::string& callback_secret() const { return callback_secret_; }
    // How this host calls itself in SMTP.
    const std::string& host_name() const { return host_name_; }

    // This object must live as long as anybody calls metrics.text().
    void add_metrics(api::Metrics& metrics);

    // Its tables that are not for others.
    static std::set<std::string, std::less<>> own_tables();

private:
    OutboxService(const Config& config, table::Store& store, const Clock& clock, Random& random)
        : config_(config), store_(store), clock_(clock), random_(random) {}
    Result<> open_data();
    Result<> keep_what_waited();
    void look_at_queues();
    void add_pause_metrics(api::Metrics& metrics) const;
    void add_queue_metrics(api::Metrics& metrics);
    void make_follower();
    void open_slate();
    Result<> open_network();
    Result<> open_transport();
    void make_crews();

    const Config config_;
    table::Store& store_;
    const Clock& clock_;
    Random& random_;

    // Members stand in the order in which they are made, and each uses only those above it.
    std::string host_name_, callback_secret_, callback_key_;  // The key is the secret, decoded.
    std::optional<outbox::Ledger> ledger_;
    std::unique_ptr<outbox::Blobs> blobs_;
    std::unique_ptr<schedule::Schedule> schedule_;
    std::unique_ptr<outbox::Slate> slate_;  // None if the system refuses.
    std::optional<outbox::Suppressions> suppressions_;
    std::optional<outbox::Outbox> outbox_;
    std::optional<api::OutboxWatch> watch_;
    std::unique_ptr<outbox::Pauses> pauses_;

    std::unique_ptr<net::DnsResolver> resolver_;
    std::optional<net::Guard> guard_;
    std::optional<net::HttpClient> http_;

    outbox::Signatures signatures_;
    std::optional<outbox::Rates> rates_;
    std::unique_ptr<outbox::Captured> captured_;
    std::unique_ptr<outbox::Transport> transport_;  // None: mails are captured.
    std::optional<CountedTransport> counted_;

    std::optional<outbox::Intake> intake_;
    std::optional<outbox::Callbacks> callbacks_;
    std::unique_ptr<outbox::Sender> sender_;  // Posts to the crew that runs it.
    std::unique_ptr<schedule::Crew> intake_crew_, callback_crew_, sender_crew_;
    std::optional<outbox::Follower> follower_;
    std::optional<outbox::FollowedWrites> followed_writes_;
    std::atomic<bool> stopping_ = false;
    bool is_first_day_ = true;  // Of the thread that keeps what waits.
    // For the metrics.
    std::atomic<api::Metrics::Histogram*> delivery_times_ = nullptr;
    std::atomic<std::uint64_t> callbacks_answered_ = 0, callbacks_failed_ = 0;
    struct Queue {
        std::string name;
        std::atomic<double> late_seconds = 0;  // The job that waits longest, after it was due.
    };
    std::array<Queue, 4> queues_;
    std::optional<Periodic> sampling_, keeping_, pausing_;
    bool stopped_ = false;
};

}  // namespace mailroom::app
