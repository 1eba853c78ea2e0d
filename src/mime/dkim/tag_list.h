// The `name=value; name=value` lists of DKIM signatures and key records (RFC 6376, 3.2).
#pragma once

#include "base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::dkim {

constexpr std::size_t tags_max = 50;  // The standards define twenty.

class TagList {
public:
    struct Tag {
        std::string_view name;
        std::string_view value;  // Without the white space around it.
        std::size_t value_at;    // Where all between `=` and `;` begins in the text,
        std::size_t value_end;   // and ends.
    };

    // `text` must outlive the list. `invalid` for a name that is not one, a tag without `=`, a name
    // that comes twice, or more than tags_max tags.
    static Result<TagList> parse(std::string_view text);

    // Names are case-sensitive.
    std::optional<std::string_view> find(std::string_view name) const;
    const Tag* tag(std::string_view name) const;
    const std::vector<Tag>& tags() const { return tags_; }

private:
    std::vector<Tag> tags_;
};

// Without any spaces, tabs and line ends.
std::string without_space(std::string_view text);

// The parts between colons, without the white space around them.
std::vector<std::string_view> split_colons(std::string_view text);

}  // namespace mailroom::mime::dkim
