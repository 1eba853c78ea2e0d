#include "table/records/reading.h"

#include "base/text.h"

namespace mailroom::table {

void Reading::wrong_at(BadField bad) {
    if (bad_.size() < bad_fields_max) bad_.push_back(std::move(bad));
}

std::string Reading::joined(std::string_view member) const {
    std::string name(truncate_utf8(member, name_bytes_max));
    if (name.size() < member.size()) name += "…";
    return place_.empty() ? name : place_ + "." + name;
}

}  // namespace mailroom::table
