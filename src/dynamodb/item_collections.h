// ReturnItemCollectionMetrics: the item collections that a request writes to.
#pragma once

#include "table/operations.h"
#include "table/store.h"
#include "table/wire/encoder.h"

namespace mailroom::dynamodb {

// Each partition once, those of one table together; only tables with local indexes have any. Their
// sizes are bounded by the size of the table.
template <class Request>
table::wire::ItemCollections collections_of(table::Store& store,
                                            const table::wire::Call<Request>& call);

}  // namespace mailroom::dynamodb
