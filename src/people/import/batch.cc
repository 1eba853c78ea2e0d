#include "people/import/batch.h"

#include "base/time_format.h"
#include "people/suppression_rows.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::size_t writes_max = 99;  // DynamoDB's limit is 100: one is the note.

// What one batch came to, as its note has it.
struct BatchNote {
    ImportCounts counts;
    std::vector<program::ImportError> failed;
    Time expires = {};

    static constexpr std::string_view record_name = "ImportBatchNote";
    static constexpr auto fields =
        std::tuple{table::part(&BatchNote::counts), table::stored("errors", &BatchNote::failed),
                   table::spelled<table::InSeconds>(table::stored("ttl", &BatchNote::expires))};
};

// At most so many rows are written for a person.
std::size_t writes_of(const ImportedPerson& person) {
    return 1 + person.tags.size() + (person.unsubscribed ? 2U : 0U) + (person.suppressed ? 3U : 0U);
}
bool fits_together(const ImportedPerson& person) {
    return person.tags.size() <= People::tags_at_once_max;
}

std::string source_of(const Import& import) { return "import:" + import.id; }

std::optional<std::vector<std::string>> more_tags(const std::vector<std::string>& tags,
                                                  const std::optional<Profile>& before) {
    auto all = before ? before->tags : std::vector<std::string>();
    const auto had = all.size();
    for (const auto& tag : tags) {
        if (std::ranges::find(all, tag) == all.end()) all.push_back(tag);
    }
    return all.size() > had ? std::optional(std::move(all)) : std::nullopt;
}

table::Item other_attributes(const table::Item& attributes, const Profile& before) {
    std::vector<table::Field> changed;
    for (const auto field : attributes.view()) {
        const auto is = before.attributes.find(field.name);
        if (!is || !(*is == field.value)) changed.push_back(field);
    }
    return table::Item::from_fields(std::move(changed));
}

// Somebody new who says nothing about mail, as a change would write them; most rows of most files
// are these.
void put_new(schedule::Transaction& transaction, const Books& books, const ImportedPerson& person,
             const Import& import) {
    const auto now = format_rfc3339(books.clock.now());
    const auto partition = partition_of_person(person.canonical);
    std::vector<std::pair<std::string_view, table::Value>> columns = {
        {"PK", partition},       {"SK", "PROFILE"},
        {"email", person.email}, {"firstName", person.first_name},
        {"unsubscribed", false}, {"suppressed", false},
        {"createdAt", now},      {"updatedAt", now},
        {"mailroomVersion", 1},  {"mailroomSource", source_of(import)}};
    if (!person.zone.empty()) columns.emplace_back("mailroomZone", person.zone);
    if (!person.language.empty()) columns.emplace_back("mailroomLanguage", person.language);
    if (!person.tags.empty()) {
        columns.emplace_back("tags", table::Value::list(std::vector<table::Value>(
                                         person.tags.begin(), person.tags.end())));
    }
    std::vector<table::Field> fields;
    for (const auto& [name, value] : columns) fields.push_back({name, value.view()});
    for (const auto field : person.attributes.view()) fields.push_back(field);
    transaction.put(books.tables.audience, table::Item::from_fields(std::move(fields)))
        .if_absent("PK");
    for (const auto& tag : person.tags) {
        transaction.put(books.tables.audience, {{"PK", partition_of_tag(tag)},
                                                {"SK", partition},
                                                {"email", person.canonical},
                                                {"taggedAt", now}});
    }
}

void say(std::optional<std::string>& to, const std::string& wanted, const std::string& is) {
    if (!wanted.empty() && wanted != is) to = wanted;
}

}  // namespace

std::string part_name(std::int64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "%08lld", static_cast<long long>(number));
    return text;
}

table::Item import_key(std::string_view id, std::string sort) {
    return {{"PK", "IMPORT#" + std::string(id)}, {"SK", std::move(sort)}};
}

