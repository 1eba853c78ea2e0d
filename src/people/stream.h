// Kinds of mail that somebody may want or not want.
#pragma once

#include "base/names.h"

#include <optional>
#include <string_view>

namespace mailroom::people {

// What somebody waits for goes before what goes to many.
enum class Stream { transactional, bulk };
using mailroom::name_of;  // Of what has names_of(), beside the next.
std::string_view name_of(Stream stream);
std::optional<Stream> stream_named(std::string_view name);

}  // namespace mailroom::people
