#include "campaigns/program.h"

#include "campaigns/sequences/execution_parts.h"
#include "campaigns/sequences/execution_routes.h"
#include "campaigns/sequences/letter_mails.h"
#include "campaigns/sequences/runner.h"
#include "campaigns/sequences/sequence_routes.h"
#include "campaigns/templates/press.h"
#include "campaigns/templates/proofs.h"
#include "campaigns/templates/template_routes.h"
#include "campaigns/templates/templates.h"

#include <string>
#include <string_view>

namespace mailroom::campaigns {

// Members stand in the order in which they are made, and each uses only those above it.
struct Program::Parts {
    Parts(const program::Ground& ground, people::Program& people, outbox::Program& outbox,
          engagement::Program& engagement)
        : books{ground.store,
                ground.schedule,
                ground.clock,
                ground.random,
                {.audience = people.settings().tables.audience}},
          sequences(books, people.segments()),
          simulation(sequences, people.books()),
          templates(books),
          press(templates, ground.clock),
          proofs({templates, press, people.people(), engagement.tailor(), ground.clock,
                  engagement.links().has_base(),
                  [&outbox](std::string_view domain) {
                      return outbox.signatures().signs_for(domain);
                  }}),
          executions(books, sequences, people.people()),
          execution_parts(books, executions),
          letter_mails(templates, press, outbox.outbox(), engagement.links().has_base()),
          runner(books, sequences, executions, people.people(), letter_mails) {
        people.people().keep(execution_parts);
    }

    Books books;
    Sequences sequences;
    Simulation simulation;
    Templates templates;
    Press press;
    Proofs proofs;
    Executions executions;
    ExecutionParts execution_parts;
    LetterMails letter_mails;
    SequenceRunner runner;
};

Program::Program(people::Program& people, outbox::Program& outbox, engagement::Program& engagement)
    : people_(people), outbox_(outbox), engagement_(engagement) {}
Program::~Program() = default;

std::vector<table::OwnTable> Program::tables() const { return Books::declared({}); }

Result<> Program::open(const program::Ground& ground) {
    parts_ = std::make_unique<Parts>(ground, people_, outbox_, engagement_);
    return parts_->books.open();
}

void Program::add_routes(program::Api& api) {
    add_sequence_routes(api, parts_->sequences, parts_->simulation);
    add_template_routes(api, parts_->templates, parts_->proofs);
    add_execution_routes(api, parts_->sequences, parts_->executions);
}

std::vector<program::Work> Program::jobs() {
    return {{{.queues = {std::string(sequence_queue)}, .threads = 2},
             [this](schedule::JobInHand job) { parts_->runner.run(*job); }}};
}

}  // namespace mailroom::campaigns
