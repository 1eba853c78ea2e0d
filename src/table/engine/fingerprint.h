// ClientRequestToken: what tells one transaction from another, and how long that is remembered.
#pragma once

#include "table/engine/core.h"
#include "table/operations.h"

#include <cstddef>
#include <string>

namespace mailroom::table {

// The same for the same request, token aside; SHA-256.
std::string fingerprint(const TransactWrite& request);

// Erases tokens whose time is over, at most `limit`.
Outcome<> forget_tokens(Core& core, std::size_t limit);

}  // namespace mailroom::table
