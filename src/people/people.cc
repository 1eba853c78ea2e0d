#include "people/people.h"

#include "base/hex.h"
#include "people/canonical.h"
#include "people/change_writer.h"
#include "people/checks.h"
#include "people/tag_steps.h"
#include "program/commit.h"
#include "table/records/many.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::size_t tail_bytes = 4;  // Of keys: the same may be begun twice at one time.
// Whoever asked sees it through; this is for when they could not.
constexpr auto unfinished_after = std::chrono::seconds(30);

Answer<std::string> address_of(std::string_view email) {
    auto canonical = canonical_of(email);
    if (canonical) return *std::move(canonical);
    return Refusal::bad_field("email", "is no e-mail address: " + canonical.error().message);
}

Refusal nobody(std::string_view canonical) {
    return {Refusal::Kind::not_found, "person_not_found",
            "there is nobody of the address " + std::string(canonical)};
}

Answer<> check(const Change& change) {
    table::Reading reading;
    check_change(change, reading);
    if (reading.is_good()) return Ok{};
    return Refusal(reading.take());
}

}  // namespace

People::People(Suppressions& suppressions, schedule::Schedule& schedule)
    : suppressions_(suppressions), books_(suppressions.books()), schedule_(schedule) {}

Result<std::optional<Profile>> People::find(std::string_view email) const {
    return find_profile(books_, TRY(canonical_of(email)));
}

Answer<Profile> People::require(std::string_view email) const {
    const auto canonical = TRY(address_of(email));
    auto found = TRY(find_profile(books_, canonical));
    if (!found) return nobody(canonical);
    return *std::move(found);
}

Result<std::vector<Profile>> People::find_all(const std::vector<std::string>& canonical) const {
    std::vector<table::Item> keys;
    for (const auto& address : canonical) keys.push_back(profile_key(address));
    std::vector<Profile> found;
    for (const auto& row :
         TRY(table::get_all(books_.store, books_.tables.audience, std::move(keys)))) {
        found.push_back(TRY(read_profile(row)));
    }
    return found;
}

Result<> People::add_to(schedule::Transaction& transaction, std::string_view canonical,
                        const std::optional<Profile>& before, const Change& change) const {
    if (change.tags && tag_steps(before, *change.tags) > tags_at_once_max) {
        return Error{Errc::invalid, "more tags change at once than one transaction holds"};
    }
    return add_change(books_, suppressions_.rows(), transaction, canonical, before, change);
}

schedule::Position People::see_through(schedule::Transaction& transaction,
                                       const std::string& canonical, std::string_view what) const {
    return schedule_.add(transaction, {.queue = std::string(people_queue),
                                       .key = std::string(what) + " " + canonical + " " +
                                              hex_encode(random_bytes(books_.random, tail_bytes)),
                                       .due = books_.clock.now() + unfinished_after,
                                       .data = {{"at", to_unix_ms(books_.clock.now())}}});
}

Answer<> People::attempt(const std::string& canonical, const Change& wanted,
                         const std::optional<Profile>& before) const {
    schedule::Transaction together;
    auto change = wanted;
    if (change.tags && tag_steps(before, *change.tags) > tags_at_once_max) {
        change.tags_to_come =
            std::exchange(change.tags, first_tag_steps(before, *wanted.tags, tags_at_once_max));
        see_through(together, canonical, "tags");
    }
    TRY(add_change(books_, suppressions_.rows(), together, canonical, before, change));
    return program::commit(schedule_, together);
}

Answer<bool> People::go_on_tagging(const std::string& canonical) const {
    const auto before = TRY(find_profile(books_, canonical));
    if (!before || !before->tags_to_come) return true;
    Change change;
    change.tags = first_tag_steps(before, *before->tags_to_come, tags_at_once_max);
    change.tags_have_come = change.tags == before->tags_to_come;
    TRY(attempt(canonical, change, before));
    return change.tags_have_come;
}

Answer<> People::finish_tagging(const std::string& canonical) const {
    for (bool is_done = false; !is_done;) {
        const auto step = [&] { return go_on_tagging(canonical); };
        is_done = TRY(settled(books_.store.pauses(race_pauses), step));
    }
    return Ok{};
}

Answer<Profile> People::settle(std::string_view email, const Made& make) const {
    const auto canonical = TRY(address_of(email));
    const auto once = [&]() -> Answer<> {
        auto before = TRY(find_profile(books_, canonical));
        auto wanted = TRY(make(before));
        if (wanted.tags && before && before->tags_to_come) {
            TRY(finish_tagging(canonical));
            before = TRY(find_profile(books_, canonical));
            wanted = TRY(make(before));
        }
        if (wanted.tags) wanted.tags = each_once(*std::move(wanted.tags));
        TRY(check(wanted));
        return attempt(canonical, wanted, before);
    };
    TRY(settled(books_.store.pauses(race_pauses), once));
    TRY(finish_tagging(canonical));
    return require(canonical);
}

Answer<Profile> People::change(std::string_view email, const Change& change) const {
    return settle(email, [&](const std::optional<Profile>&) -> Answer<Change> { return change; });
}

Answer<Profile> People::change_known(std::string_view email, const Change& change) const {
    return settle(email, [&](const std::optional<Profile>& before) -> Answer<Change> {
        if (!before) return nobody(email);
        return change;
    });
}

Answer<Profile> People::tag(std::string_view email, std::string_view tag) const {
    return settle(email, [&](const std::optional<Profile>& before) -> Answer<Change> {
        if (!before) return nobody(email);
        Change change;
        change.tags = before->tags;
        change.tags->emplace_back(tag);
        change.sure_tag = tag;
        return change;
    });
}

Answer<Profile> People::untag(std::string_view email, std::string_view tag) const {
    return settle(email, [&](const std::optional<Profile>& before) -> Answer<Change> {
        if (!before) return nobody(email);
        Change change;
        change.tags = before->tags;
        std::erase(*change.tags, tag);
        change.sure_tag = tag;
        return change;
    });
}

}  // namespace mailroom::people
