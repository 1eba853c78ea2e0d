#include "table/engine/rows.h"

#include "kv/key.h"

#include <charconv>
#include <optional>

namespace mailroom::table {

namespace {

constexpr std::size_t space_prefix_bytes = 5;

// FNV-1a with a final mix, so that near keys land far apart. On disk: never change it.
std::uint16_t slot_of(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    hash ^= hash >> 33;
    hash *= 0xff51afd7ed558ccd;
    hash ^= hash >> 33;
    return static_cast<std::uint16_t>(hash >> 48);
}

constexpr bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// The minute, or nearly, of a UUID of version 7: of its 48 bits that count milliseconds, those
// above the last 16. None if the text is no such UUID and no path that ends in one.
std::optional<std::uint32_t> minute_of(std::string_view text) {
    constexpr std::size_t uuid_bytes = 36, version_at = 14, minute_bytes = 8;
    text.remove_prefix(text.rfind('/') + 1);
    if (text.size() < uuid_bytes || text[version_at] != '7') return std::nullopt;
    for (std::size_t i = 0; i < uuid_bytes; ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !is_hex(text[i])) return std::nullopt;
    }
    std::uint32_t minute = 0;
    std::from_chars(text.data(), text.data() + minute_bytes, minute, 16);
    return minute;
}

std::string text_key(Space space, std::string_view text) {
    std::string key(1, static_cast<char>(space));
    kv::append_text(key, text);
    return key;
}

}  // namespace

std::string space_prefix(Space space, std::uint32_t id) {
    std::string key(1, static_cast<char>(space));
    kv::append_u32(key, id);
    return key;
}

void append_key_part(std::string& key, const ValueView& value) {
    if (value.kind() == Kind::number) {
        key += value.payload();
    } else {
        kv::append_text(key, value.payload());
    }
}

void append_key_part_prefix(std::string& key, std::string_view prefix) {
    constexpr std::size_t end_mark_bytes = 2;
    kv::append_text(key, prefix);
    key.resize(key.size() - end_mark_bytes);
}

void append_partition(std::string& key, const ValueView& hash, Spread spread) {
    append_partition(key, std::span(&hash, 1), spread);
}

void append_partition(std::string& key, std::span<const ValueView> hashes, Spread spread) {
    const auto slot_at = key.size();
    kv::append_u16(key, 0);
    const auto part_at = key.size();
    for (const auto& hash : hashes) append_key_part(key, hash);
    std::optional<std::uint32_t> minute;
    if (spread == Spread::timed && hashes.size() == 1 && hashes[0].kind() == Kind::string) {
        minute = minute_of(hashes[0].payload());
    }
    const auto slot = minute ? static_cast<std::uint16_t>(*minute)
                             : slot_of(std::string_view(key).substr(part_at));
    key[slot_at] = static_cast<char>(slot >> 8);
    key[slot_at + 1] = static_cast<char>(slot & 0xff);
}

std::string catalog_key(std::string_view table) { return text_key(Space::catalog, table); }
std::string next_id_key() { return static_cast<char>(Space::meta) + std::string("next-id"); }
std::string attempt_key() { return static_cast<char>(Space::meta) + std::string("attempt"); }
std::string count_key(std::uint32_t id) { return space_prefix(Space::count, id); }

std::optional<std::uint32_t> counted_id(std::string_view key) {
    if (!key.starts_with(static_cast<char>(Space::count))) return std::nullopt;
    key.remove_prefix(1);
    return kv::read_u32(key);
}

std::string expiry_key(std::uint32_t table, std::uint64_t second, std::string_view item_key) {
    auto key = space_prefix(Space::expiry, table);
    kv::append_u64(key, second);
    key += item_key;
    return key;
}

std::string expiry_key_of_row(std::string_view item_row, std::uint64_t second) {
    return expiry_key(table_id_of(item_row), second, item_key_of(item_row));
}

std::string expiry_group_key(std::uint64_t second, std::string_view first_item_row) {
    std::string key(1, static_cast<char>(Space::expiry_group));
    kv::append_u64(key, second);
    key += first_item_row;
    return key;
}

std::uint32_t table_id_of(std::string_view item_row) {
    item_row.remove_prefix(1);
    return kv::read_u32(item_row).value_or(0);
}

std::string set_back_key(std::uint64_t before) {
    std::string key(1, static_cast<char>(Space::set_back));
    kv::append_u64(key, before);
    return key;
}

std::string token_key(std::string_view token) { return text_key(Space::token, token); }

std::string token_end_key(std::uint64_t until_ms, std::string_view token) {
    std::string key(1, static_cast<char>(Space::token_end));
    kv::append_u64(key, until_ms);
    kv::append_text(key, token);
    return key;
}

std::string_view item_key_of(std::string_view row_key) {
    return row_key.substr(space_prefix_bytes);
}

}  // namespace mailroom::table
