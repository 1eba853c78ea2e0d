#include "campaigns/books.h"

#include "table/records/ensure_table.h"
#include "table/records/table_of.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

constexpr const char* expiry_attribute = "ttl";

}  // namespace

table::CreateTable Books::campaigns_table(const std::string& name) {
    return table::TableOf(name, "PK", "SK");
}

std::vector<table::OwnTable> Books::declared(const TableNames& names) {
    return {{campaigns_table(names.campaigns), expiry_attribute}};
}

Result<> Books::open() const { return table::ensure_tables(store, declared(tables)); }

Result<std::optional<table::Item>> Books::get(const std::string& table, table::Item key) const {
    table::GetItem request;
    request.table = table;
    request.key = std::move(key);
    request.consistent = true;
    auto found = TRY(store.get(request));
    return std::move(found.item);
}

}  // namespace mailroom::campaigns
