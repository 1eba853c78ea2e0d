#include "mime/read/reply_text.h"

#include "base/text.h"
#include "mime/read/attribution.h"
#include "mime/read/device_signature.h"
#include "mime/read/header_block.h"
#include "mime/read/quote_marks.h"

#include <algorithm>
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
    explicit Splitter(std::string_view body) : lines_(lines_of(body)) {
        while (after_last_quote_ > 0 && !is_quoted_line(lines_[after_last_quote_ - 1])) {
            --after_last_quote_;
        }
    }

    ReplyText split() {
        while (next_ < lines_.size()) step();
        return {tidy(fresh_), tidy(quoted_), tidy(signature_)};
    }

private:
    enum class Inside { text, signature };

    void step() {
        const auto rest = std::span(lines_).subspan(next_);
        if (is_quote(next_)) return take_quote(1);
        const auto above = next_ > 0 ? lines_[next_ - 1] : std::string_view();
        if (const auto count = header_block_lines(rest, above)) {
            return take_quote(quoted_from(rest, count));
        }
        if (is_original_message_line(rest[0])) {
            return take_quote(quoted_from(rest, original_message_lines(rest)));
        }
        if (const auto count = attribution_lines(rest, next_)) return take_quote(count);
        if (rest[0] == "-- ") {
            inside_ = Inside::signature;
            ++next_;
            return;
        }
        if (const auto count = list_footer_lines(rest)) return take(signature_, count);
        const bool is_text = inside_ == Inside::text && !is_device_signature_at(next_);
        has_fresh_ = has_fresh_ || (is_text && !trim(rest[0]).empty());
        take(is_text ? fresh_ : signature_, 1);
    }

    // `>5 kg` is a quote beside other quoted lines only.
    bool is_quote(std::size_t at) const {
        if (!is_quoted_line(lines_[at])) return false;
        if (!is_doubtful_quoted_line(lines_[at])) return true;
        return was_quoted_ || (at + 1 < lines_.size() && is_quoted_line(lines_[at + 1]));
    }

    // Of a program: such a line ends what the writer says, and stands within it when a person wrote
    // it. Several may follow one another; what comes after them is looked up once.
    bool is_device_signature_at(std::size_t at) {
        if (!is_device_signature(lines_[at])) return false;
        if (at < after_devices_) return devices_end_text_;
        after_devices_ = at + 1;
        while (after_devices_ < lines_.size() && (trim(lines_[after_devices_]).empty() ||
                                                  is_device_signature(lines_[after_devices_]))) {
            ++after_devices_;
        }
        devices_end_text_ = after_devices_ == lines_.size() || is_mark(after_devices_);
        return devices_end_text_;
    }

    // Does a quote or a signature begin there?
    bool is_mark(std::size_t at) const {
        const auto rest = std::span(lines_).subspan(at);
        return is_quoted_line(rest[0]) || header_block_lines(rest, lines_[at - 1]) > 0 ||
               is_original_message_line(rest[0]) || attribution_lines(rest, at) > 0 ||
               rest[0] == "-- " || list_footer_lines(rest) > 0;
    }

    // The line and the fields below it.
    static std::size_t original_message_lines(std::span<const std::string_view> rest) {
        const auto next = after_empty_lines(rest.subspan(1));
        const auto fields = leading_fields(next);
        return fields == 0 ? 1 : rest.size() - next.size() + fields;
    }

    // All that is left; or only the `count` lines of the mark, when `>` marks what they are about.
    static std::size_t quoted_from(std::span<const std::string_view> rest, std::size_t count) {
        const auto next = after_empty_lines(rest.subspan(count));
        const bool is_marked = !next.empty() && (is_quoted_line(next[0]) || has_quote_below(next));
        return is_marked ? count : rest.size();
    }

    // The lines of an attribution that a quote comes after, or nothing at all if it has a date.
    std::size_t attribution_lines(std::span<const std::string_view> rest, std::size_t at) const {
        const auto mark = attribution_at(rest);
        if (mark.lines == 0) return 0;
        const auto next = after_empty_lines(rest.subspan(mark.lines));
        if (next.empty()) return mark.is_complete ? mark.lines : 0;
        if (is_quoted_line(next[0])) return mark.lines;
        const bool nothing_is_marked = after_last_quote_ <= at;
        return mark.is_exact && nothing_is_marked && has_fresh_ ? rest.size() : 0;
    }

    static bool has_quote_below(std::span<const std::string_view> rest) {
        const auto mark = attribution_at(rest);
        if (mark.lines == 0) return false;
        const auto next = after_empty_lines(rest.subspan(mark.lines));
        return !next.empty() && is_quoted_line(next[0]);
    }

    static std::span<const std::string_view> after_empty_lines(
        std::span<const std::string_view> lines) {
        const auto found =
            std::ranges::find_if(lines, [](std::string_view line) { return !trim(line).empty(); });
        return lines.subspan(static_cast<std::size_t>(found - lines.begin()));
    }

    // A quote ends a signature: people answer below both.
    void take_quote(std::size_t count) {
        inside_ = Inside::text;
        take(quoted_, count);
        was_quoted_ = true;
    }

    void take(std::string& into, std::size_t count) {
        for (; count > 0; --count) {
            was_quoted_ = was_quoted_ && trim(lines_[next_]).empty();
            add_line(into, lines_[next_++]);
        }
    }

    std::vector<std::string_view> lines_;
    std::size_t after_last_quote_ = lines_.size();
    std::size_t next_ = 0;
    std::size_t after_devices_ = 0;  // The first line below the last `Sent from my iPhone` found.
    bool devices_end_text_ = false;
    Inside inside_ = Inside::text;
    bool was_quoted_ = false;  // The last line that is not empty was.
    bool has_fresh_ = false;
    std::string fresh_, quoted_, signature_;
};

}  // namespace

ReplyText split_reply(std::string_view body) {
    auto split = Splitter(body).split();
    if (split.new_content.empty()) split.new_content = tidy(body);
    return split;
}

}  // namespace mailroom::mime
