// Whether the directory of messages (outbox.blobs) can be written to, looked at now and then: a
// file system of a network may keep whoever asks it waiting.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "outbox/blobs/blobs.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace mailroom::outbox {

// Thread-safe.
class BlobWatch {
public:
    // With less room on the disk of the directory it counts as full: about three of the largest
    // mails would fit.
    static constexpr std::uint64_t room_bytes_min = 128 * 1024 * 1024;
    // A look that takes longer has met a file system that does not answer.
    static constexpr std::chrono::milliseconds patience = std::chrono::seconds(10);

    // `blobs` and `clock` must outlive this object.
    BlobWatch(const Blobs& blobs, std::filesystem::path directory, const Clock& clock,
              std::uint64_t bytes_min = room_bytes_min)
        : blobs_(blobs), directory_(std::move(directory)), clock_(clock), bytes_min_(bytes_min) {}

    // Looks: to be called every few seconds. Whatever changed since the last look is logged.
    void look();

    // What the last look found, at once; `unavailable`, for anybody to read: no path is in it.
    Result<> check() const;
    // Of the disk of the directory. 0 if it cannot be asked.
    struct Room {
        std::uintmax_t free_bytes = 0, size_bytes = 0;
    };
    Room room() const;

private:
    Result<> find_out() const;

    const Blobs& blobs_;
    const std::filesystem::path directory_;
    const Clock& clock_;
    const std::uint64_t bytes_min_;
    mutable std::mutex mutex_;
    std::optional<Time> looking_since_;
    std::string problem_;  // Empty: none.
    Room room_;
};

}  // namespace mailroom::outbox
