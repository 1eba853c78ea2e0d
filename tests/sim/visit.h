// All rows of a table, as they are.
#pragma once

#include "table/store.h"

namespace mailroom::sim {

// Whether all could be read.
template <class Visit>
bool visit_all(table::Store& store, const char* table, const Visit& visit) {
    table::Scan scan;
    scan.table = table;
    scan.consistent = true;
    do {
        const auto page = store.scan(scan);
        if (!page) return false;
        for (const auto& row : page->items) visit(row);
        scan.start_key = page->last_key;
    } while (scan.start_key);
    return true;
}

}  // namespace mailroom::sim
