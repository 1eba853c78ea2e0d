// How many mails of what were sent, arrived, were opened …, by day: kept, not counted.
//
//   MailroomEngagement   NUMBERS#{day}#{shard}   all#
//                                                template#{key}   sequence#{id}   domain#{name}
//                                                both#{digest of sequence and template}
//                        an N of each count, to be summed over the shards
// The day is that of the happening (UTC); a unique one is of the day on which it was the first.
// On disk: never change.
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "base/random.h"
#include "base/result.h"
#include "engagement/events/entry.h"
#include "engagement/numbers/figures.h"
#include "schedule/schedule.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

// Of which mails the numbers are: of all if nothing is said. Not of a domain and more.
struct NumbersOf {
    std::string template_key = {}, sequence_id = {}, domain = {};
};
// By what they can be told apart.
enum class NumbersBy { templates, sequences, domains };
constexpr auto names_of(NumbersBy) {
    using enum NumbersBy;
    return std::array{Name{templates, "templates"}, Name{sequences, "sequences"},
                      Name{domains, "domains"}};
}

struct DayFigures {
    std::string day;  // "2026-01-15"
    Figures figures;

    static constexpr std::string_view record_name = "EngagementOfDay";
    static constexpr auto fields = std::tuple{table::shown("day", &DayFigures::day, "UTC."),
                                              table::part(&DayFigures::figures)};
};
struct NamedFigures {
    std::string name;
    Figures figures;

    static constexpr std::string_view record_name = "EngagementOfOne";
    static constexpr auto fields = std::tuple{
        table::shown("name", &NamedFigures::name, "Of the template, sequence or domain."),
        table::part(&NamedFigures::figures)};
};

// Thread-safe.
class Numbers {
public:
    static constexpr std::size_t days_max = 366, named_days_max = 31;

    // All must outlive this object; `table` is MailroomEngagement.
    Numbers(table::Store& store, Random& random, schedule::Ownership ownership, std::string table);

    void add_to(schedule::Transaction& transaction, const Entry& entry,
                const std::vector<std::string_view>& counts) const;

    // Each day from the one of `from` to that of `to`, at most days_max of them.
    Result<std::vector<DayFigures>> by_day(const NumbersOf& of, Time from, Time to) const;
    // Those of which something happened on one of these days, at most named_days_max; those of
    // which most was sent first.
    Result<std::vector<NamedFigures>> by_name(NumbersBy by, Time from, Time to) const;

private:
    std::uint64_t shard() const;

    table::Store& store_;
    Random& random_;
    const schedule::Ownership ownership_;
    const std::string table_;
};

}  // namespace mailroom::engagement