Result<std::vector<ImportBatch>> batches_of(const Import& import, std::string_view part) {
    const auto rows = rows_of(import.layout, part, 1);
    std::vector<ImportBatch> batches;
    std::size_t writes = writes_max;
    ImportRow row;
    while (TRY(rows->next(row))) {
        if (!row.wrong.empty()) continue;
        const auto more = fits_together(row.person) ? writes_of(row.person) : writes_max;
        if (writes + more > writes_max) {
            batches.emplace_back().name = part_name(import.next_part) + "#" +
                                          part_name(static_cast<std::int64_t>(batches.size()));
            writes = 0;
        }
        writes += more;
        batches.back().people.push_back(std::move(row.person));
    }
    return batches;
}

std::optional<Change> change_of(const ImportedPerson& person, const std::optional<Profile>& before,
                                const Import& import) {
    Change change;
    const auto known = before.value_or(Profile());
    say(change.first_name, person.first_name, known.first_name);
    say(change.zone, person.zone, known.zone);
    say(change.language, person.language, known.language);
    change.attributes = before ? other_attributes(person.attributes, known) : person.attributes;
    change.tags = more_tags(person.tags, before);
    if (person.unsubscribed && !known.unsubscribed) change.unsubscribed = true;
    if (person.suppressed && !known.suppressed) change.suppressed = true;
    const bool says_something = change.first_name || change.zone || change.language ||
                                !change.attributes.empty() || change.tags || change.unsubscribed ||
                                change.suppressed;
    if (before && !says_something) return std::nullopt;
    if (!before) {
        change.given = person.email;
        change.source = source_of(import);
    }
    change.reason = "import";
    change.evidence = import.evidence;
    return change;
}

std::int64_t ImportCounts::*kind_of(const std::optional<Profile>& before,
                                    const std::optional<Change>& change, const Import& import) {
    if (!before || before->source == source_of(import)) return &ImportCounts::created;
    return change ? &ImportCounts::updated : &ImportCounts::unchanged;
}

Result<std::vector<Listed>> listed_among(const People& people,
                                         const std::vector<ImportedPerson>& wanted) {
    const auto& books = people.books();
    std::vector<table::Item> keys;
    std::map<std::string, std::size_t, std::less<>> places, hashed_places;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& canonical = wanted[i].canonical;
        if (!people.suppressions().rows().must_be_asked_for(canonical)) continue;
        auto hashed = hashed_address(canonical);
        keys.push_back(suppression_row_key(hashed, Extent::every()));
        keys.push_back(suppression_row_key(canonical, Extent::every()));
        keys.push_back(suppression_row_key(canonical, Stream::bulk));
        places.emplace(canonical, i);
        hashed_places.emplace(std::move(hashed), i);
    }
    std::vector<Listed> listed(wanted.size(), Listed::no);
    for (const auto& row :
         TRY(table::get_all(books.store, books.tables.suppressions, std::move(keys)))) {
        const auto address = row.text("Address").value_or("");
        const auto hashed = hashed_places.find(address);
        if (hashed != hashed_places.end()) {
            listed[hashed->second] = Listed::erased;
            continue;
        }
        auto& plain = listed[places.find(address)->second];
        if (plain == Listed::no) plain = Listed::yes;
    }
    return listed;
}

Result<std::vector<std::optional<Profile>>> profiles_of(const People& people,
                                                        const std::vector<ImportedPerson>& wanted) {
    std::vector<std::string> addresses;
    std::map<std::string, std::size_t, std::less<>> places;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        addresses.push_back(wanted[i].canonical);
        places.emplace(wanted[i].canonical, i);
    }
    std::vector<std::optional<Profile>> profiles(wanted.size());
    for (auto& profile : TRY(people.find_all(addresses))) {
        profiles[places.at(profile.canonical)] = std::move(profile);
    }
    return profiles;
}

Result<bool> BatchWriter::is_done(const Import& import, const ImportBatch& batch) const {
    const auto note =
        TRY(books_.get(books_.tables.people, import_key(import.id, "DONE#" + batch.name)));
    return note.has_value();
}

