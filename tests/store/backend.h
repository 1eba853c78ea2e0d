// The stores that the contract is asked of.
#pragma once

#include "table/store.h"

#include <memory>
#include <string>

namespace mailroom::table {

// A store with everything below it, empty at first.
class Backend {
public:
    virtual ~Backend() = default;
    virtual Store& store() = 0;
    // Waits for what goes on after a call: indexes being filled and dropped.
    virtual void finish_jobs() = 0;
};

// The engine in this process, on memory.
std::unique_ptr<Backend> make_embedded();
// The client, over HTTP, to our own endpoint, on such an engine.
std::unique_ptr<Backend> make_remote();

}  // namespace mailroom::table
