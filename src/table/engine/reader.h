// Reading items: by key, by partition, and all of them.
#pragma once

#include "table/engine/core.h"
#include "table/operations.h"

#include <cstddef>
#include <optional>

namespace mailroom::table {

class Reader {
public:
    explicit Reader(Core& core) : core_(core) {}

    Outcome<GetResult> get(const GetItem& request) const;
    Outcome<Page> query(const Query& request) const;
    Outcome<Page> scan(const Scan& request) const;
    Outcome<BatchGetResult> batch_get(const BatchGet& request) const;
    Outcome<TransactGetResult> transact_get(const TransactGet& request) const;
    // As query, but none when more than `bytes_max` bytes of rows would have to be read.
    Outcome<std::optional<Page>> query_if_small(const Query& request, std::size_t bytes_max) const;

private:
    Outcome<std::optional<Page>> query(const Query& request, std::size_t bytes_max) const;

    Core& core_;
};

}  // namespace mailroom::table
