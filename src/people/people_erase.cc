// How somebody is forgotten.
//
// First, in one transaction, the person: profile, tags, what refused them; from then on the hash of
// the address refuses. Then all else that has their name, until nothing is found any more; a job
// sees that through after a crash. It looks once more when all is done, for what other programs
// were just about to write, unless there is somebody new by then.
#include "base/time_format.h"
#include "people/activity.h"
#include "people/canonical.h"
#include "people/change_writer.h"
#include "people/lifecycle/export.h"
#include "people/people.h"
#include "program/commit.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::string_view execution_prefix = "EXEC#";

}  // namespace

Answer<People::Erasure> People::erase_profile(const std::string& canonical,
                                              const Evidence& evidence) const {
    const auto now = books_.clock.now();
    const auto before = TRY(find_profile(books_, canonical));
    const auto& audience = books_.tables.audience;
    schedule::Transaction together;
    if (before) {
        auto& profile = together.erase(audience, profile_key(canonical)).if_present("PK");
        const auto rest_on = [&](std::string_view column) {
            const auto value = before->row.find(column);
            if (value) profile.when(column, table::Value(*value));
            if (!value) profile.if_absent(column);
        };
        rest_on("mailroomVersion");
        rest_on("tags");
        for (const auto& tag : before->tags) together.erase(audience, tag_key(tag, canonical));
    } else {
        together.check(audience, profile_key(canonical)).if_absent("PK");
    }
    together.erase(audience, suppression_key(canonical));
    for (const auto& row : TRY(suppressions_.rows().of(canonical))) {
        if (row.text("Address") != canonical) continue;
        together.erase(books_.tables.suppressions,
                       {{"Address", canonical}, {"Stream", *row.text("Stream")}});
    }
    suppressions_.rows().put_hashed(together, canonical,
                                    {.address = {},
                                     .extent = Extent::every(),
                                     .reason = "erased",
                                     .source = evidence.source,
                                     .at = now});
    auto job = see_through(together, canonical, "erase");
    TRY(program::commit(schedule_, together));
    return Erasure{std::move(job), now};
}

// Rows of a sequence stand under both names.
Result<> People::erase_audience(const std::string& canonical, Time until) const {
    const auto partition = partition_of_person(canonical);
    const auto& audience = books_.tables.audience;
    const auto rows = TRY(table::query_all(books_.store, table::from(audience)
                                                             .partition("PK", partition)
                                                             .only({"PK", "SK", "startedAt"})
                                                             .consistent()));
    const bool is_somebody_new =
        std::ranges::any_of(rows, [](const auto& row) { return row.text("SK") == "PROFILE"; });
    std::vector<table::Item> keys;
    for (const auto& row : rows) {
        const auto sort = std::string(row.text("SK").value_or(""));
        // Both are of somebody new: those of who is forgotten went together.
        if (sort == "PROFILE" || (is_somebody_new && sort == "SUPPRESSION")) continue;
        const auto started = parse_rfc3339(row.text("startedAt").value_or(""));
        if (!is_until(sort, until) || (started && *started > until)) continue;
        keys.push_back({{"PK", partition}, {"SK", sort}});
        if (sort.starts_with(execution_prefix)) keys.push_back({{"PK", sort}, {"SK", partition}});
    }
    return table::erase_all(books_.store, audience, std::move(keys));
}

// What programs keep first: they may find it by the rows of Audience. As long as nobody new has the
// address all goes, whatever time another program's clock gave it.
Result<> People::erase_rest(const std::string& canonical, Time until) const {
    if (!TRY(find_profile(books_, canonical))) until = Time::max();
    TRY(books_.parts.erase_until(canonical, until));
    TRY(erase_audience(canonical, until));
    const auto& people = books_.tables.people;
    for (const auto& own :
         {ConsentTrail::partition_of(canonical), Activities::partition_of(canonical)}) {
        std::vector<table::Item> rows;
        for (const auto& row : TRY(table::query_all(
                 books_.store,
                 table::from(people).partition("PK", own).only({"PK", "SK"}).consistent()))) {
            if (!is_until(*row.text("SK"), until)) continue;
            rows.push_back({{"PK", own}, {"SK", *row.text("SK")}});
        }
        TRY(table::erase_all(books_.store, people, std::move(rows)));
    }
    return Ok{};
}

Answer<> People::erase(std::string_view email, const Evidence& evidence) const {
    const auto known = TRY(canonical_of(email));
    auto person = TRY(find_profile(books_, known));
    const auto listed = TRY(suppressions_.rows().of(known));
    const auto rows =
        TRY(table::query_all(books_.store, table::from(books_.tables.audience)
                                               .partition("PK", partition_of_person(known))
                                               .limit(1)
                                               .consistent()));
    const bool is_listed =
        std::ranges::any_of(listed, [&](const auto& row) { return row.text("Address") == known; });
    const bool is_known = person || !rows.empty() || is_listed;
    if (!is_known && !TRY(is_known_to(books_.parts, known))) {
        return Refusal(Refusal::Kind::not_found, "person_not_found",
                       "there is nobody of the address " + known);
    }
    // Those that do not fit into the one transaction go before.
    if (person && (person->tags.size() > tags_at_once_max || person->tags_to_come)) {
        Change untagged;
        untagged.tags.emplace();
        TRY(change_known(known, untagged));
    }
    const auto forget = [&] { return erase_profile(known, evidence); };
    const auto erasure = TRY(settled(books_.store.pauses(race_pauses), forget));
    TRY(erase_rest(known, erasure.at));
    only_late_rows(known, erasure.job);
    return Ok{};
}

// If that cannot be written, or the job runs already, it does all once more.
void People::only_late_rows(const std::string& canonical, const schedule::Position& job) const {
    schedule::Transaction together;
    schedule_.cancel(together, job);
    see_through(together, canonical, "late");
    static_cast<void>(schedule_.commit(together));
}

// What somebody new has is theirs.
Result<> People::erase_late(const std::string& canonical) const {
    const auto now = books_.clock.now();
    if (TRY(find_profile(books_, canonical))) return Ok{};
    return erase_rest(canonical, now);
}

void People::run(schedule::Job& job) const {
    const auto key = std::string(job.key());
    const auto first = key.find(' '), last = key.rfind(' ');
    const auto canonical = first < last ? key.substr(first + 1, last - first - 1) : std::string();
    const auto at = job.data().integer("at");
    const auto until = at ? from_unix_ms(*at) : books_.clock.now();
    const bool is_done = key.starts_with("erase ")  ? bool(erase_rest(canonical, until))
                         : key.starts_with("late ") ? bool(erase_late(canonical))
                                                    : bool(finish_tagging(canonical));
    if (!is_done) return;  // It is found again after a pause.
    schedule::Transaction together;
    job.finish(together);
    if (!schedule_.commit(together)) return;
}

}  // namespace mailroom::people
