// The texts that settings accept, as values. Each returns none for anything else.
#pragma once

#include "app/config.h"

#include <optional>
#include <string_view>

namespace mailroom::app {

// HOST:PORT, where HOST is an IPv4 address, an IPv6 address in brackets, or `localhost`.
std::optional<ListenAddress> parse_listen_address(std::string_view text);

// dynamodb+http://HOST[:PORT] or dynamodb+https://HOST[:PORT].
std::optional<RemoteDynamodb> parse_remote_dynamodb(std::string_view text);

}  // namespace mailroom::app
