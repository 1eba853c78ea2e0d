// What reading one mail may use. Past a limit the rest is left out and a defect says so.
#pragma once

#include <cstddef>

namespace mailroom::mime {

struct ReadLimits {
    std::size_t depth_max = 32;                // Multiparts in multiparts; real mail has five.
    std::size_t parts_max = 1000;              // In the whole mail.
    std::size_t headers_max = 1000;            // Fields of one part; long relay chains have 200.
    std::size_t header_bytes_max = 64 * 1024;  // One field: References and To grow, not past this.
    std::size_t headers_bytes_max = 1024 * 1024;        // All fields of one part.
    std::size_t text_bytes_max = 16 * 1024 * 1024;      // The text and the HTML body, each.
    std::size_t html_text_bytes_max = 2 * 1024 * 1024;  // HTML that is turned into text.
};

}  // namespace mailroom::mime
