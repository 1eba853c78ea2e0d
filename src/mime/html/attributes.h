// Which attributes of HTML come through the sanitiser, and what becomes of their values. Private to
// this folder.
#pragma once

#include "mime/html/sanitise.h"

#include <string>
#include <string_view>

namespace mailroom::mime::html {

class AttributeFilter {
public:
    // Both must outlive this object. Counts what it removes in `result`.
    AttributeFilter(const SanitiseOptions& options, SanitisedHtml& result)
        : options_(options), result_(result) {}

    // The value to write. None if the attribute goes.
    std::optional<std::string> filter(std::string_view element, std::string_view attribute,
                                      std::string_view value);

private:
    std::optional<std::string> link(std::string_view value);
    std::optional<std::string> image(std::string_view value);
    std::optional<std::string> image_set(std::string_view value);
    std::optional<std::string> external(std::string address);
    std::optional<std::string> style(std::string_view value);

    const SanitiseOptions& options_;
    SanitisedHtml& result_;
};

}  // namespace mailroom::mime::html
