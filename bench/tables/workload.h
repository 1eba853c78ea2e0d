// The requests of the benchmark: the same bytes for every server that speaks DynamoDB.
//
// One table, partition key `pk` and sort key `sk`. It starts with some customers of ten mails each.
// An item is 300 bytes by DynamoDB's count: strings, numbers and a small map.
#pragma once

#include "keys.h"
#include "load.h"
#include "request_template.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::bench {

enum class Operation { empty, get, query, put, update, hot_item, transact, batch };

// In the order they are measured: reads before the writes whose compaction would disturb them.
inline constexpr Operation all_operations[] = {
    Operation::empty,  Operation::get,      Operation::query,    Operation::put,
    Operation::update, Operation::hot_item, Operation::transact, Operation::batch};

// As printed and as accepted on the command line.
std::string_view name_of(Operation operation);

// Makes the requests for one server. Writes of new items (put, transact, batch) never repeat a key;
// reads and updates pick any preloaded item. Two workloads with the same number of partitions make
// the same requests. Not thread-safe; what it returns refers to it.
class Workload {
public:
    // `partitions` is a multiple of 5, so that the preload is a whole number of batches.
    explicit Workload(std::uint32_t partitions);

    std::string create_table_request() const;
    std::string describe_table_request() const;
    // Writes every preloaded item once, in `preload_requests()` requests.
    Render preload();
    std::uint64_t preload_requests() const;
    // Writes the item that Operation::hot_item counts up, with the count at zero.
    std::string create_hot_item_request() const;
    std::string read_hot_item_request() const;

    Render render(Operation operation);
    Accept accept(Operation operation) const;

private:
    std::uint64_t existing(Field field);
    std::uint64_t fresh(Field field);

    std::uint32_t partitions_;
    RandomNumbers random_{1};
    std::uint64_t new_partitions_ = 0;
    std::uint64_t preloaded_items_ = 0;
};

// The count in the answer to `read_hot_item_request`, or none if there is no such attribute.
std::optional<std::uint64_t> hot_item_count(std::string_view answer);

// A GET that asks a server to do nothing, as many bytes as a GetItem request.
Render empty_request(std::string_view path);
// A POST of 300 bytes, for the ceiling's durable put.
Render raw_put_request(std::string_view path);

}  // namespace mailroom::bench
