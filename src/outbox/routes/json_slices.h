// Where the parts of a JSON text stand in it.
#pragma once

#include <string_view>
#include <vector>

namespace mailroom::outbox {

// The texts of the elements of a list, or of the values of an object's members, in their order and
// exactly as they were written, without the blanks around them. `json` must be the valid text of a
// list or an object.
std::vector<std::string_view> child_texts(std::string_view json);

}  // namespace mailroom::outbox
