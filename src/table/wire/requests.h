// What travels besides the requests of operations.h and schema.h: the options that only shape the
// answer, and requests that are a call with a few parameters in table::Store.
#pragma once

#include "table/backups.h"
#include "table/operations.h"
#include "table/schema.h"
#include "table/streams.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::table::wire {

// ReturnConsumedCapacity.
enum class ShowConsumed { none, total, indexes };
// ReturnItemCollectionMetrics.
enum class ShowMetrics { none, size };

struct Options {
    ShowConsumed consumed = ShowConsumed::none;
    ShowMetrics metrics = ShowMetrics::none;
};

// Names of tables that a request gives as ARNs, each with its ARN: answers tell what was asked.
using TableArns = std::vector<std::pair<std::string, std::string>>;

template <class T>
struct Call {
    T request;
    Options options = {};
    TableArns arns = {};
};

struct ListTables {
    // What DynamoDB answers at most, and when nothing is asked.
    static constexpr std::size_t limit_max = 100;

    std::string after;  // Empty: from the beginning.
    std::size_t limit = limit_max;
};

struct UpdateTimeToLive {
    std::string table;
    TimeToLive setting;
};

struct TagResource {
    std::string arn;
    Tags tags;
};

struct UntagResource {
    std::string arn;
    std::vector<std::string> keys;
};

struct ListStreams {
    std::optional<std::string> table;
    std::string after;  // The ARN of a stream; empty: from the beginning.
    std::size_t limit = Streams::list_max;
};

struct DescribeStream {
    std::string arn;
    std::optional<std::string> after_shard;
};

struct GetRecords {
    std::string iterator;
    std::size_t limit = Streams::records_max;
};

struct UpdateContinuousBackups {
    std::string table;
    ContinuousSetting setting;
};

// One PartiQL statement, as text.
struct Statement {
    std::string text;
    std::vector<Value> parameters;
    bool consistent = false;
    OnConditionFailure on_failure = OnConditionFailure::none;
};

struct ExecuteStatement {
    Statement statement;
    std::optional<std::int64_t> limit;
    std::optional<std::string> next_token;
};

struct BatchExecuteStatement {
    std::vector<Statement> statements;
};

struct ExecuteTransaction {
    std::vector<Statement> statements;
    std::string token;  // As in TransactWrite.
};

}  // namespace mailroom::table::wire
