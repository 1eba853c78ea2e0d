// Bugs that are planted by hand, in what a node stands on: the judge must find each of them.
#pragma once

#include "kv/store.h"
#include "outbox/sending/guard.h"
#include "sim/plan.h"
#include "table/store.h"

#include <functional>
#include <memory>

namespace mailroom::sim {

// None where the fault is another one. What is given must outlive the result.
std::unique_ptr<kv::Store> plant_in_rows(Fault fault, kv::Store& rows);
std::unique_ptr<table::Store> plant_in_store(Fault fault, table::Store& store);
std::function<std::unique_ptr<outbox::Guard>(outbox::Guard&)> plant_guard(Fault fault);

}  // namespace mailroom::sim
