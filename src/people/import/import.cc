#include "people/import/import.h"

namespace mailroom::people {

void ImportCounts::add(const ImportCounts& other) {
    created += other.created;
    updated += other.updated;
    unchanged += other.unchanged;
    erased += other.erased;
    failed += other.failed;
}

void Import::derive(const Import& import, table::Item& row) {
    row.set("PK", table::Value("IMPORT#" + import.id));
    row.set("SK", table::Value("IMPORT"));
}

}  // namespace mailroom::people
