// What else is known of people, beside their profiles: each program that keeps something by the
// address of a person says so here, so that it is shown, goes along and goes with the person.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "json/writer.h"
#include "table/store.h"
#include "table/value.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// Addresses are canonical. Each is asked again after an interruption. Thread-safe.
class PersonalData {
public:
    virtual ~PersonalData() = default;
    // "events": a member of what a person is given.
    virtual std::string_view name() const = 0;
    // All that is known, as one value; without the addresses of others.
    virtual Result<> show(const std::string& person, json::Writer& writer) = 0;
    // Everything is the other's from now on, who may have something of their own.
    virtual Result<> move(const std::string& person, const std::string& to) = 0;
    virtual Result<> erase(const std::string& person) = 0;
    // The same of what is from then or before: what is newer belongs to whoever has the address
    // now. Whoever keeps no times erases all.
    virtual Result<> erase_until(const std::string& person, Time /*until*/) {
        return erase(person);
    }
};

// All of them. What is moved and erased is that of the last first: it may be found by rows of
// those before. Thread-safe once the last was added.
class PersonalParts {
public:
    void add(PersonalData& part) { all_.push_back(&part); }

    // Members of an object that is open.
    Result<> show(const std::string& person, json::Writer& writer) const;
    Result<> move(const std::string& person, const std::string& to) const;
    Result<> erase_until(const std::string& person, Time until) const;

private:
    std::vector<PersonalData*> all_;
};

// Whether a row with such a key is from then or before: "EVT#2026-01-15T10:00:00.000Z#open",
// "2026-01-15T10:00:00.000Z#1a2b". One without a time is.
bool is_until(std::string_view sort, Time until);

// Rows of one partition for each person: PK, with the address behind a prefix, and SK.
class PersonalRows final : public PersonalData {
public:
    // Both tables and names are literals or live as long. `is_meant` says by its sort key which
    // rows are a part of it; none: all.
    using IsMeant = std::function<bool(std::string_view sort)>;
    PersonalRows(table::Store& store, std::string name, std::string table, std::string prefix,
                 IsMeant is_meant = {});

    std::string_view name() const override { return name_; }
    Result<> show(const std::string& person, json::Writer& writer) override;
    // Rows under one name at both: the one that moves gets another name, by the person's.
    Result<> move(const std::string& person, const std::string& to) override;
    Result<> erase(const std::string& person) override;
    // By the times in their sort keys.
    Result<> erase_until(const std::string& person, Time until) override;

private:
    Result<std::vector<table::Item>> rows_of(const std::string& person) const;
    Result<> move_one(const table::Item& row, const std::string& person, const std::string& to);

    table::Store& store_;
    const std::string name_, table_, prefix_;
    const IsMeant is_meant_;
};

}  // namespace mailroom::people
