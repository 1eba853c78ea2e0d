#include "mime/read/headers.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::mime {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// RFC 5322, 3.6.8: printable ASCII without the colon. Blanks before the colon are obsolete syntax
// (4.5.8) and are taken as well.
std::size_t name_length(std::string_view line) {
    const auto colon = line.find(':');
    if (colon == line.npos || colon == 0) return 0;
    auto end = colon;
    while (end > 0 && is_blank(line[end - 1])) --end;
    for (std::size_t i = 0; i < end; ++i) {
        if (line[i] <= ' ' || line[i] == '\x7f') return 0;
    }
    return end;
}

std::string_view without_line_end(std::string_view line) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// One field with its continuation lines. A line of blanks only is one of them (RFC 5322, 4.2), but
// some programs write it where the empty line before the body belongs: it ends the headers when
// neither another field nor an empty line comes after the continuation lines.
std::size_t field_end(std::string_view bytes, std::size_t position) {
    const auto first = line_end(bytes, position);
    auto end = first, before_blank_line = std::string_view::npos;
    while (end < bytes.size() && is_blank(bytes[end])) {
        const auto next = line_end(bytes, end);
        if (before_blank_line == bytes.npos && trim(bytes.substr(end, next - end)).empty()) {
            before_blank_line = end;
        }
        end = next;
    }
    if (before_blank_line == bytes.npos || end == bytes.size()) return end;
    const auto line = without_line_end(bytes.substr(end, line_end(bytes, end) - end));
    return line.empty() || name_length(line) > 0 ? end : before_blank_line;
}

class Reader {
public:
    Reader(std::string_view bytes, const ReadLimits& limits, Defects& defects,
           const std::function<bool(std::size_t)>& stops)
        : bytes_(bytes), limits_(limits), defects_(defects), stops_(stops) {}

    HeaderBlock read(std::size_t position) {
        const auto start = position;
        while (position < bytes_.size()) {
            const auto end = line_end(bytes_, position);
            const auto line = without_line_end(bytes_.substr(position, end - position));
            if (trim(line).empty()) return finish(end);
            if (stops_ && line.starts_with("--") && stops_(position)) return finish(position);
            const auto name = is_blank(line[0]) ? 0 : name_length(line);
            if (name == 0) {
                if (!continues_after(end)) {
                    add_defect(defects_, defect::missing_separator,
                               "no empty line between headers and body");
                    return finish(position);
                }
                add_defect(defects_, defect::malformed_header, "a header line without a name");
                position = end;
                continue;
            }
            const auto next = field_end(bytes_, position);
            add(bytes_.substr(position, name), position + line.find(':') + 1, next, next - start);
            position = next;
        }
        return finish(bytes_.size());
    }

private:
    HeaderBlock finish(std::size_t body) {
        block_.body = body;
        return std::move(block_);
    }

    // Does a header follow a line that is none? Then only the line is bad.
    bool continues_after(std::size_t position) const {
        const auto end = line_end(bytes_, position);
        const auto line = without_line_end(bytes_.substr(position, end - position));
        return !line.empty() && !is_blank(line[0]) && name_length(line) > 0;
    }

    void add(std::string_view name, std::size_t begin, std::size_t end, std::size_t so_far) {
        if (block_.headers.fields().size() >= limits_.headers_max ||
            so_far > limits_.headers_bytes_max) {
            defect::add_once(defects_, defect::too_many_headers, "header fields past the limit");
            return;
        }
        auto value = trim(bytes_.substr(begin, end - begin));
        if (value.size() > limits_.header_bytes_max) {
            add_defect(defects_, defect::header_too_long, std::string(name) + " was cut");
            value = value.substr(0, limits_.header_bytes_max);
        }
        if (value.find('\0') != value.npos) {
            defect::add_once(defects_, defect::nul_byte, "a NUL byte in " + std::string(name));
        }
        block_.headers.add({name, value});
    }

    std::string_view bytes_;
    const ReadLimits& limits_;
    Defects& defects_;
    const std::function<bool(std::size_t)>& stops_;
    HeaderBlock block_;
};

}  // namespace

std::optional<std::string_view> Headers::find(std::string_view name) const {
    for (const auto& field : fields_) {
        if (ascii_equal_ignoring_case(field.name, name)) return field.value;
    }
    return std::nullopt;
}

std::vector<std::string_view> Headers::find_all(std::string_view name) const {
    std::vector<std::string_view> values;
    for (const auto& field : fields_) {
        if (ascii_equal_ignoring_case(field.name, name)) values.push_back(field.value);
    }
    return values;
}

std::string unfold(std::string_view value) {
    std::string line(trim(value));
    if (std::ranges::none_of(line, [](char c) { return c == '\n' || c == '\r' || c == '\0'; })) {
        return line;
    }
    std::string out;
    out.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const char next = i + 1 < line.size() ? line[i + 1] : '\0';
        if (c == '\r' && next == '\n') continue;
        // The blank that follows a fold is kept; a break without one becomes a blank.
        if (c == '\n' && is_blank(next)) continue;
        out += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
    }
    return out;
}

std::size_t line_end(std::string_view bytes, std::size_t position) {
    const auto end = bytes.find('\n', position);
    return end == bytes.npos ? bytes.size() : end + 1;
}

HeaderBlock read_headers(std::string_view bytes, std::size_t position, const ReadLimits& limits,
                         Defects& defects, const std::function<bool(std::size_t)>& stops) {
    return Reader(bytes, limits, defects, stops).read(position);
}

}  // namespace mailroom::mime
