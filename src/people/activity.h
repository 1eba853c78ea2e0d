// What people did with their mails, and what was done for them: the last times of each, and how
// often. Kept by whoever keeps the account of mails, in the transactions of its events; read by
// filters of segments ("opened in 30 days and not clicked").
//
//   MailroomPeople   ACTIVITY#{canonical address}   LAST
//                    openedAt N (ms)   openedCount N   and so for each deed that happened; once it
//                    happened again openedBefore B: of the times before the last one the latest,
//                    each 8 bytes (ms, big-endian), the oldest first
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "base/result.h"
#include "table/store.h"
#include "table/value.h"
#include "table/write_builder.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// The names are in rows and in filters. What a machine did (a scanner that follows links) is none.
enum class Deed { sent, delivered, opened, clicked, bounced, complained, replied };
constexpr auto names_of(Deed) {
    using enum Deed;
    return std::array{Name{sent, "sent"},       Name{delivered, "delivered"},
                      Name{opened, "opened"},   Name{clicked, "clicked"},
                      Name{bounced, "bounced"}, Name{complained, "complained"},
                      Name{replied, "replied"}};
}
constexpr std::size_t deed_count = all_names<Deed>.size();

struct Activity {
    // Of each deed, the last one with them: who asks how often it happened since some time asks for
    // no more.
    static constexpr std::size_t times_kept = 10;

    struct Done {
        Time last;
        std::int64_t count = 0;
        // The oldest first. Fewer than times_kept; none are known of what happened before they were
        // kept.
        std::vector<Time> before = {};

        // One more, in whatever order they come.
        void add(Time at);
        // How many of the times that are known are not earlier.
        std::int64_t since(Time first) const;
        bool operator==(const Done&) const = default;
    };
    std::array<std::optional<Done>, deed_count> done;

    const std::optional<Done>& of(Deed deed) const { return done[static_cast<std::size_t>(deed)]; }
    bool operator==(const Activity&) const = default;
};

// Of a row, whatever else it holds.
Activity activity_of(const table::ItemView& row);

// Thread-safe.
class Activities {
public:
    static constexpr std::string_view prefix = "ACTIVITY#", sort_key = "LAST";

    // `table` is MailroomPeople. The store must outlive this object.
    Activities(table::Store& store, std::string table);

    static std::string partition_of(std::string_view canonical);
    static table::Item key_of(std::string_view canonical);

    // One write: another time, on condition that nobody noted one of that deed in between;
    // then the whole transaction is a `conflict`, to be tried again. Each person once in a
    // transaction.
    Result<> add_to(table::write::Transaction& transaction, std::string_view canonical, Deed deed,
                    Time at) const;
    Result<Activity> of(std::string_view canonical) const;

private:
    Result<table::Item> row_of(std::string_view canonical) const;  // Empty: there is none.

    table::Store& store_;
    const std::string table_;
};

}  // namespace mailroom::people
