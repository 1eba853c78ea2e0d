#include "campaigns/program.h"

#include "campaigns/sequences/sequence_routes.h"

namespace mailroom::campaigns {

// Members stand in the order in which they are made, and each uses only those above it.
struct Program::Parts {
    Parts(const program::Ground& ground, people::Program& people)
        : books{ground.store,
                ground.schedule,
                ground.clock,
                ground.random,
                {.audience = people.settings().tables.audience}},
          sequences(books, people.segments()),
          simulation(sequences, people.books()) {}

    Books books;
    Sequences sequences;
    Simulation simulation;
};

Program::Program(people::Program& people, outbox::Program& outbox, engagement::Program& engagement)
    : people_(people), outbox_(outbox), engagement_(engagement) {}
Program::~Program() = default;

std::vector<table::OwnTable> Program::tables() const { return Books::declared({}); }

Result<> Program::open(const program::Ground& ground) {
    parts_ = std::make_unique<Parts>(ground, people_);
    return parts_->books.open();
}

void Program::add_routes(program::Api& api) {
    add_sequence_routes(api, parts_->sequences, parts_->simulation);
}

std::vector<program::Work> Program::jobs() { return {}; }

}  // namespace mailroom::campaigns