Result<> BatchWriter::write(const Import& import, const ImportBatch& batch) const {
    const auto written = settled(books_.store.pauses(race_pauses), [&]() -> Answer<> {
        if (TRY(is_done(import, batch))) return Ok{};
        if (!fits_together(batch.people.front())) return BadField{"tags", "are too many at once"};
        return write_together(import, batch);
    });
    if (written) return Ok{};
    // One of them cannot be stored; the others can.
    if (written.error().kind == Refusal::Kind::invalid) return write_one_by_one(import, batch);
    return written.error();
}

Answer<> BatchWriter::write_together(const Import& import, const ImportBatch& batch) const {
    const auto profiles = TRY(profiles_of(people_, batch.people));
    const auto listed = TRY(listed_among(people_, batch.people));
    schedule::Transaction transaction;
    ImportCounts counts;
    for (std::size_t i = 0; i < batch.people.size(); ++i) {
        if (listed[i] == Listed::erased && !profiles[i]) {
            ++counts.erased;
            continue;
        }
        const auto change = change_of(batch.people[i], profiles[i], import);
        ++(counts.*kind_of(profiles[i], change, import));
        const auto& person = batch.people[i];
        const bool is_new_and_silent =
            !profiles[i] && !person.unsubscribed && !person.suppressed && listed[i] == Listed::no;
        if (is_new_and_silent) put_new(transaction, books_, person, import);
        if (!change || is_new_and_silent) continue;
        TRY(people_.add_to(transaction, person.canonical, profiles[i], *change));
    }
    note(transaction, import, batch, counts, {});
    const auto committed = schedule_.commit(transaction);
    if (committed) return Ok{};
    const Error error = committed.error();
    if (error.code == Errc::conflict) return Refusal::lost_race();
    return Refusal(error);
}

Result<> BatchWriter::write_one_by_one(const Import& import, const ImportBatch& batch) const {
    const auto profiles = TRY(profiles_of(people_, batch.people));
    const auto listed = TRY(listed_among(people_, batch.people));
    ImportCounts counts;
    std::vector<program::ImportError> failed;
    for (std::size_t i = 0; i < batch.people.size(); ++i) {
        const auto& person = batch.people[i];
        if (listed[i] == Listed::erased && !profiles[i]) {
            ++counts.erased;
            continue;
        }
        const auto change = change_of(person, profiles[i], import);
        const auto kind = kind_of(profiles[i], change, import);
        if (change) {
            const auto changed = people_.change(person.canonical, *change);
            const bool is_wrong = !changed && changed.error().kind == Refusal::Kind::invalid;
            if (is_wrong) failed.push_back({0, person.canonical, changed.error().text()});
            if (is_wrong) ++counts.failed;
            if (is_wrong) continue;
            if (!changed) return changed.error();
        }
        ++(counts.*kind);
    }
    schedule::Transaction transaction;
    note(transaction, import, batch, counts, failed);
    const auto committed = schedule_.commit(transaction);
    if (committed || TRY(is_done(import, batch))) return Ok{};
    return committed.error();
}

void BatchWriter::note(schedule::Transaction& transaction, const Import& import,
                       const ImportBatch& batch, const ImportCounts& counts,
                       const std::vector<program::ImportError>& failed) const {
    auto row = table::to_item(BatchNote{counts, failed, import.file_expires()});
    const auto key = import_key(import.id, "DONE#" + batch.name);
    for (const auto field : key.view()) row.set(field.name, field.value);
    transaction.put(books_.tables.people, std::move(row)).if_absent("PK");
}

Result<PartNotes> notes_of(const Books& books, const Import& import, std::int64_t part) {
    PartNotes notes;
    const table::Query query = table::from(books.tables.people)
                                   .partition("PK", "IMPORT#" + import.id)
                                   .begins_with("SK", "DONE#" + part_name(part) + "#")
                                   .consistent();
    for (const auto& row : TRY(table::query_all(books.store, query))) {
        const auto note = TRY(table::from_item<BatchNote>(row));
        notes.counts.add(note.counts);
        notes.failed.insert(notes.failed.end(), note.failed.begin(), note.failed.end());
        notes.keys.push_back(import_key(import.id, std::string(row.text("SK").value_or(""))));
    }
    return notes;
}

}  // namespace mailroom::people
