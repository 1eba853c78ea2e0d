// What was wrong in a mail that could be read all the same.
#pragma once

#include "base/text.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

struct Defect {
    std::string kind;    // One fixed word with dashes, for programs: `unknown-charset`.
    std::string detail;  // For people; UTF-8 is not promised, it may quote the mail.
};

using Defects = std::vector<Defect>;

constexpr std::size_t defects_max = 100;  // Nobody reads more; a hostile mail could make millions.
constexpr std::size_t defect_detail_bytes_max = 200;

// Adds one, unless there are `defects_max` already. A long detail is cut.
inline void add_defect(Defects& defects, std::string_view kind, std::string_view detail) {
    if (defects.size() >= defects_max) return;
    const auto cut = truncate_utf8(detail, defect_detail_bytes_max);
    defects.push_back({std::string(kind), std::string(cut)});
}

}  // namespace mailroom::mime
