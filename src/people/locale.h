// Where people are, and what they read.
#pragma once

#include <string_view>

namespace mailroom::people {

// A language with, perhaps, a script or a region, as RFC 5646 has the short ones: "de", "pt-BR".
bool is_language(std::string_view text);

// The name of a zone in the system's database: "Europe/Berlin". Thread-safe.
bool is_time_zone(std::string_view text);

}  // namespace mailroom::people
