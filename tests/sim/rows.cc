#include "sim/rows.h"

#include <utility>

namespace mailroom::sim {

namespace {

Error gone() { return {Errc::unavailable, "this process has ended"}; }

}  // namespace

void CrashingRows::crash_in(std::uint64_t commits, Last last) {
    commits_left_ = commits;
    last_ = last;
}

void CrashingRows::restart(Loss loss, Chance& chance) {
    if (loss == Loss::unsynced) {
        rows_.crash();
        rows_.restart();
        const auto kept = chance.below(unsynced_.size() + 1);
        for (std::uint64_t i = 0; i < kept; ++i) {
            static_cast<void>(rows_.commit(unsynced_[i], kv::Sync::full));
        }
        unsynced_.clear();
    }
    commits_left_ = 0;
    crashed_ = false;
}

Result<std::optional<std::string>> CrashingRows::get(std::string_view key,
                                                     const kv::Snapshot* snapshot) const {
    if (crashed_) return gone();
    return rows_.get(key, snapshot);
}

Result<> CrashingRows::commit(const kv::Batch& batch, kv::Sync sync) {
    if (crashed_) return gone();
    if (commits_left_ == 0 || --commits_left_ > 0) return write(batch, sync);
    if (last_ == Last::done) static_cast<void>(write(batch, sync));
    crashed_ = true;
    return gone();
}

Result<> CrashingRows::write(const kv::Batch& batch, kv::Sync sync) {
    auto written = rows_.commit(batch, sync);
    if (!written) return written;
    if (sync == kv::Sync::full) {
        unsynced_.clear();
    } else {
        unsynced_.push_back(batch);
    }
    return written;
}

Result<> CrashingRows::recover() {
    if (crashed_) return gone();
    return rows_.recover();
}

}  // namespace mailroom::sim
