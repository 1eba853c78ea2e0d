// The outbox as a program: its settings, its tables, its transport and the crews that do the work.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "net/dns_resolver.h"
#include "net/guard.h"
#include "net/http_client.h"
#include "outbox/accept/outbox.h"
#include "outbox/accept/personal_mails.h"
#include "outbox/blobs/blob_watch.h"
#include "outbox/callbacks/callbacks.h"
#include "outbox/fetching/fetching.h"
#include "outbox/mail/ledger.h"
#include "outbox/others/followed_writes.h"
#include "outbox/others/follower.h"
#include "outbox/routes/watch.h"
#include "outbox/sending/pauses.h"
#include "outbox/sending/sender.h"
#include "outbox/settings.h"
#include "outbox/transports/captured.h"
#include "outbox/transports/counted_transport.h"
#include "people/program.h"
#include "program/metrics.h"
#include "program/periodic.h"
#include "program/program.h"
#include "schedule/crew.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::outbox {

// Thread-safe once it runs.
class Program final : public program::Program {
public:
    // `people` must outlive this object, and be opened before it.
    explicit Program(people::Program& people) : people_(people) {}
    ~Program() override;  // As stop(0).

    void add_settings(program::Settings& list) override;
    Result<> check_files() const override;
    std::vector<table::OwnTable> tables() const override;
    // Opens tables, keys and the transport; nothing is sent before start(). Fails with a sentence
    // that names the setting that cannot be used.
    Result<> open(const program::Ground& ground) override;
    void add_routes(program::Api& api) override;
    void add_metrics(program::Metrics& metrics) override;
    std::vector<program::Work> jobs() override;
    void start() override;
    // Mails can still be accepted after it.
    void stop(std::chrono::milliseconds grace) override;
    Result<> ready() const override { return blob_watch_ ? blob_watch_->check() : Result<>(Ok{}); }
    // The DKIM keys; if one cannot be read all stay as they were.
    Result<> reload() override;

    // To be called before anything expires: the server, or its whole machine, may have stood still
    // for months. Quick if it has not.
    Result<> keep_what_waited();

    const Settings& settings() const { return settings_; }
    // From here on: when it is open.
    Outbox& outbox() { return *outbox_; }
    Ledger& ledger() { return *ledger_; }
    // Before start(): asked about mails that programs added. Must live until stop() returned.
    void guard_with(Guard& guard) {
        outbox_->guard_with(guard);
        sender_->guard_with(guard);
    }
    // Before start(): these look after mails that have an Engagement, and after what became of
    // mails. Both must live until stop() returned.
    void tailor_with(Tailor& tailor) {
        outbox_->tailor_with(tailor);
        fetching_->tailor_with(tailor);
    }
    void account_with(Accounting& accounting) { ledger_->account_with(accounting); }
    Pauses& pauses() { return *pauses_; }
    const Signatures& signatures() const { return signatures_; }
    // What requests to other people's addresses go past.
    const net::Guard& network_guard() const { return *guard_; }
    // For the table endpoint: hears of what other programs write into the table of mails.
    table::WriteWatch& followed_writes() { return *followed_writes_; }
    // How this host calls itself in SMTP.
    const std::string& host_name() const { return host_name_; }

private:
    Result<> open_data();
    void look_at_queues();
    void add_pause_metrics(program::Metrics& metrics) const;
    void add_blob_metrics(program::Metrics& metrics) const;
    void add_connection_metrics(program::Metrics& metrics) const;
    void add_queue_metrics(program::Metrics& metrics);
    void make_follower();
    void open_slate();
    Result<> open_network();
    Result<> open_transport();
    void make_crews();

    table::Store& store() { return ground_->store; }
    schedule::Schedule& schedule() { return ground_->schedule; }
    const Clock& clock() const { return ground_->clock; }
    Random& random() { return ground_->random; }

    people::Program& people_;
    Settings settings_;
    std::optional<program::Ground> ground_;
    // Members stand in the order in which they are made, and each uses only those above it.
    std::string host_name_, callback_secret_, callback_key_;  // The key is the secret, decoded.
    std::optional<Ledger> ledger_;
    std::unique_ptr<Blobs> blobs_;
    std::optional<BlobWatch> blob_watch_;  // Of those outside of the tables.
    std::unique_ptr<Slate> slate_;         // None if the system refuses.
    std::optional<Outbox> outbox_;
    std::optional<PersonalMails> personal_;
    std::optional<OutboxWatch> watch_;
    std::unique_ptr<Pauses> pauses_;

    std::unique_ptr<net::DnsResolver> resolver_;
    std::optional<net::Guard> guard_;
    std::optional<net::HttpClient> http_;

    Signatures signatures_;
    std::optional<Rates> rates_;
    std::unique_ptr<Captured> captured_;
    std::unique_ptr<Transport> transport_;  // None: mails are captured.
    std::optional<CountedTransport> counted_;

    std::optional<Fetching> fetching_;
    std::optional<Callbacks> callbacks_;
    std::unique_ptr<Sender> sender_;  // Posts to the crew that runs it.
    std::unique_ptr<schedule::Crew> fetching_crew_, callback_crew_, sender_crew_;
    std::optional<Follower> follower_;
    std::optional<FollowedWrites> followed_writes_;
    std::atomic<bool> stopping_ = false;
    bool is_first_day_ = true;  // Of the thread that keeps what waits.
    // For the metrics.
    std::atomic<program::Metrics::Histogram*> delivery_times_ = nullptr;
    std::atomic<std::uint64_t> callbacks_answered_ = 0, callbacks_failed_ = 0;
    struct Queue {
        std::string name;
        std::atomic<double> late_seconds = 0;  // The job that waits longest, after it was due.
    };
    std::array<Queue, 4> queues_;
    std::atomic<double> oldest_waiting_seconds_ = 0;
    std::optional<program::Periodic> sampling_, keeping_, pausing_, watching_blobs_;
    bool stopped_ = false;
};

}  // namespace mailroom::outbox
