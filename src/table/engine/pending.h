// The writes that are queued but not yet durable, and the locks that put them in order.
//
// A writer locks its rows, reads them through `find` (falling back to the store), decides, queues
// its batch and leaves the new rows here before it unlocks. So the next writer of a row sees what
// is queued ahead of it, and no lock is held over an fsync. Rows are locked by stripe: two rows may
// share one.
//
// Small rows stay for a while after they became durable, because what was just written is often
// what is written next: a job's row, a counter, the state of a mail.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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
        bool is_queued() const { return ticket != 0; }

        std::optional<std::string> value;  // None: erased.
        std::uint64_t ticket = 0;          // Of the last write; 0 once that is durable.
        std::uint8_t place = 0;            // Among the stripe's recent rows, from 1; 0: in none.
    };

    // A row's key with its hash, which is needed several times on the way of a write.
    struct Key {
        explicit Key(std::string_view row) : text(row), hash(std::hash<std::string_view>{}(row)) {}
        std::string_view text;  // Borrowed.
        std::size_t hash;
    };
    // A row that was set here; good until its last write is settled or everything is forgotten.
    class Entry {
    public:
        explicit Entry(const Key& key) : text_(key.text), hash_(key.hash) {}

    private:
        friend class Pending;
        std::string text_;
        std::size_t hash_;
    };

    // Holds the stripes of some rows; always taken in the same order, so two writers cannot
    // deadlock.
    class Lock {
    public:
        Lock(Pending& pending, const std::vector<Key>& rows);
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

    private:
        Pending& pending_;
        std::vector<std::uint8_t> stripes_;
    };

    // The last state of a row, queued or as the store has it: none when that is not known here.
    // Under the row's Lock; the result is valid as long as that is held.
    const Row* find(const Key& row) const;
    // Queues a new state of the row: once for each ticket. Tickets begin at 1.
    // Under the row's Lock.
    const Entry* set(const Key& row, std::optional<std::string> value, std::uint64_t ticket);
    // After the write of that ticket became durable: its rows are recent ones from now on, unless a
    // later one replaced them. Tickets that share rows must be settled in the order in which they
    // were set; those set before clear() must not be settled at all.
    void settle(const std::vector<const Entry*>& rows, std::uint64_t ticket);
    // Forgets everything. Nobody may hold a Lock.
    void clear();

private:
    static constexpr std::size_t stripe_count = 256;  // Far more than threads, so clashes are rare.
    // 8192 rows in all: what a busy outbox writes in a tenth of a second.
    static constexpr std::size_t recent_rows_max = 32;
    static constexpr std::size_t recent_value_bytes_max = 2048;

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(const Key& key) const { return key.hash; }
        std::size_t operator()(const Entry& entry) const { return entry.hash_; }
    };
    struct Equal {
        using is_transparent = void;
        bool operator()(const Entry& a, const Entry& b) const { return a.text_ == b.text_; }
        bool operator()(const Key& a, const Entry& b) const { return a.text == b.text_; }
    };
    struct Stripe {
        void settle(const Entry& entry, std::uint64_t ticket);
        void keep(const Entry& entry, Row& row);
        void forget(std::size_t place);

        std::mutex mutex;
        std::unordered_map<Entry, Row, Hash, Equal> rows;
        std::array<const Entry*, recent_rows_max> recent = {};
        std::size_t next_place = 0;
    };
    static std::uint8_t stripe_of(std::size_t hash) {
        return static_cast<std::uint8_t>(hash % stripe_count);
    }

    std::array<Stripe, stripe_count> stripes_;
};

}  // namespace mailroom::table
