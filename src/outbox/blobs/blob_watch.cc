#include "outbox/blobs/blob_watch.h"

#include "base/log.h"
#include "kv/disk_room.h"

#include <system_error>
#include <utility>

namespace mailroom::outbox {

void BlobWatch::look() {
    {
        const std::lock_guard lock(mutex_);
        looking_since_ = clock_.now();
    }
    const auto found = find_out();
    std::error_code unknown;
    const auto space = std::filesystem::space(directory_, unknown);
    const auto problem = found ? std::string() : found.error().message;

    const std::lock_guard lock(mutex_);
    looking_since_.reset();
    room_ = unknown ? Room() : Room{space.available, space.capacity};
    const bool was_well = problem_.empty(), is_well = problem.empty();
    problem_ = problem;
    if (was_well && !is_well) {
        log::error("mails cannot be stored: outbox.blobs", {{"why", problem}});
    } else if (!was_well && is_well) {
        log::info("mails can be stored again: outbox.blobs");
    }
}

Result<> BlobWatch::find_out() const {
    TRY(blobs_.writable());
    return kv::DiskRoom(directory_, bytes_min_).check();
}

Result<> BlobWatch::check() const {
    const std::lock_guard lock(mutex_);
    if (looking_since_ && clock_.now() - *looking_since_ > patience) {
        return Error{Errc::unavailable, "outbox.blobs: the directory does not answer"};
    }
    if (problem_.empty()) return Ok{};
    return Error{Errc::unavailable,
                 "outbox.blobs: the directory is away, locked or full: the log says why"};
}

BlobWatch::Room BlobWatch::room() const {
    const std::lock_guard lock(mutex_);
    return room_;
}

}  // namespace mailroom::outbox
