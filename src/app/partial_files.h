// The partials of a template as the files of one directory.
#pragma once

#include "liquid/template.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::app {

// Reads every file NAME.liquid of the directory (not of those below it) at once, so that a name in
// a template never becomes a path.
class PartialFiles final : public liquid::Partials {
public:
    // `not_found`; `invalid` when one is no template, naming its file.
    static Result<PartialFiles> read(const std::string& directory);

    std::optional<liquid::Template> find(std::string_view name) const override;

private:
    std::map<std::string, liquid::Template, std::less<>> templates_;
};

}  // namespace mailroom::app
