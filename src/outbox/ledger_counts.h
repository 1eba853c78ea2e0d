// The counts of ledger.h. For the ledger's own files.
//
//   MailroomOutboxCounts   Shard S ("0" to "7")   one N for each name of a state, and HELD
// Only the sums over all shards mean something.
#pragma once

#include "schedule/transaction.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// As many as nodes of a shared store are likely to write at the same moment; each read asks for
// all.
inline constexpr std::size_t count_shards = 8;

// What one step of a mail does to the counts.
class CountSteps {
public:
    struct Step {
        std::string_view name;
        int by;
    };
    // At most three. `name` must outlive this object.
    CountSteps& add(std::string_view name, int by) {
        steps_.at(size_++) = {name, by};
        return *this;
    }
    bool empty() const { return size_ == 0; }
    std::span<const Step> all() const { return std::span(steps_).first(size_); }

private:
    std::array<Step, 3> steps_{};
    std::size_t size_ = 0;
};

// One update of the shard of that mail, however many mails of the shard the transaction has.
void add_counts(schedule::Transaction& transaction, const std::string& table, std::string_view id,
                const CountSteps& steps);

std::string shard_name(std::size_t shard);

}  // namespace mailroom::outbox
