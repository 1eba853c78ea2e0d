// Where the engine keeps what: every row of the key-value store, as a grammar.
//
//   catalog   := 't' name                           the table's description (definition.h)
//   next id   := 'm' "next-id"                      the next free table or index id, u32
//   attempt   := 'm' "attempt"                      empty; written to see whether rows are taken
//   item      := 'i' table:u32 item-key             the item
//   entry     := 'x' index:u32 index-key table-key  the item, as far as the index projects it
//   expiry    := 'e' table:u32 second:u64 item-key  empty
//   group     := 'E' second:u64 item                of the first of several items that expire then:
//                                                   (bytes:u32 item)+ (expiry_group.h)
//   count     := 'n' id:u32                         items:u64 bytes:u64 of a table or an index
//   token     := 'k' token                          until-ms:u64 fingerprint
//   token end := 'K' until-ms:u64 token             empty
//   stream    := 's' stream:u32                     the stream's description (stream_rows.h)
//   record    := 'r' stream:u32 sequence:u64        the record; sequences grow with time
//   backup    := 'B' backup:u32                     the backup's description (backup_rows.h)
//   copy      := 'b' backup:u32 item-key            the item, as it was
//   trimmed   := 'S' stream:u32                     sequence:u64 moment-ms:u64 of the last record
//                                                   dropped; older rows lack the moment
//   set back  := 'c' sequence:u64                   moment-ms:u64 (set_backs.h)
//
//   item-key  := slot hash range?
//   index-key := slot hash{1,4} range{0,4}          in the order of the index's key schema
//   table-key := hash range?
//   slot      := u16 from the bytes of `hash`, of several together (see Spread); spreads the
//                partitions, so that a segment of a parallel scan is a range of rows
//   hash, range := text for strings and binary (kv/key.h), the number's own form (number.h); no
//                  form is the beginning of another, so that rows sort attribute by attribute
//   name, token := text
// On disk: never change or reuse a letter.
#pragma once

#include "table/value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mailroom::table {

// Names of the spaces above. Items and entries share the form "letter id:u32 …".
enum class Space : char {
    catalog = 't',
    meta = 'm',
    item = 'i',
    entry = 'x',
    expiry = 'e',
    expiry_group = 'E',
    count = 'n',
    token = 'k',
    token_end = 'K',
    stream = 's',
    record = 'r',
    trimmed = 'S',
    set_back = 'c',
    backup = 'B',
    copy = 'b',
};

constexpr std::uint32_t slot_count = 65536;

// How the partitions of a table lie on the slots. On disk: never change one.
enum class Spread : std::uint8_t {
    hashed = 0,  // Each by itself.
    // A key that is a UUID of version 7 (RFC 9562, 5.7), or a path whose last part begins with one,
    // lies with those of the same minute, after those of the minute before; others are hashed. What
    // is written at one time then lies together, and is not merged with everything that was written
    // before, over and over. After 50 days the slots begin again. Keys of several hash attributes
    // are hashed.
    timed = 1,
};

// "letter id:u32": what all rows of one table or index begin with.
std::string space_prefix(Space space, std::uint32_t id);

// A key attribute's value as a key part. The value is a string, number or binary.
void append_key_part(std::string& key, const ValueView& value);
// The bytes that all parts of strings (or binaries) beginning with `prefix` begin with.
void append_key_part_prefix(std::string& key, std::string_view prefix);
// slot and hash: what all rows of one partition begin with after space_prefix.
void append_partition(std::string& key, std::span<const ValueView> hashes, Spread spread);
void append_partition(std::string& key, const ValueView& hash, Spread spread);

std::string catalog_key(std::string_view table);
std::string next_id_key();
std::string attempt_key();
std::string count_key(std::uint32_t id);
// Whose count the row is; none: it is another row.
std::optional<std::uint32_t> counted_id(std::string_view key);
std::string expiry_key(std::uint32_t table, std::uint64_t second, std::string_view item_key);
// The same from the item's row.
std::string expiry_key_of_row(std::string_view item_row, std::uint64_t second);
std::string expiry_group_key(std::uint64_t second, std::string_view first_item_row);
std::string set_back_key(std::uint64_t before);
std::string token_key(std::string_view token);
std::string token_end_key(std::uint64_t until_ms, std::string_view token);

// The table of an item, from its row.
std::uint32_t table_id_of(std::string_view item_row);
// The part of an item's row key after space_prefix: what identifies it within its table.
std::string_view item_key_of(std::string_view row_key);

}  // namespace mailroom::table
