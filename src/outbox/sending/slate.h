// Which ends of messages have left, noted where it outlives this process, though not the machine.
//
// Before an end leaves, its job is marked durably, which takes the disk a moment: a process that is
// killed leaves mails that are marked and whose end has not left. A file that is written without
// waiting for the disk is whole after a kill as well. So an end is noted here too, right before it
// leaves, and after a kill that tells which marks to believe. After a crash of the machine the file
// may have lost something: it names the boot that it belongs to, and is not believed in another.
//
//   DIRECTORY/NODE   of one process: "mailroom ends 1\n" boot id "\n", filled up to 63 bytes; then
//                    "+", or "-" if not all could be noted; then slots of 16 bytes, zero when free:
//                    the claim's number and 1; the first recipient's place. Both little-endian.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::outbox {

// Thread-safe.
class Slate {
public:
    // Of this start of the machine; empty if the system does not say.
    static std::string this_boot();

    // `node` begins the names of this process's claims; what earlier processes left in `directory`
    // is read. `unavailable` if the system refuses.
    static Result<std::unique_ptr<Slate>> open(const std::filesystem::path& directory,
                                               const std::string& node, const std::string& boot);
    // Removes the file if nothing is noted in it.
    ~Slate();
    Slate(const Slate&) = delete;
    Slate& operator=(const Slate&) = delete;

    // Of the claim `lease`, the end that goes to the recipient at `place` and others is about to
    // leave. None if that is no claim of ours: then it must not. The slot is to be given back when
    // what became of the mail is durable.
    std::optional<std::size_t> note(std::string_view lease, std::size_t place);
    void forget(std::size_t slot);

    // Whether that end may have left, if an earlier process had the claim and all is known of it.
    std::optional<bool> has_left(std::string_view lease, std::size_t place) const;

private:
    using End = std::pair<std::uint64_t, std::uint64_t>;

    Slate(std::filesystem::path file, int descriptor);
    static std::optional<std::set<End>> read(const std::filesystem::path& file,
                                             const std::string& boot);
    void read_earlier(const std::filesystem::path& directory, const std::string& boot);
    void write(std::size_t slot, const End& end) const;

    const std::filesystem::path file_;
    const int descriptor_;
    char* memory_ = nullptr;                                     // The file, mapped.
    std::map<std::string, std::set<End>, std::less<>> earlier_;  // By node.
    std::mutex mutex_;
    std::vector<std::size_t> free_;
};

}  // namespace mailroom::outbox
