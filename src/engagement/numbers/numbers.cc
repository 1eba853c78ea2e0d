#include "engagement/numbers/numbers.h"

#include "base/days.h"
#include "engagement/events/facts.h"
#include "engagement/events/rows.h"

#include <utility>

namespace mailroom::engagement {

namespace {

// Where transactions at the same row meet, those of a busy day need not wait for each other. On
// disk: there may come to be more, never fewer.
constexpr std::uint64_t shards = 8;

table::Item key_of(std::string_view day, std::uint64_t shard, std::string_view of) {
    return rows::key("NUMBERS#" + std::string(day) + "#" + std::to_string(shard), of);
}

}  // namespace

Numbers::Numbers(table::Store& store, Random& random, schedule::Ownership ownership,
                 std::string table)
    : store_(store), random_(random), ownership_(ownership), table_(std::move(table)) {}

// A store of our own adds up what meets.
std::uint64_t Numbers::shard() const {
    return ownership_ == schedule::Ownership::sole ? 0 : random_up_to(random_, shards - 1);
}

void Numbers::add_to(schedule::Transaction& transaction, const Entry& entry,
                     const std::vector<std::string_view>& counts) const {
    const auto& happening = entry.happening;
    std::vector<std::string> of = {"all#"};
    if (!happening.template_key.empty()) of.push_back("template#" + happening.template_key);
    if (!happening.sequence_id.empty()) of.push_back("sequence#" + happening.sequence_id);
    if (!happening.template_key.empty() && !happening.sequence_id.empty()) {
        of.push_back("both#" +
                     rows::digest_of(happening.sequence_id + "\n" + happening.template_key));
    }
    of.push_back("domain#" + domain_of(entry.email));
    const auto day = format_day(happening.at);
    const auto part = shard();
    for (const auto& name : of) {
        for (const auto what : counts) transaction.add(table_, key_of(day, part, name), what, 1);
    }
}

}  // namespace mailroom::engagement
