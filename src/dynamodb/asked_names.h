// Answers that call the tables as the request did.
#pragma once

#include "table/operations.h"
#include "table/wire/encoder.h"
#include "table/wire/requests.h"

#include <string>
#include <vector>

namespace mailroom::dynamodb {

// DynamoDB answers with the ARN where a table was named by it.
class AskedNames {
public:
    explicit AskedNames(table::wire::TableArns arns) : arns_(std::move(arns)) {}

    template <class Answer>
    void put_into(Answer& answer) const {
        if (arns_.empty()) return;
        if constexpr (requires { answer.consumed.table; }) {
            rename(answer.consumed.table);
        } else {
            for (auto& consumed : answer.consumed) rename(consumed.table);
        }
        if constexpr (requires { answer.tables; }) {
            for (auto& part : answer.tables) rename(part.table);
        }
        if constexpr (requires { answer.unprocessed; }) {
            for (auto& part : answer.unprocessed.tables) rename(part.table);
        }
    }
    void put_into(table::wire::ItemCollections& collections) const {
        for (auto& collection : collections) rename(collection.table);
    }

private:
    void rename(std::string& table) const {
        for (const auto& [name, arn] : arns_) {
            if (table == name) table = arn;
        }
    }

    table::wire::TableArns arns_;
};

}  // namespace mailroom::dynamodb
