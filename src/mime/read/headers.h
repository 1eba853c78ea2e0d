// The header fields of a mail or of one of its parts, as they stand in its bytes.
#pragma once

#include "mime/read/defect_kinds.h"
#include "mime/read/limits.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

// Views into the bytes that were read, which must outlive it.
struct HeaderView {
    std::string_view name;
    std::string_view value;  // Trimmed, still folded and encoded.
};

class Headers {
public:
    // The first field of that name, in any case of letters.
    std::optional<std::string_view> find(std::string_view name) const;
    std::vector<std::string_view> find_all(std::string_view name) const;
    bool has(std::string_view name) const { return find(name).has_value(); }
    // In the order of the mail.
    const std::vector<HeaderView>& fields() const { return fields_; }
    void add(HeaderView field) { fields_.push_back(field); }

private:
    std::vector<HeaderView> fields_;
};

// One line: folds opened (RFC 5322, 2.2.3), NUL and other line breaks as spaces, trimmed.
std::string unfold(std::string_view value);

// Where the line that holds `position` ends: after its LF, or at the end of `bytes`.
std::size_t line_end(std::string_view bytes, std::size_t position);

struct HeaderBlock {
    Headers headers;
    std::size_t body = 0;  // Where the body begins.
};

// Reads the fields that begin at `position`, up to an empty line, a line for which `stops` is true,
// a line that cannot be a header, or the end. `stops` is asked with the position of a line that
// begins with `--` and may be empty. Never fails.
HeaderBlock read_headers(std::string_view bytes, std::size_t position, const ReadLimits& limits,
                         Defects& defects, const std::function<bool(std::size_t)>& stops = {});

}  // namespace mailroom::mime
