// The writes that are queued but not yet durable, and the locks that put them in order.
//
// A writer locks its rows, reads them through `find` (falling back to the store), decides, queues
// its batch and leaves the new rows here before it unlocks. So the next writer of a row sees what
// is queued ahead of it, and no lock is held over an fsync. Rows are locked by stripe: two rows may
// share one.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mailroom::table {

class Pending {
public:
    struct Row {
        std::optional<std::string> value;  // None: erased.
        std::uint64_t ticket = 0;
    };

    // Holds the stripes of some rows; always taken in the same order, so two writers cannot
    // deadlock.
    class Lock {
    public:
        Lock(Pending& pending, const std::vector<std::string_view>& rows);
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

    private:
        Pending& pending_;
        std::vector<std::uint8_t> stripes_;
    };

    // The queued state of a row: none when nothing is queued for it. Under the row's Lock; the
    // result is valid as long as that is held.
    const Row* find(std::string_view row) const;
    // Queues a new state of the row. Under the row's Lock.
    void set(std::string_view row, std::optional<std::string> value, std::uint64_t ticket);
    // After the write of that ticket became durable: forgets the row unless a later one replaced
    // it.
    void settle(const std::vector<std::string>& rows, std::uint64_t ticket);
    // Forgets everything. Nobody may hold a Lock.
    void clear();

private:
    static constexpr std::size_t stripe_count = 256;  // Far more than threads, so clashes are rare.

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };
    struct Stripe {
        std::mutex mutex;
        std::unordered_map<std::string, Row, Hash, std::equal_to<>> rows;
    };
    static std::uint8_t stripe_of(std::string_view row) {
        return static_cast<std::uint8_t>(Hash{}(row) % stripe_count);
    }

    std::array<Stripe, stripe_count> stripes_;
};

}  // namespace mailroom::table
