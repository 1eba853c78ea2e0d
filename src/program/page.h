// Pages for people that come with the program: their parts never change while it runs, hold no
// secret, and so are for anybody.
#pragma once

#include "program/api.h"

#include <string_view>

namespace mailroom::program {

struct PagePart {
    std::string_view path;          // "/captured.js"
    std::string_view name;          // Of the operation.
    std::string_view content_type;  // "text/javascript; charset=utf-8"
    std::string_view text;          // As long as the program runs.
};

// `policy` is what the browser may load and run for it. What is asked of a part in a query is not
// looked at.
void add_page_part(Api& api, const PagePart& part, std::string_view summary,
                   std::string_view policy);

}  // namespace mailroom::program
