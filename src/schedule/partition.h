// What a crew knows of one partition, so that it looks where and when something may be due, and not
// again at rows it has seen.
#pragma once

#include "base/clock.h"
#include "schedule/places.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::schedule {

// A look is: begin(), a query of the rows from `Look::from` to those due at `Look::now`, and one of
// the ends. What is told between begin() and the end is not forgotten, although the query may have
// been too early to see it. Not thread-safe.
class Partition {
public:
    struct Look {
        std::string from;
        Time now;
    };

    // No row that is worth looking at is due before this.
    Time next() const { return next_; }

    // There is, or may be, a row at this place that must be looked at (again).
    void expect(std::string_view place, Time now);
    // The row at this place, which is due, has been seen without a look. Not while a look goes on,
    // and not if others add rows.
    void seen(std::string_view place, Time now);
    // Others may have added rows.
    void poll(Time now) { next_ = std::min(next_, now); }
    // Others may have added rows before those already seen.
    void start_over();

    Look begin(Time now);
    // The query ended with the row at `last`; there may be more after it.
    void end_with_more(std::string_view last);
    // The query saw all that is due. `last` is its last row; with `sole` nobody else adds rows, so
    // the next look need not step over what it saw. False if it is not known when the next row is
    // due: then the look goes on with a query of the first row after those, and end_at().
    bool end_with_all(const Look& look, std::optional<std::string_view> last, bool sole);
    void end_at(std::optional<Time> first_later);
    // The query failed: the same again at `retry`.
    void end_with_failure(Time retry);

private:
    void seen_before(std::string place);

    std::string from_{first_place};
    Time next_ = Time::min();
    // While a look goes on: the first place that was told.
    std::optional<std::string> told_;
    // The first row due after the last look, as far as rows were told or read. Its lower bound, if
    // `later_known_`.
    Time later_ = Time::max();
    bool later_known_ = false;
    // The latest due time among those told when they were due.
    Time told_to_ = Time::min();
    bool failed_ = false;  // The last look: what it did not see is still to be seen.
};

}  // namespace mailroom::schedule
