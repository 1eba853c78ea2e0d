#include "mime/read/reply_text.h"

#include "base/text.h"
#include "mime/read/quote_marks.h"

#include <span>
#include <vector>

namespace mailroom::mime {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (true) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == text.npos) return lines;
        text.remove_prefix(end + 1);
    }
}

void add_line(std::string& text, std::string_view line) {
    text += line;
    text += '\n';
}

// Lines trimmed at the end, at most one empty line in a row, none around.
std::string tidy(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    std::size_t breaks = 0;
    for (const auto line : lines_of(trim(text))) {
        const auto end = line.find_last_not_of(" \t\r");
        if (end == line.npos) {
            ++breaks;
            continue;
        }
        if (!out.empty()) out += breaks > 0 ? "\n\n" : "\n";
        breaks = 0;
        out += line.substr(0, end + 1);
    }
    return out;
}

class Splitter {
public:
    explicit Splitter(std::string_view body) : lines_(lines_of(body)) {}

    ReplyText split() {
        while (next_ < lines_.size()) step();
        return {tidy(fresh_), tidy(quoted_), tidy(signature_)};
    }

private:
    enum class Inside { text, signature, device_signature };

    void step() {
        const auto rest = std::span(lines_).subspan(next_);
        const auto line = rest[0];
        if (is_quoted_line(line)) return take(quoted_, 1);
        if (begins_quoted_tail(rest)) return take(quoted_, rest.size());
        if (const auto count = attribution_with_quote(rest)) return take(quoted_, count);
        if (line == "-- ") {
            inside_ = Inside::signature;
            ++next_;
            return;
        }
        if (inside_ == Inside::text && is_device_signature(line)) {
            inside_ = Inside::device_signature;
        } else if (inside_ == Inside::device_signature && trim(line).empty()) {
            inside_ = Inside::text;
        }
        take(inside_ == Inside::text ? fresh_ : signature_, 1);
    }

    // The lines of an attribution that a quote, or nothing at all, comes after.
    static std::size_t attribution_with_quote(std::span<const std::string_view> rest) {
        const auto count = attribution_lines(rest);
        if (count == 0) return 0;
        for (const auto line : rest.subspan(count)) {
            if (!trim(line).empty()) return is_quoted_line(line) ? count : 0;
        }
        return count;
    }

    void take(std::string& into, std::size_t count) {
        for (; count > 0; --count) add_line(into, lines_[next_++]);
    }

    std::vector<std::string_view> lines_;
    std::size_t next_ = 0;
    Inside inside_ = Inside::text;
    std::string fresh_, quoted_, signature_;
};

}  // namespace

ReplyText split_reply(std::string_view body) {
    auto split = Splitter(body).split();
    if (split.new_content.empty()) split.new_content = tidy(body);
    return split;
}

}  // namespace mailroom::mime
