// How far the commits came that somebody was told of, beside the log that holds them.
//
// A log cannot tell that its own end is missing: what was cut off, and what a crash kept from being
// written, look alike. So the number of the last change that was acknowledged is kept in a file of
// its own. It is written after the log was synced, and not synced itself: it never promises more
// than was durable; after a crash of the process it is exact, after a power cut some seconds old.
//
//   file := number:u64 check:u64      check is number with all bits turned over
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

namespace mailroom::kv {

// Thread-safe.
class Acknowledged {
public:
    // What the directory's file says: none if there is no such file, or a damaged one.
    static std::optional<std::uint64_t> read(const std::filesystem::path& directory);
    // The file with this number, made if it is not there. `unavailable` if the disk refuses.
    static Result<std::unique_ptr<Acknowledged>> begin(const std::filesystem::path& directory,
                                                       std::uint64_t number);
    ~Acknowledged();
    Acknowledged(const Acknowledged&) = delete;
    Acknowledged& operator=(const Acknowledged&) = delete;

    // Everything up to this change is durable. A disk that refuses is left to the log, which fails
    // next.
    void advance(std::uint64_t number);

private:
    Acknowledged(int file, std::uint64_t number) : file_(file), number_(number) {}

    const int file_;
    std::mutex mutex_;
    std::uint64_t number_;
};

}  // namespace mailroom::kv
