// Who could not be reached, several mails in a row.
//
//   MailroomEngagement   SOFT#{shard}   {canonical address}
//                        Mails L of S (the last ones, the newest at the end: "-" or "+", and what
//                        the mail is known by)   Version N   ttl N (Unix seconds)
// A row is there only as long as one of those mails did not arrive. A relay takes a mail before the
// server behind it turns it away, so what is known of a mail last is what counts.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "people/address_filter.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

// The last mails to one person. A value.
class Streak {
public:
    explicit Streak(std::size_t mails_max) : mails_max_(mails_max) {}

    enum class Fate { delivered, turned_away };
    void note(std::string_view mail, Fate fate);
    // So many of the last mails as are kept did not arrive, and none did.
    bool is_full() const;
    // There is nothing to remember.
    bool is_clean() const;

    std::vector<std::string> mails;
    std::int64_t version = 0;  // 0: there is no row.

private:
    std::size_t mails_max_;
};

// Thread-safe.
class Streaks {
public:
    // Both must outlive this object; `table` is MailroomEngagement.
    Streaks(table::Store& store, const Clock& clock, std::string table, std::int64_t mails_max);

    static table::Item key_of(std::string_view canonical);

    // Reads whom it is about: at the start, and now and then if other nodes note some, too.
    Result<> refresh();
    // Quick: false if the address surely has no row that this node knows of.
    bool may_have(std::string_view canonical) const { return known_.may_have(canonical); }

    Result<Streak> find(std::string_view canonical) const;
    // On condition that it is as it was read.
    void save(schedule::Transaction& transaction, std::string_view canonical, const Streak& streak);
    // On the same condition: as if nothing had ever been sent to them.
    void forget(schedule::Transaction& transaction, std::string_view canonical,
                const Streak& streak) const;

private:
    table::Store& store_;
    const Clock& clock_;
    const std::string table_;
    const std::size_t mails_max_;
    people::AddressFilter known_;
};

}  // namespace mailroom::engagement
