// PartiQL over any table::Store: ExecuteStatement, BatchExecuteStatement, ExecuteTransaction.
//
// A statement is parsed (parser.h), planned against the table's schema (read_plan.h, write_plan.h)
// and done by the store's own operations, so it works the same on the embedded engine and on a
// remote DynamoDB. Refusals are DynamoDB's.
//
//   Executor executor(store);
//   auto result = TRY(executor.execute({R"(SELECT * FROM "Music" WHERE Artist = ?)", {"Acme"}}));
//   for (const Item& item : result.items) …
#pragma once

#include "table/partiql/syntax.h"
#include "table/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::table::partiql {

// DynamoDB's limits.
constexpr std::size_t batch_statements_max = 25;
constexpr std::size_t transaction_statements_max = 100;
// Of items, after which a SELECT over several partitions ends its page; a Query ends one by itself.
constexpr std::size_t page_bytes_max = 1024 * 1024;

struct Statement {
    std::string text;
    std::vector<Value> parameters = {};
    std::optional<std::string> next_token = std::nullopt;  // Of execute() only, and so is the next.
    std::optional<std::int64_t> limit = std::nullopt;      // Items read, before they are filtered.
    bool consistent = false;
    OnConditionFailure on_failure = OnConditionFailure::none;
};

struct StatementResult {
    // What a SELECT found, or what RETURNING shows.
    std::vector<Item> items;
    std::optional<std::string> next_token;  // None when this was the last page.
    std::optional<Item> last_key;
    Consumed consumed;
};

// What became of one statement of a batch.
struct BatchEntry {
    struct Refusal {
        std::string code;  // "ConditionalCheckFailed", "ValidationError", …
        std::string message;
        std::optional<Item> item;
    };
    std::string table;  // Empty when the statement could not be read.
    std::optional<Item> item;
    std::optional<Refusal> refusal;
};

struct BatchResult {
    std::vector<BatchEntry> entries;  // In the order of the statements.
    std::vector<Consumed> consumed;   // One per table.
};

struct TransactionResult {
    std::vector<std::optional<Item>> items;  // One per statement that reads; none of writes.
    std::vector<Consumed> consumed;
};

// Thread-safe, as the store is.
class Executor {
public:
    // `store` must outlive the executor.
    explicit Executor(Store& store) : store_(store) {}

    Outcome<StatementResult> execute(const Statement& statement);

    // Each statement by itself, in order; a refused one does not stop the others. Fails as a whole
    // when there are none or more than 25, or when reads and writes are mixed.
    Outcome<BatchResult> batch(const std::vector<Statement>& statements);

    // All or nothing, all reads or all writes, EXISTS among the writes. `token` is the
    // ClientRequestToken of the writes: the same again within ten minutes is done once.
    Outcome<TransactionResult> transact(const std::vector<Statement>& statements,
                                        const std::string& token);

private:
    Store& store_;
};

}  // namespace mailroom::table::partiql
