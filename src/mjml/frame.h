// The document around the body of a mail. Private to this folder.
#pragma once

#include "mjml/page.h"

#include <string>
#include <string_view>

namespace mailroom::mjml {

// `body` is what `page` has written, with inlined styles or without.
std::string framed(const Page& page, std::string_view body);

// One pixel less than the breakpoint: "479px" for "480px".
std::string one_less(std::string_view breakpoint);

}  // namespace mailroom::mjml
