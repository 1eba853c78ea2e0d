#include "table/records/storable.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::table {

std::string storable(std::string_view text, std::size_t bytes_max) {
    std::string kept(truncate_utf8(text, bytes_max));
    if (!is_utf8(kept)) {
        std::ranges::replace_if(
            kept, [](char c) { return static_cast<unsigned char>(c) > 0x7f; }, '?');
    }
    return kept;
}

}  // namespace mailroom::table
