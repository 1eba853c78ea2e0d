#include "people/program.h"

#include "people/suppression_routes.h"

namespace mailroom::people {

void Program::add_settings(program::Settings& list) { people::add_settings(list, settings_); }

std::vector<table::OwnTable> Program::tables() const { return Books::declared(settings_.tables); }

Result<> Program::open(const program::Ground& ground) {
    books_.emplace(ground.store, ground.clock, ground.random, settings_.tables);
    TRY(books_->open());
    // The table is hidden from those who come by the DynamoDB endpoint.
    using Writers = Suppressions::Writers;
    const auto writers =
        ground.ownership == schedule::Ownership::shared ? Writers::others_too : Writers::only_this;
    suppressions_.emplace(TRY(
        Suppressions::open(ground.store, ground.clock, writers, settings_.tables.suppressions)));
    people_.emplace(*books_, *suppressions_, ground.schedule);
    return Ok{};
}

void Program::add_routes(program::Api& api) { add_suppression_routes(api, *suppressions_); }

}  // namespace mailroom::people
