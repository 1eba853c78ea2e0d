// The servers under measurement, each a child process with its data in a directory of its own.
#pragma once

#include "base/result.h"
#include "child.h"
#include "load.h"
#include "workload.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace mailroom::bench {

struct Peer {
    std::string name;
    Child child;
    Endpoint endpoint;
};

// Each makes `directory`, starts the program with its data there and waits until it listens.
// `not_found` when the program is not there, `unavailable` when it does not get ready.
//
// Mailroom with full durability, its table endpoint open to us without signatures.
Result<Peer> start_mailroom(const std::filesystem::path& program,
                            const std::filesystem::path& directory);
// dynalite on LevelDB. It never calls fsync. `script` is its cli.js.
Result<Peer> start_dynalite(const std::filesystem::path& script,
                            const std::filesystem::path& directory);
Result<Peer> start_ceiling(const std::filesystem::path& program,
                           const std::filesystem::path& directory);

// Creates the table, waits until it is active and writes what the workload starts with.
Result<> prepare_tables(Endpoint endpoint, Workload& workload);

}  // namespace mailroom::bench
