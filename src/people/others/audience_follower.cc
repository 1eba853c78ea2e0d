#include "people/others/audience_follower.h"

#include "base/log.h"
#include "net/sigv4.h"
#include "people/canonical.h"
#include "people/change_writer.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::string_view source_of_others = "audience", source_of_old_rows = "list";
constexpr int looks_max = 10;

std::string said_in(const table::Item& row, std::string_view name) {
    return std::string(row.text(name).value_or(""));
}

// Whether somebody wrote no into it, as a program does that takes a yes back.
bool says_no(const Profile& profile, std::string_view flag) {
    return profile.row.boolean(flag) == false;
}

// Whether a row that says yes was written by somebody who had seen the no: a profile that was read
// before it, and put back as a whole, lacks its mark. A no of earlier versions has none: then the
// row must have been changed later.
bool knows_of(const Profile& profile, const Suppression& no) {
    if (!no.mark.empty()) return profile.row.text(mark_column) == no.mark;
    return profile.updated && *profile.updated > no.at;
}

}  // namespace

struct AudienceFollower::Seen {
    std::optional<Suppression> every, bulk;  // On the list, if only by the hash of the address.
    std::map<std::string, Suppression> topics;
    std::optional<Profile> profile;
    std::optional<table::Item> suppression;  // The row of that name.
    // Under another spelling of the address: such a program knows no canonical form.
    bool is_suppressed_elsewhere = false, is_unsubscribed_elsewhere = false;
    std::string heard;  // Of what is said there: see profile.h.

    bool is_suppressed() const {
        return (profile && profile->suppressed) || suppression || is_suppressed_elsewhere;
    }
    bool is_unsubscribed() const {
        return (profile && profile->unsubscribed) || is_unsubscribed_elsewhere;
    }
};

// What we write, we write to list and profile at once and with a new version: with the same one
// before the list was read and after it, what disagrees was written by somebody else.
Result<AudienceFollower::Seen> AudienceFollower::see(const std::string& canonical,
                                                     const std::string& address) const {
    const auto version_of = [](const std::optional<Profile>& profile) {
        return profile ? profile->version : -1;
    };
    for (int i = 0; i < looks_max; ++i) {
        const auto before = version_of(TRY(find_profile(books_, canonical)));
        auto seen = TRY(look_once(canonical, address));
        if (version_of(seen.profile) == before) return seen;
    }
    return Error{Errc::throttled, "the profile of somebody changes all the time"};
}

Result<AudienceFollower::Seen> AudienceFollower::look_once(const std::string& canonical,
                                                           const std::string& address) const {
    Seen seen;
    for (const auto& row : TRY(suppressions_.rows().of(canonical))) {
        auto listed = read_suppression(row);
        if (!listed) continue;
        // What stands under the address itself comes first.
        if (listed->extent.is_every() && !seen.every) seen.every = *listed;
        if (listed->extent.stream() == Stream::bulk && !seen.bulk) seen.bulk = *listed;
        if (const auto topic = listed->extent.topic()) seen.topics[std::string(*topic)] = *listed;
    }
    const auto& audience = books_.tables.audience;
    seen.suppression = TRY(books_.get(audience, suppression_key(canonical)));
    seen.profile = TRY(find_profile(books_, canonical));
    if (address == canonical) return seen;
    TRY(look_elsewhere(seen, address));
    return seen;
}

// What stands there is heard once: who is asked again here has the last word.
Result<> AudienceFollower::look_elsewhere(Seen& seen, const std::string& address) const {
    const auto other = TRY(find_profile(books_, address));
    const auto row = TRY(books_.get(books_.tables.audience, suppression_key(address)));
    const bool is_suppressed = (other && other->suppressed) || row;
    const bool is_unsubscribed = other && other->unsubscribed;
    if (!is_suppressed && !is_unsubscribed) return Ok{};
    const auto said_at = [](const auto& item, std::string_view name) {
        return item ? said_in(*item, name) : "";
    };
    const auto updated = other ? said_in(other->row, "updatedAt") : "";
    seen.heard = net::sha256_hex(address + " " + updated + " " + said_at(row, "recordedAt") +
                                 (is_suppressed ? " s" : "") + (is_unsubscribed ? " u" : ""));
    if (seen.profile && seen.profile->row.text(heard_column) == seen.heard) return Ok{};
    seen.is_suppressed_elsewhere = is_suppressed;
    seen.is_unsubscribed_elsewhere = is_unsubscribed;
    return Ok{};
}

// Topics are a column of ours, which other programs have no word for: where it says no that holds,
// and where it has lost one, by a profile that was written as it once was, that is put right.
void AudienceFollower::decide_topics(const Seen& seen, Change& change) {
    if (!seen.profile) return;
    const auto& said = seen.profile->topics;
    for (const auto& [id, state] : said) {
        if (state != TopicState::in && !seen.topics.contains(id)) change.topics[id] = state;
    }
    for (const auto& [id, listed] : seen.topics) {
        const auto found = said.find(id);
        if (found != said.end() && found->second != TopicState::in) continue;
        change.topics[id] = TopicState::out;
        if (!change.suppressed && !change.unsubscribed) change.reason = listed.reason;
    }
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
    if (seen.bulk && is_ours && says_no(*profile, "unsubscribed") && !seen.bulk->source.empty() &&
        knows_of(*profile, *seen.bulk)) {
        change.unsubscribed = false;
    } else if (seen.bulk && ((profile && !profile->unsubscribed) || seen.bulk->source.empty())) {
        change.unsubscribed = true;
        if (!change.suppressed) as_listed(*seen.bulk);
    } else if (!seen.bulk && seen.is_unsubscribed()) {
        change.unsubscribed = true;
    }
    if (seen.is_suppressed_elsewhere || seen.is_unsubscribed_elsewhere) change.heard = seen.heard;
    decide_topics(seen, change);
    return change.suppressed || change.unsubscribed || !change.topics.empty();
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
        Change change{.given = spelled,
                      .as_read = true,
                      .evidence = {.source = std::string(source_of_others)}};
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
        const bool is_flag = is_profile && (is_set(row, "suppressed") ||
                                            is_set(row, "unsubscribed") || refuses_any_topic(row));
        if (!is_flag && row.text("SK") != "SUPPRESSION") return Ok{};
        return visit(std::string(*address));
    });
}

Result<> AudienceFollower::note_refused() const {
    return each_refused([this](const std::string& address) -> Result<> {
        if (const auto canonical = canonical_of(address)) suppressions_.note(*canonical, address);
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
