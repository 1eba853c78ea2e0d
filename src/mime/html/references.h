// What an HTML document refers to, each with its place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

struct LinkInHtml {
    std::string address;     // Without character references, and without the spaces around it.
    std::size_t offset = 0;  // Of the tag.
};

struct ImageInHtml {
    std::string address;
    bool has_size = false;  // Width and height, by attributes or by its style.
    std::size_t offset = 0;
};

struct ReferencesInHtml {
    std::vector<LinkInHtml> links;    // Of a and area.
    std::vector<ImageInHtml> images;  // Of img.
};

// In their order; what stands in comments is left out. `html` must be UTF-8. Linear time.
ReferencesInHtml references_in(std::string_view html);

}  // namespace mailroom::mime
