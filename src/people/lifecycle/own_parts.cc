#include "people/lifecycle/own_parts.h"

#include "base/time_format.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/write_builder.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mailroom::people {

namespace {

constexpr const char* activity_prefix = "ACTIVITY#";
constexpr const char* person_prefix = "SUB#";

bool is_of_sequence(std::string_view sort) { return sort.starts_with("EXEC#"); }

// Counts are added up; of times the later one counts.
table::Item sum_of(const table::Item& a, const table::Item& b) {
    auto sum = a;
    for (const auto field : b.view()) {
        const auto mine = a.integer(field.name), other = b.integer(field.name);
        if (!other) continue;
        const bool is_count = field.name.ends_with("Count");
        const auto both = is_count ? mine.value_or(0) + *other : std::max(mine.value_or(0), *other);
        sum.set(field.name, table::Value(both));
    }
    return sum;
}

}  // namespace

Result<> PendingParts::show(const std::string& person, json::Writer& writer) {
    writer.open_list();
    for (const auto& pending : TRY(confirmations_.of(person))) table::write_json(writer, pending);
    writer.close_list();
    return Ok{};
}

Result<> PendingParts::move(const std::string& person, const std::string&) { return erase(person); }

Result<> PendingParts::erase(const std::string& person) { return erase_until(person, Time::max()); }

Result<> PendingParts::erase_until(const std::string& person, Time until) {
    return table::erase_all(books_.store, books_.tables.people,
                            TRY(confirmations_.keys_of(person, until)));
}

ActivityParts::ActivityParts(const Books& books)
    : books_(books), rows_(books.store, "activity", books.tables.people, activity_prefix) {}

Result<> ActivityParts::move(const std::string& person, const std::string& to) {
    const auto& table = books_.tables.people;
    const auto key_of = [](const std::string& who) {
        return table::Item{{"PK", activity_prefix + who}, {"SK", "LAST"}};
    };
    auto pauses = books_.store.pauses();
    do {
        const auto mine = TRY(books_.get(table, key_of(person)));
        if (!mine) return rows_.move(person, to);
        const auto other = TRY(books_.get(table, key_of(to)));
        // Added up where nobody adds at that moment: as both were read.
        table::write::Transaction together;
        auto& gone = together.erase(table, key_of(person));
        for (const auto field : mine->view()) gone.when(field.name, table::Value(field.value));
        auto sum = other ? sum_of(*other, *mine) : *mine;
        sum.set("PK", table::Value(activity_prefix + to));
        auto& put = together.put(table, std::move(sum));
        if (!other) put.if_absent("PK");
        if (other) {
            for (const auto field : other->view()) put.when(field.name, table::Value(field.value));
        }
        const auto done = books_.store.transact(together);
        if (done) return rows_.move(person, to);
        const Error error = done.error();
        if (error.code != Errc::conflict) return error;
    } while (pauses.again());
    return Error{Errc::throttled, "what a person does with mails changes all the time"};
}

SequenceParts::SequenceParts(const Books& books)
    : books_(books),
      rows_(books.store, "sequences", books.tables.audience, person_prefix, is_of_sequence) {}

// Which person started until then.
Result<std::vector<std::string>> SequenceParts::names_of(const std::string& person,
                                                         Time until) const {
    std::vector<std::string> names;
    const table::Query query = table::from(books_.tables.audience)
                                   .partition("PK", partition_of_person(person))
                                   .begins_with("SK", "EXEC#")
                                   .consistent();
    for (const auto& row : TRY(table::query_all(books_.store, query))) {
        const auto started = parse_rfc3339(row.text("startedAt").value_or(""));
        if (started && *started > until) continue;
        names.emplace_back(row.text("SK").value_or(""));
    }
    return names;
}

// One sequence has a person once: who is in it under both addresses stays as the other one.
Result<> SequenceParts::move(const std::string& person, const std::string& to) {
    const auto& table = books_.tables.audience;
    for (const auto& name : TRY(names_of(person))) {
        const table::Item mine{{"PK", partition_of_person(person)}, {"SK", name}};
        const table::Item partner{{"PK", name}, {"SK", partition_of_person(person)}};
        const table::Item there{{"PK", partition_of_person(to)}, {"SK", name}};
        table::write::Transaction together;
        together.erase(table, mine);
        together.erase(table, partner);
        if (!TRY(books_.get(table, there))) {
            auto row = TRY(books_.get(table, mine)), other = TRY(books_.get(table, partner));
            if (row) together.put(table, row->set("PK", table::Value(partition_of_person(to))));
            if (other) {
                other->set("SK", table::Value(partition_of_person(to)));
                together.put(table, other->set("email", table::Value(to)));
            }
        }
        TRY(books_.store.transact(together));
    }
    return Ok{};
}

Result<> SequenceParts::erase(const std::string& person) {
    return erase_until(person, Time::max());
}

Result<> SequenceParts::erase_until(const std::string& person, Time until) {
    std::vector<table::Item> keys;
    for (const auto& name : TRY(names_of(person, until))) {
        keys.push_back({{"PK", name}, {"SK", partition_of_person(person)}});
        keys.push_back({{"PK", partition_of_person(person)}, {"SK", name}});
    }
    return table::erase_all(books_.store, books_.tables.audience, std::move(keys));
}

}  // namespace mailroom::people
