// Campaigns as a program: their table, their routes, and the jobs that do what is due.
#pragma once

#include "campaigns/books.h"
#include "engagement/program.h"
#include "outbox/program.h"
#include "people/program.h"
#include "program/program.h"

#include <memory>
#include <vector>

namespace mailroom::campaigns {

// Thread-safe once it runs.
class Program final : public program::Program {
public:
    // All must outlive this object, and be opened before it.
    Program(people::Program& people, outbox::Program& outbox, engagement::Program& engagement);
    ~Program() override;

    std::vector<table::OwnTable> tables() const override;
    Result<> open(const program::Ground& ground) override;
    void add_routes(program::Api& api) override;
    std::vector<program::Work> jobs() override;

private:
    struct Parts;

    people::Program& people_;
    outbox::Program& outbox_;
    engagement::Program& engagement_;
    std::unique_ptr<Parts> parts_;  // From open() on.
};

}  // namespace mailroom::campaigns
