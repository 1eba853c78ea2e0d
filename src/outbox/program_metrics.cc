// What is measured of the outbox.
#include "outbox/program.h"

#include <algorithm>
#include <chrono>

namespace mailroom::outbox {

void Program::look_at_queues() {
    for (auto& queue : queues_) {
        const auto due = schedule().first_due(queue.name);
        if (!due) continue;
        const auto late = *due ? std::chrono::duration<double>(clock().now() - **due).count() : 0;
        queue.late_seconds = std::max(0.0, late);
    }
    // Mails that are due and were never tried are known by their jobs.
    double waiting = 0;
    for (const auto& queue : queues_) {
        if (queue.name != callback_queue) waiting = std::max(waiting, queue.late_seconds.load());
    }
    const auto oldest = ledger_->oldest_waiting();
    if (!oldest) return;
    if (*oldest) {
        waiting =
            std::max(waiting, std::chrono::duration<double>(clock().now() - **oldest).count());
    }
    oldest_waiting_seconds_ = waiting;
}

void Program::add_connection_metrics(program::Metrics& metrics) const {
    using Stats = smtp::Client::Stats;
    const auto read = [this](std::uint64_t Stats::*what) {
        return [this, what] { return static_cast<double>(counted_->connections().*what); };
    };
    metrics.gauge("mailroom_outbox_connections", "Connections to other servers.", {},
                  read(&Stats::connections));
    metrics.counter("mailroom_outbox_connections_opened_total",
                    "Connections that were opened, since the start.", {}, read(&Stats::opened));
    metrics.counter("mailroom_outbox_connections_reused_total",
                    "Mails that went over a connection that was kept, since the start.", {},
                    read(&Stats::reused));
    metrics.counter("mailroom_outbox_connections_dead_total",
                    "Connections that were kept and turned out to be dead, since the start.", {},
                    read(&Stats::retried));
    metrics.counter("mailroom_outbox_turned_away_total",
                    "Attempts that ended before a mail was offered, since the start: the other "
                    "server was out of reach, turned us away, or refused TLS or our password.",
                    {}, [this] { return static_cast<double>(counted_->turned_away()); });
}

void Program::add_pause_metrics(program::Metrics& metrics) const {
    using Kind = PauseScope::Kind;
    for (const auto kind : {Kind::all, Kind::stream, Kind::domain}) {
        metrics.gauge("mailroom_outbox_pauses", "Pauses that hold mails back.",
                      {{"kind", std::string(name_of(kind))}}, [this, kind] {
                          return static_cast<double>(
                              std::ranges::count_if(pauses_->now(), [kind](const Pause& pause) {
                                  return pause.scope.kind == kind && !pause.is_resuming;
                              }));
                      });
    }
}

void Program::add_queue_metrics(program::Metrics& metrics) {
    const std::string_view names[] = {fetching_queue, callback_queue,
                                      send_queue(Stream::transactional), send_queue(Stream::bulk)};
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        queues_[i].name = names[i];
        metrics.gauge("mailroom_outbox_oldest_due_seconds",
                      "How long the mail waits that is due longest; 0 if none is.",
                      {{"queue", queues_[i].name}},
                      [&queue = queues_[i]] { return queue.late_seconds.load(); });
    }
    metrics.gauge(
        "mailroom_outbox_oldest_waiting_seconds",
        "Since when the mail waits that waits longest, from its acceptance or when it was "
        "due first, whether or not it was tried; 0 if none waits.",
        {}, [this] { return oldest_waiting_seconds_.load(); });
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
                      const auto of = [&](State state) {
                          return static_cast<double>(counts[static_cast<std::size_t>(state)]);
                      };
                      return of(State::calling_sent_callback) + of(State::calling_failed_callback);
                  });
}

void Program::add_blob_metrics(program::Metrics& metrics) const {
    if (!blob_watch_) return;
    const auto& watch = *blob_watch_;
    metrics.gauge("mailroom_blobs_disk_free_bytes", "Room on the disk of outbox.blobs.", {},
                  [&watch] { return static_cast<double>(watch.room().free_bytes); });
    metrics.gauge("mailroom_blobs_disk_size_bytes", "Size of that disk.", {},
                  [&watch] { return static_cast<double>(watch.room().size_bytes); });
    metrics.gauge("mailroom_blobs_writable", "1 while mails can be stored in outbox.blobs.", {},
                  [&watch] { return watch.check() ? 1.0 : 0.0; });
}

void Program::add_metrics(program::Metrics& metrics) {
    add_pause_metrics(metrics);
    add_blob_metrics(metrics);
    add_connection_metrics(metrics);
    add_queue_metrics(metrics);
    const auto& watch = *watch_;
    for (std::size_t i = 0; i < all_states.size(); ++i) {
        metrics.gauge("mailroom_outbox_mails", "Mails in the table, by state.",
                      {{"state", std::string(name_of(all_states[i]))}},
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

}  // namespace mailroom::outbox
