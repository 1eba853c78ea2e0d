// The parts of the page that shows all routes.
#pragma once

#include <string_view>

namespace mailroom::program {

extern const std::string_view docs_html, docs_css, docs_js;

}  // namespace mailroom::program
