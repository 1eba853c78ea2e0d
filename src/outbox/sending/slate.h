// Which ends of messages may leave, have left and were answered, noted where it outlives this
// process.
//
// That an end may leave is on the disk before it does. What comes after that is written to the
// mapped file without waiting for the disk, which is whole after a kill as well: so after a kill it
// is known of each mail whether its end had left, and whether the server had answered. After a
// crash of the machine an end that was meant to leave may have left; whatever else the file says is
// true then, too. Where several nodes share the tables, the others must know which mails may have
// left: there the jobs are marked (doubt.h), and this file only tells after a kill which of these
// ends had left.
//
//   DIRECTORY/NODE   of one process: "mailroom ends 2\n" boot id "\n", filled up to 63 bytes; then
//                    "+", or "-" if not all could be noted; then slots of 16 bytes, zero when free:
//                    the claim's number and 1 (8 bytes); the recipient's place (4); the reply's
//                    code (2); how far it came (1); zero. All little-endian.
#pragma once

#include "base/result.h"
#include "outbox/sending/slate_sync.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
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
                                               const std::string& node, const std::string& boot,
                                               SlateSync::Mode mode = SlateSync::Mode::threaded);
    // Removes the file if nothing is noted in it.
    ~Slate();
    Slate(const Slate&) = delete;
    Slate& operator=(const Slate&) = delete;

    // Slots are to be given back when what became of the mail is durable.
    using Slot = std::size_t;

    // Of the claim `lease`, the ends that go to the recipients at `places` are meant to leave: a
    // slot for each. None if there is no room, or the disk has failed.
    std::optional<std::vector<Slot>> mean(std::string_view lease,
                                          std::span<const std::size_t> places);
    // `done` is told when all that was meant so far is on the disk, or cannot be.
    void make_durable(SlateSync::Done done);
    // They are about to leave.
    void leave(std::span<const Slot> slots) const;
    // What the server said of one that has left: it took the mail, or certainly did not.
    void answer(Slot slot, bool is_taken, int code) const;

    // The end that goes to the recipient at `place` and others is about to leave, and its job is
    // marked. None if `lease` is no claim of ours: then it must not.
    std::optional<Slot> note(std::string_view lease, std::size_t place);
    void forget(Slot slot);

    // Of a claim of an earlier process, all whose ends were meant to leave before they did.
    struct End {
        enum class Fate { stayed, may_have_left, taken, refused };
        Fate fate = Fate::stayed;
        int code = 0;  // Of the reply, if there was one.
    };
    // None if not all is known of that claim.
    std::optional<End> end_of(std::string_view lease, std::size_t place) const;
    // The same for an end whose job is marked; known only while the machine has not started again.
    std::optional<bool> has_left(std::string_view lease, std::size_t place) const;

private:
    using Key = std::pair<std::uint64_t, std::uint32_t>;  // Number of the claim and 1; place.
    struct Note {
        Key key = {};
        std::uint16_t code = 0;
        std::uint8_t step = 0;
    };
    struct Earlier {
        bool is_of_this_boot = false;
        std::map<Key, Note> notes;

        const Note* find(std::uint64_t number, std::size_t place) const;
    };

    Slate(std::filesystem::path file, int descriptor);
    static std::optional<Earlier> read(const std::filesystem::path& file, const std::string& boot);
    Result<> prepare(const std::string& header);
    void read_earlier(const std::filesystem::path& directory, const std::string& boot);
    std::optional<std::vector<Slot>> take(std::size_t count);
    void write(Slot slot, const Note& note) const;
    void step(Slot slot, std::uint8_t step, int code) const;
    static Note note_at(const char* bytes);

    const std::filesystem::path file_;
    const int descriptor_;
    char* memory_ = nullptr;                               // The file, mapped.
    std::map<std::string, Earlier, std::less<>> earlier_;  // By node.
    std::mutex mutex_;
    std::vector<Slot> free_;
    std::optional<SlateSync> sync_;  // Last: its thread uses the others.
};

}  // namespace mailroom::outbox
