// How queues, shards and due times make the keys of rows.
#pragma once

#include "base/clock.h"
#include "schedule/position.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::schedule {

// A queue is spread over so many partitions, so that no single one of a remote store carries it
// alone. On disk: never change.
constexpr std::size_t shards = 8;
constexpr std::size_t key_bytes_max = 512;
// DynamoDB's limit is 2,048 for the whole partition key.
constexpr std::size_t queue_bytes_max = 128;

// Lower-case words of letters, digits, "-" and "_", joined by dots.
bool is_queue_name(std::string_view text);

// The shard of a key: FNV-1a of 64 bits, modulo `shards`. On disk: never change.
std::size_t shard_of(std::string_view key);

std::string partition_name(std::string_view queue, std::size_t shard);
std::string dead_partition_name(std::string_view queue);

// 15 digits, "#", the key. Times outside what 15 digits hold become the nearest that they do.
std::string place_of(Time due, std::string_view key);
// Before every place.
inline constexpr std::string_view first_place = "0";
// After every place that is due by `time`, and before all others.
std::string end_of(Time time);
// The smallest text after `place`.
inline std::string just_after(std::string place) { return std::move(place.append(1, '\0')); }

// The time of a place. Asserts that it is one.
Time due_of(std::string_view place);
std::string_view key_of(std::string_view place);
bool is_place(std::string_view text);

Position position_of(std::string_view queue, std::string_view key, Time due);

}  // namespace mailroom::schedule
