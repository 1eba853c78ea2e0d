// Reminders as a program: their settings, tables and routes, the author of their texts, and the
// jobs that see what became of them.
#pragma once

#include "outbox/program.h"
#include "people/program.h"
#include "program/program.h"
#include "reminders/settings.h"

#include <memory>
#include <vector>

namespace mailroom::reminders {

// Thread-safe once it runs.
class Program final : public program::Program {
public:
    // Both must outlive this object, and be opened before it.
    Program(people::Program& people, outbox::Program& outbox);
    ~Program() override;

    void add_settings(program::Settings& list) override;
    Result<> check_settings() const override;
    std::vector<table::OwnTable> tables() const override;
    // Adds the templates that a newcomer finds, too.
    Result<> open(const program::Ground& ground) override;
    void add_routes(program::Api& api) override;
    std::vector<program::Work> jobs() override;

private:
    struct Parts;

    people::Program& people_;
    outbox::Program& outbox_;
    Settings settings_;
    std::unique_ptr<Parts> parts_;  // From open() on.
};

}  // namespace mailroom::reminders
