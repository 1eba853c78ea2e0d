// NextToken: where a SELECT goes on.
//
//   token    := base 64 of (version fingerprint partition field*)
//   version  := 0x01
//   partition:= 4 bytes, big-endian: the number of the partition, of those that the statement reads
//   field    := name kind value       one per attribute of the last key; none: at the beginning
//   name, value := 2 bytes length, big-endian, and the bytes; a number as decimal text
//   kind     := "S", "N" or "B"
//
// The fingerprint is of the statement and its parameters, so a token of another statement is
// recognised. It is no signature: who makes up a token gains no more than a start key of their own
// choice, which Query and Scan take from anybody.
#pragma once

#include "table/failure.h"
#include "table/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table::partiql {

// DynamoDB's limit.
constexpr std::size_t next_token_bytes_max = 32768;

struct Continuation {
    std::uint32_t partition = 0;
    std::optional<Item> key;  // The last one read; none: from the partition's beginning.
};

// Of a statement and its parameters.
std::string fingerprint(std::string_view text, const std::vector<Value>& parameters);

// The attributes of the key are strings, numbers and binaries. Refuses a key that is too large for
// a token: an index may hold keys beyond DynamoDB's limits that were there before it.
Outcome<std::string> encode_token(std::string_view fingerprint, const Continuation& continuation);
// "Invalid NextToken" for anything that encode_token() did not make, "NextToken does not match
// request" for another fingerprint.
Outcome<Continuation> decode_token(std::string_view token, std::string_view fingerprint);

}  // namespace mailroom::table::partiql
