// Where Liquid stands in a text: compiling MJML leaves it as it is. Private to this folder.
#pragma once

#include <cstddef>
#include <string_view>

namespace mailroom::mjml {

// The end of the `{{ … }}` or `{% … %}` that begins at `at`; `at` itself if none does. One that is
// never closed, or is longer than anybody writes, is none.
std::size_t liquid_end(std::string_view text, std::size_t at);

bool has_liquid(std::string_view text);

// Nothing but Liquid and space, and some Liquid. `{% if %}` needs its text: "{% if a %} b" is not.
bool is_only_liquid(std::string_view text);

}  // namespace mailroom::mjml
