// The colors that CSS has names for. Private to this folder.
#pragma once

#include <string_view>

namespace mailroom::mjml {

bool is_color_name(std::string_view name);

}  // namespace mailroom::mjml
