// Keys in the table MailroomKeys.
//
//   key_hash (S, partition key)   key_id S   name S   scopes SS   created_at N (ms)   last_four S
#pragma once

#include "http/key_rows.h"
#include "http/keys.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <utility>

namespace mailroom::http {

class KeyTable final : public KeyRepository {
public:
    static constexpr const char* table_name = "MailroomKeys";

    static table::OwnTable declared();
    // Makes the table when it is not there. `store` must outlive the result.
    static Result<KeyTable> open(table::Store& store);

    Result<> put(const ApiKey& key) override;
    Result<std::vector<ApiKey>> list() override;
    Result<std::optional<ApiKey>> find(const std::string& hash) override;
    Result<> erase(const std::string& hash) override;
    Result<> erase_beside(const std::string& hash, const std::string& other) override;

private:
    explicit KeyTable(KeyRows rows) : rows_(std::move(rows)) {}

    KeyRows rows_;
};

}  // namespace mailroom::http
