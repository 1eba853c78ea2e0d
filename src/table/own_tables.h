// Tables that are Mailroom's own, as whoever works with them declares them. What is made, hidden
// from strangers, protected and kept a history of follows from that.
#pragma once

#include "table/schema.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

// For those who come by the endpoint: there is no such table, or it is one they may work in, too:
// its items are everybody's. To change that one as a whole (its indexes, stream, expiry, history,
// backups, its very existence) takes a right of its own, as a program runs on it.
enum class Outside { hidden, shared };

struct OwnTable {
    CreateTable made;                   // As it is made.
    std::string expiry_attribute = "";  // Empty: no row goes by itself.
    Outside outside = Outside::hidden;
    // Whether it can be brought back as it was at any moment.
    bool keeps_history = false;
};

// A hidden one without indexes. `keys` are its hash key and, perhaps, its range key.
OwnTable own_table(std::string name, std::vector<AttributeDefinition> keys,
                   std::string expiry_attribute = "");

// Thread-safe: it does not change.
class OwnTables {
public:
    // Names that begin so are ours, also those of tables that another version has.
    static constexpr std::string_view reserved_prefix = "Mailroom";
    static bool is_reserved(std::string_view table) { return table.starts_with(reserved_prefix); }

    OwnTables() = default;
    // Of a server that only keeps tables for others: theirs may be called as they like.
    static OwnTables none();
    explicit OwnTables(const std::vector<OwnTable>& declared);

    bool is_declared(std::string_view table) const { return declared_.contains(table); }
    bool hides(std::string_view table) const;
    bool shares(std::string_view table) const;

private:
    bool reserves_names_ = true;
    std::map<std::string, Outside, std::less<>> declared_;
};

}  // namespace mailroom::table
