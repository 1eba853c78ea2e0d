// What else is known of people, beside their profiles: each program that keeps something by the
// address of a person says so here, so that it is shown, goes along and goes with the person.
#pragma once

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
};

// All of them. Thread-safe once the last was added.
class PersonalParts {
public:
    void add(PersonalData& part) { all_.push_back(&part); }

    // Members of an object that is open.
    Result<> show(const std::string& person, json::Writer& writer) const;
    Result<> move(const std::string& person, const std::string& to) const;
    Result<> erase(const std::string& person) const;

private:
    std::vector<PersonalData*> all_;
};

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

private:
    Result<std::vector<table::Item>> rows_of(const std::string& person) const;
    Result<> move_one(const table::Item& row, const std::string& person, const std::string& to);

    table::Store& store_;
    const std::string name_, table_, prefix_;
    const IsMeant is_meant_;
};

}  // namespace mailroom::people
