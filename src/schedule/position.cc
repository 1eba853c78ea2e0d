#include "schedule/position.h"

#include "schedule/places.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdint>

namespace mailroom::schedule {

namespace {

constexpr std::size_t due_digits = 15;
constexpr std::int64_t due_ms_max = 999'999'999'999'999;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string due_text(Time due) {
    auto rest = std::clamp(to_unix_ms(due), std::int64_t{0}, due_ms_max);
    std::string digits(due_digits, '0');
    for (auto at = digits.rbegin(); rest != 0; ++at, rest /= 10) {
        *at = static_cast<char>('0' + rest % 10);
    }
    return digits;
}

}  // namespace

bool is_queue_name(std::string_view text) {
    if (text.empty() || text.size() > queue_bytes_max) return false;
    bool in_word = false;
    for (const char c : text) {
        if (c == '.') {
            if (!in_word) return false;
            in_word = false;
            continue;
        }
        if (!is_digit(c) && !(c >= 'a' && c <= 'z') && c != '-' && c != '_') return false;
        in_word = true;
    }
    return in_word;
}

std::size_t shard_of(std::string_view key) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : key) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    return static_cast<std::size_t>(hash % shards);
}

std::string partition_name(std::string_view queue, std::size_t shard) {
    assert(shard < shards);
    std::string name(queue);
    name += '#';
    name += static_cast<char>('0' + shard);
    return name;
}

std::string dead_partition_name(std::string_view queue) { return std::string(queue) + "#dead"; }

std::string place_of(Time due, std::string_view key) {
    return due_text(due).append("#").append(key);
}

// '$' follows '#', which follows the digits of every place.
std::string end_of(Time time) { return due_text(time) + "$"; }

bool is_place(std::string_view text) {
    if (text.size() <= due_digits + 1 || text.size() > due_digits + 1 + key_bytes_max) return false;
    return std::ranges::all_of(text.substr(0, due_digits), is_digit) && text[due_digits] == '#';
}

Time due_of(std::string_view place) {
    assert(place.size() >= due_digits);
    std::int64_t ms = 0;
    std::from_chars(place.data(), place.data() + due_digits, ms);
    return from_unix_ms(ms);
}

std::string_view key_of(std::string_view place) { return place.substr(due_digits + 1); }

Position position_of(std::string_view queue, std::string_view key, Time due) {
    assert(is_queue_name(queue));
    assert(!key.empty() && key.size() <= key_bytes_max);
    return {partition_name(queue, shard_of(key)), place_of(due, key)};
}

Result<Position> Position::parse(std::string_view text) {
    const auto slash = text.find('/');
    const auto hash = text.find('#');
    const Error refused{Errc::invalid, "not the position of a job"};
    if (slash == text.npos || hash == text.npos || hash > slash) return refused;
    const auto queue = text.substr(0, hash), place = text.substr(slash + 1);
    if (!is_queue_name(queue) || !is_place(place)) return refused;
    Position position{partition_name(queue, shard_of(key_of(place))), std::string(place)};
    if (text.substr(0, slash) != position.partition) return refused;
    return position;
}

std::string_view Position::queue() const {
    return std::string_view(partition).substr(0, partition.find('#'));
}

std::string_view Position::key() const { return key_of(place); }

Time Position::due() const { return due_of(place); }

}  // namespace mailroom::schedule
