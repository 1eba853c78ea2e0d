#include "app/table_metrics.h"

#include "kv/rocks_store.h"

namespace mailroom::app {

void add_table_metrics(program::Metrics& metrics, const table::Engine& engine,
                       const kv::Store& rows) {
    metrics.counter("mailroom_commits_total", "Commits to disk.", {},
                    [&engine] { return static_cast<double>(engine.stats().commits.commits); });
    metrics.counter("mailroom_commit_batches_total", "Writes that the commits carried.", {},
                    [&engine] { return static_cast<double>(engine.stats().commits.batches); });
    metrics.counter("mailroom_commit_failures_total", "Commits that failed.", {},
                    [&engine] { return static_cast<double>(engine.stats().commits.failures); });
    metrics.gauge("mailroom_commit_pending_bytes", "Bytes that wait for a commit.", {},
                  [&engine] { return static_cast<double>(engine.stats().pending_bytes); });
    metrics.gauge("mailroom_store_memory_bytes", "Memory of the store.", {}, [&rows] {
        const auto usage = kv::rocks_usage(rows);
        return usage ? static_cast<double>(usage->memory_bytes) : 0;
    });
    metrics.gauge("mailroom_store_disk_bytes", "Disk of the store, without its log.", {}, [&rows] {
        const auto usage = kv::rocks_usage(rows);
        return usage ? static_cast<double>(usage->table_bytes) : 0;
    });
}

}  // namespace mailroom::app
