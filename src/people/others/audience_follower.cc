#include "people/others/audience_follower.h"

#include "base/log.h"
#include "people/canonical.h"
#include "people/change_writer.h"

#include <optional>
#include <set>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::string_view source_of_others = "audience", source_of_old_rows = "list";

std::string said_in(const table::Item& row, std::string_view name) {
    return std::string(row.text(name).value_or(""));
}

// Whether somebody wrote no into it, as a program does that takes a yes back.
bool says_no(const Profile& profile, std::string_view flag) {
    return profile.row.boolean(flag) == false;
}

}  // namespace

struct AudienceFollower::Seen {
    std::optional<Suppression> every, bulk;  // On the list, if only by the hash of the address.
    std::optional<Profile> profile;
    std::optional<table::Item> suppression;  // The row of that name.
    // Under another spelling of the address: such a program knows no canonical form.
    bool is_suppressed_elsewhere = false, is_unsubscribed_elsewhere = false;

    bool is_suppressed() const {
        return (profile && profile->suppressed) || suppression || is_suppressed_elsewhere;
    }
    bool is_unsubscribed() const {
        return (profile && profile->unsubscribed) || is_unsubscribed_elsewhere;
    }
};

// First the list, then the profile: what we write, we write to both at once, so a profile that
// disagrees with an earlier look at the list was changed by somebody else, or is changed by us, and
// then the change made of it here loses.
Result<AudienceFollower::Seen> AudienceFollower::see(const std::string& canonical,
                                                     const std::string& address) const {
    Seen seen;
    for (const auto& row : TRY(suppressions_.rows().of(canonical))) {
        auto listed = read_suppression(row);
        if (!listed) continue;
        if (listed->extent.is_every()) seen.every = *listed;
        if (listed->extent.stream() == Stream::bulk) seen.bulk = *listed;
    }
    const auto& audience = books_.tables.audience;
    seen.suppression = TRY(books_.get(audience, suppression_key(canonical)));
    seen.profile = TRY(find_profile(books_, canonical));
    if (address == canonical) return seen;
    const auto other = TRY(find_profile(books_, address));
    seen.is_suppressed_elsewhere = (other && other->suppressed) ||
                                   TRY(books_.get(audience, suppression_key(address))).has_value();
    seen.is_unsubscribed_elsewhere = other && other->unsubscribed;
    return seen;
}

// Whether there is something to be changed.
bool AudienceFollower::decide(const Seen& seen, Change& change) {
    const auto& profile = seen.profile;
    const bool is_ours = profile && profile->version > 0;
    const auto as_listed = [&](const Suppression& listed) {
        change.reason = listed.reason;
        if (listed.source.empty()) change.evidence.source = source_of_old_rows;
    };

    // Both at once: such programs take the row back first, and then the flag.
    if (seen.every && is_ours && says_no(*profile, "suppressed") && !seen.suppression &&
        !seen.every->source.empty()) {
        change.suppressed = false;
    } else if (seen.every && ((profile && !profile->suppressed) || seen.every->source.empty())) {
        change.suppressed = true;
        as_listed(*seen.every);
    } else if (!seen.every && seen.is_suppressed()) {
        change.suppressed = true;
        change.reason = seen.suppression ? said_in(*seen.suppression, "reason") : "";
        if (change.reason.empty()) change.reason = "said by another program";
    }
    change.has_suppression_row = seen.suppression.has_value();
    if (seen.bulk && is_ours && says_no(*profile, "unsubscribed") && !seen.bulk->source.empty()) {
        change.unsubscribed = false;
    } else if (seen.bulk && ((profile && !profile->unsubscribed) || seen.bulk->source.empty())) {
        change.unsubscribed = true;
        if (!change.suppressed) as_listed(*seen.bulk);
    } else if (!seen.bulk && seen.is_unsubscribed()) {
        change.unsubscribed = true;
    }
    return change.suppressed || change.unsubscribed;
}

Result<bool> AudienceFollower::follow(std::string_view address) const {
    // What no mail can go to needs no permission.
    const auto read = canonical_of(address);
    if (!read) return false;
    const std::string canonical = *read, spelled(address);
    suppressions_.note(canonical);
    bool had_to = false;
    const auto attempt = [&](schedule::Transaction& together) -> Result<> {
        const auto seen = TRY(see(canonical, spelled));
        Change change{.given = spelled, .evidence = {.source = std::string(source_of_others)}};
        if (!decide(seen, change)) return Ok{};
        had_to = true;
        return add_change(books_, suppressions_.rows(), together, canonical, seen.profile, change);
    };
    TRY(until_won(books_.store, attempt));
    return had_to;
}

template <class Visit>
Result<> AudienceFollower::each_row(const std::string& table, const Visit& visit) const {
    table::Scan scan;
    scan.table = table;
    scan.consistent = true;
    for (;;) {
        auto page = TRY(books_.store.scan(scan));
        for (const auto& row : page.items) TRY(visit(row));
        if (!page.last_key) return Ok{};
        scan.start_key = *std::move(page.last_key);
    }
}

template <class Visit>
Result<> AudienceFollower::each_refused(const Visit& visit) const {
    return each_row(books_.tables.audience, [&](const table::Item& row) -> Result<> {
        const auto address = person_of_partition(row.text("PK").value_or(""));
        if (!address) return Ok{};
        const bool is_profile = row.text("SK") == "PROFILE";
        const bool is_flag =
            is_profile && (is_set(row, "suppressed") || is_set(row, "unsubscribed"));
        if (!is_flag && row.text("SK") != "SUPPRESSION") return Ok{};
        return visit(std::string(*address));
    });
}

Result<> AudienceFollower::note_refused() const {
    return each_refused([this](const std::string& address) -> Result<> {
        if (const auto canonical = canonical_of(address)) suppressions_.note(*canonical);
        return Ok{};
    });
}

Result<std::size_t> AudienceFollower::look(const std::function<bool()>& stopping) const {
    std::size_t followed = 0;
    const auto one = [&](const std::string& address) -> Result<> {
        if (stopping()) return Ok{};
        const auto done = follow(address);
        // One row that cannot be written must not hide the others.
        if (!done) {
            log::warn("what another program wrote of a person cannot be taken up",
                      {{"reason", done.error().message}});
        } else if (*done) {
            ++followed;
        }
        return Ok{};
    };
    TRY(each_refused(one));
    // And those that are on the list: their profiles may not know it.
    TRY(each_row(books_.tables.suppressions, [&](const table::Item& row) -> Result<> {
        return one(std::string(row.text("Given").value_or(row.text("Address").value_or(""))));
    }));
    return followed;
}

}  // namespace mailroom::people
