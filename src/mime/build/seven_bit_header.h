// One header field of somebody else's making, in ASCII where it can be.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

// `raw` is the whole field with its line end, `name` and `value` are parts of it. It is written as
// it is if it is ASCII or has something that only 8 bits can say.
void append_seven_bit_field(std::string& out, std::string_view name, std::string_view value,
                            std::string_view raw);

}  // namespace mailroom::mime
