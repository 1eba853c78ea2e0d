#include "table/records/record.h"

namespace mailroom::table::record {

std::string unknown(std::string_view name, std::span<const std::string_view> known) {
    const std::vector<std::string> candidates(known.begin(), known.end());
    const auto meant = suggestion(name, candidates);
    return meant ? "is not known; did you mean " + *meant + "?" : "is not known";
}

}  // namespace mailroom::table::record
