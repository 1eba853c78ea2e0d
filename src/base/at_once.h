// The same thing done with each of many, several at a time: for what waits most of the time.
#pragma once

#include "base/result.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace mailroom {

// Calls work(each) on so many threads, until one fails: its error, or another's that failed at the
// same time. On the caller's own with fewer than two.
template <class T, class Work>
Result<> each_at_once(std::size_t threads, const std::vector<T>& all, const Work& work) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::optional<Error> failed;
    const auto go_on = [&] {
        for (auto at = next++; at < all.size(); at = next++) {
            const auto done = work(all[at]);
            if (done) continue;
            const std::lock_guard lock(mutex);
            if (!failed) failed = done.error();
            next = all.size();
        }
    };
    threads = std::min(threads, all.size());
    if (threads < 2) {
        go_on();
    } else {
        std::vector<std::jthread> crew;
        for (std::size_t i = 0; i < threads; ++i) crew.emplace_back(go_on);
    }
    if (failed) return *failed;
    return Ok{};
}

}  // namespace mailroom
