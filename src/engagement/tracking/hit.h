// Somebody, or something, asked for a picture or followed a link.
//
//   hits := version u8 hit*
//   hit  := kind u8 flags u8 at i64 mail[36] link u16 url-length u16 url agent-length u16 agent
// Integers are big-endian. In rows that wait to be digested: what an earlier version wrote must be
// read.
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

inline constexpr std::size_t agent_bytes_max = 400;  // Of what browsers say, the beginning.

struct Hit {
    enum class Kind : std::uint8_t { open = 1, click = 2 };
    Kind kind = Kind::open;
    bool is_head = false;      // Whoever asked did not want the content.
    bool is_prefetch = false;  // They said that nobody is looking yet.
    Time at = {};
    std::string mail_id;
    std::uint16_t link = 0;
    std::string url;  // Of a click.
    std::string user_agent;
    bool operator==(const Hit&) const = default;
};

std::string encode_hits(std::span<const Hit> hits);
// How many bytes of that a hit takes.
std::size_t encoded_bytes(const Hit& hit);
// `corrupt` for anything else.
Result<std::vector<Hit>> decode_hits(std::string_view bytes);

}  // namespace mailroom::engagement
