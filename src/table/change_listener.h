// Hears of the changes of a table, whoever makes them: this process, strangers at the endpoint, or
// time. For what is kept in memory beside a table and must not differ from it.
#pragma once

#include "table/value.h"

#include <string>
#include <string_view>

namespace mailroom::table {

// An item that is durable, or gone.
struct RowChange {
    enum class What { there, gone };
    std::string_view table;
    What what;
    ItemView item;  // As it is now; of one that is gone, as it was.
};

// Thread-safe. Its functions are called before whoever made the change is told: they must be quick,
// must not wait, and must not ask the store.
class ChangeListener {
public:
    virtual ~ChangeListener() = default;
    // Changes of one item come in their order.
    virtual void changed(const RowChange& change) = 0;
    // The table was made, deleted or restored: nothing that was known of its items counts.
    virtual void replaced(std::string_view table) = 0;
};

}  // namespace mailroom::table
