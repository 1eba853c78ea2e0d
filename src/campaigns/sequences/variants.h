// Which of several variants somebody gets: always the same, and without anybody keeping it.
#pragma once

#include <cstddef>
#include <string_view>

namespace mailroom::campaigns {

// From 0. The first four bytes of SHA-256 of "ADDRESS:SEQUENCE", big-endian, modulo `count`: other
// programs choose so, too.
std::size_t variant_of(std::string_view address, std::string_view sequence, std::size_t count);

}  // namespace mailroom::campaigns
