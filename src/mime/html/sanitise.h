// HTML from a mail, made safe to show inside our own pages.
//
//   const auto shown = sanitise_html(mail.html, {.external_loads = ExternalLoads::remove});
//   // shown.html goes into the page; shown.external_loads says what the mail wanted to load.
//
// Only elements and attributes on a list come through, written anew from the parsed tree. No
// script, event handler, form, frame, plug-in, SVG or MathML; no CSS that loads, covers the page or
// moves; addresses are http, https, mailto and tel only. Links open apart and tell nothing about
// the page. Classes, ids and names get the prefix `mail-`, which the page must not use; style
// sheets apply only inside the element of class `mail-body` that they bring with them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

enum class ExternalLoads { remove, keep };
enum class DataImages { remove, keep };  // PNG, JPEG, GIF and WebP inside the address itself.

struct SanitiseOptions {
    ExternalLoads external_loads = ExternalLoads::remove;
    DataImages data_images = DataImages::remove;
    // The address under which the page serves an image of the same mail; none removes it. Without a
    // function `cid:` addresses are kept. What it returns is trusted.
    std::function<std::optional<std::string>(std::string_view content_id)> content_address = {};
};

struct SanitisedHtml {
    std::string html;
    struct Removed {
        std::size_t elements = 0;
        std::size_t attributes = 0;
        std::size_t addresses = 0;  // Of links and images.
        std::size_t styles = 0;     // CSS declarations, selectors and rules.
        bool operator==(const Removed&) const = default;
    } removed;
    // What showing the mail would fetch, removed or not, in order; the first 1000.
    std::vector<std::string> external_loads;
    bool truncated = false;  // The mail was larger than we show.
};

// Never fails and takes linear time. Without `content_address`, what comes out goes in again
// unchanged: a parser reads it as it was meant. `html` must be UTF-8; other bytes become U+FFFD.
SanitisedHtml sanitise_html(std::string_view html, const SanitiseOptions& options = {});

}  // namespace mailroom::mime
