// How a change of a person becomes the writes of a transaction: for this folder.
#pragma once

#include "base/result.h"
#include "people/books.h"
#include "people/change.h"
#include "people/profile.h"
#include "people/suppression_rows.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// As it is now.
Result<std::optional<Profile>> find_profile(const Books& books, std::string_view canonical);

// See People::add_to().
Result<> add_change(const Books& books, SuppressionRows& rows, schedule::Transaction& transaction,
                    std::string_view canonical, const std::optional<Profile>& before,
                    const Change& change);

// All that is on the list of the address, `listed`, goes, and the flags that say the same.
Result<> add_allowance(const Books& books, SuppressionRows& rows,
                       schedule::Transaction& transaction, std::string_view canonical,
                       const std::optional<Profile>& before, const std::vector<table::Item>& listed,
                       const Evidence& evidence);

// Runs `attempt` on a new transaction and commits it, again while somebody else is faster. One that
// stays empty is no failure.
Result<> until_won(table::Store& store,
                   const std::function<Result<>(schedule::Transaction&)>& attempt);

}  // namespace mailroom::people
