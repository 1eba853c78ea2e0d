// The links of an HTML document, and the document with others in their places.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime {

// What stands in the place of a link; none: it stays as it is.
using ReplaceLink = std::function<std::optional<std::string>(std::string_view address)>;

// The document with other addresses in its links (`href` of a, area and of the shapes that Outlook
// draws, those in its conditional comments included), asked for in their order, and with `at_end`,
// which is HTML, where its body ends. All else stays byte for byte. `address` is without character
// references, and without the spaces around it. A link whose tag has the attribute `ses:no-track`
// or `data-no-track` is not asked about. `html` must be UTF-8. Linear time.
std::string replace_links(std::string_view html, const ReplaceLink& replace,
                          std::string_view at_end = "");

}  // namespace mailroom::mime
