#include "app/partial_files.h"

#include "app/input.h"

#include <filesystem>
#include <istream>
#include <system_error>

namespace mailroom::app {

namespace {

constexpr std::size_t partial_bytes_max = 1024 * 1024;  // As for a template.
constexpr std::size_t partials_max = 1000;              // More is the wrong directory.

}  // namespace

Result<PartialFiles> PartialFiles::read(const std::string& directory) {
    std::error_code failed;
    std::filesystem::directory_iterator files(directory, failed);
    if (failed) {
        return Error{Errc::not_found, "cannot read " + directory + ": " + failed.message()};
    }
    PartialFiles partials;
    std::istream none(nullptr);
    for (; files != std::filesystem::directory_iterator(); files.increment(failed)) {
        const auto& path = files->path();
        if (path.extension() != ".liquid" || !files->is_regular_file(failed)) continue;
        if (partials.templates_.size() == partials_max) {
            return Error{Errc::invalid, directory + " has more than " +
                                            std::to_string(partials_max) + " partials"};
        }
        const auto text = TRY(read_input(path.string(), none, partial_bytes_max));
        const auto compiled = liquid::Template::compile(text);
        if (!compiled) {
            return Error{Errc::invalid, path.string() + ": " + Error(compiled.error()).message};
        }
        partials.templates_.emplace(path.stem().string(), *compiled);
    }
    return partials;
}

std::optional<liquid::Template> PartialFiles::find(std::string_view name) const {
    const auto found = templates_.find(name);
    return found == templates_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace mailroom::app
