// People as a program: their tables, their routes, and the list that all who send ask.
#pragma once

#include "people/books.h"
#include "people/people.h"
#include "people/settings.h"
#include "people/suppressions.h"
#include "program/program.h"

#include <optional>
#include <vector>

namespace mailroom::people {

// Thread-safe once it runs.
class Program final : public program::Program {
public:
    void add_settings(program::Settings& list) override;
    std::vector<table::OwnTable> tables() const override;
    Result<> open(const program::Ground& ground) override;
    void add_routes(program::Api& api) override;

    const Settings& settings() const { return settings_; }
    // From here on: when it is open.
    Books& books() { return *books_; }
    Suppressions& suppressions() { return *suppressions_; }
    People& people() { return *people_; }

private:
    Settings settings_;
    // Members stand in the order in which they are made, and each uses only those above it.
    std::optional<Books> books_;
    std::optional<Suppressions> suppressions_;
    std::optional<People> people_;
};

}  // namespace mailroom::people
