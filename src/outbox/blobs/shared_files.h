// Payloads and messages that other programs wrote as files, beside our own.
#pragma once

#include "outbox/blobs/blobs.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// A path that begins with "/" is a file of another program, in the directory that both have; any
// other is of `own`. Only read. Thread-safe.
class SharedFiles final : public Blobs {
public:
    // None: there is no such directory, and those files are refused.
    SharedFiles(std::unique_ptr<Blobs> own, std::optional<std::filesystem::path> directory);

    Result<> add(table::write::Transaction& transaction, const std::string& path,
                 std::string_view bytes, Time expires) override {
        return own_->add(transaction, path, bytes, expires);
    }
    Result<> writable() const override { return own_->writable(); }
    bool adds_quickly(std::size_t bytes) const override { return own_->adds_quickly(bytes); }
    // `invalid`, in words for people, for a file outside of the directory, links resolved, or one
    // that may not be read. While the file system of the directory is away nothing is taken for
    // missing: `unavailable`.
    Result<std::optional<std::string>> read(const std::string& path) override;

private:
    Result<> require_mounted();

    const std::unique_ptr<Blobs> own_;
    const std::optional<std::filesystem::path> directory_;
    std::atomic<std::uint64_t> device_ = 0;  // Where it was when a file was read last, or at first.
};

// Whether a blob of that path is another program's.
inline bool is_shared_path(std::string_view path) { return path.starts_with('/'); }

}  // namespace mailroom::outbox
