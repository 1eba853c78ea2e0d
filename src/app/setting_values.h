// The texts that settings accept, as values. Each returns none for anything else.
#pragma once

#include "app/config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::app {

// HOST:PORT, where HOST is an IPv4 address, an IPv6 address in brackets, or `localhost`.
std::optional<ListenAddress> parse_listen_address(std::string_view text);

// dynamodb+http://HOST[:PORT] or dynamodb+https://HOST[:PORT].
std::optional<RemoteDynamodb> parse_remote_dynamodb(std::string_view text);

// A whole number in [least, most]: digits only.
std::optional<std::uint32_t> parse_whole_number(std::string_view text, std::uint32_t least,
                                                std::uint32_t most);

// Any path that a system call takes, or nothing at all.
bool assign_optional_path(std::string& to, std::string_view text);

// The parts between commas, without blanks around them. None for nothing at all; an empty part
// among others is kept, for the caller to refuse.
std::vector<std::string> split_list(std::string_view text);

// DOMAIN:SELECTOR:FILE,…
std::optional<std::vector<DkimKey>> parse_dkim_keys(std::string_view text);

// DynamoDB's rule: 3 to 255 of a-z, A-Z, 0-9, `_`, `-` and `.`.
bool is_table_name(std::string_view text);

}  // namespace mailroom::app
