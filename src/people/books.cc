#include "people/books.h"

#include "people/suppressions.h"
#include "table/records/ensure_table.h"
#include "table/records/table_of.h"

#include <utility>

namespace mailroom::people {

namespace {

constexpr const char* expiry_attribute = "ttl";
constexpr std::string_view person_prefix = "SUB#", tag_prefix = "TAG#";

}  // namespace

table::CreateTable Books::audience_table(const std::string& name) {
    return table::TableOf(name, "PK", "SK");
}
table::CreateTable Books::people_table(const std::string& name) {
    return table::TableOf(name, "PK", "SK");
}

std::vector<table::OwnTable> Books::declared(const TableNames& names) {
    return {{audience_table(names.audience), expiry_attribute, table::Outside::shared, true},
            {people_table(names.people), expiry_attribute},
            Suppressions::declared(names.suppressions)};
}

Result<> Books::open() { return table::ensure_tables(store, declared(tables)); }

Result<std::optional<table::Item>> Books::get(const std::string& table, table::Item key) const {
    table::GetItem request;
    request.table = table;
    request.key = std::move(key);
    request.consistent = true;
    auto found = TRY(store.get(request));
    return std::move(found.item);
}

std::string partition_of_person(std::string_view canonical) {
    return std::string(person_prefix) + std::string(canonical);
}

std::optional<std::string_view> person_of_partition(std::string_view partition) {
    if (!partition.starts_with(person_prefix)) return std::nullopt;
    return partition.substr(person_prefix.size());
}

std::string partition_of_tag(std::string_view tag) {
    return std::string(tag_prefix) + std::string(tag);
}

table::Item profile_key(std::string_view canonical) {
    return {{"PK", partition_of_person(canonical)}, {"SK", "PROFILE"}};
}

table::Item suppression_key(std::string_view canonical) {
    return {{"PK", partition_of_person(canonical)}, {"SK", "SUPPRESSION"}};
}

table::Item tag_key(std::string_view tag, std::string_view canonical) {
    return {{"PK", partition_of_tag(tag)}, {"SK", partition_of_person(canonical)}};
}

}  // namespace mailroom::people
