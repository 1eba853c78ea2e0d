#include "mime/dkim/canonical.h"

#include "mime/dkim/openssl.h"

#include <algorithm>

namespace mailroom::mime::dkim {
namespace {

constexpr std::string_view line_end = "\r\n";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Counts all, hashes the first `length` bytes.
class BodySink {
public:
    explicit BodySink(std::optional<std::uint64_t> length) : left_(length.value_or(UINT64_MAX)) {}

    void add(std::string_view bytes) {
        result_.body_bytes += bytes.size();
        const auto taken = std::min<std::uint64_t>(bytes.size(), left_);
        hash_.update(bytes.substr(0, taken));
        result_.hashed_bytes += taken;
        left_ -= taken;
    }

    BodyHash finish() {
        result_.sha256 = hash_.finish();
        return std::move(result_);
    }

private:
    Sha256 hash_;
    std::uint64_t left_;
    BodyHash result_;
};

void add_simple(std::string_view body, BodySink& sink) {
    while (body.ends_with(line_end)) body.remove_suffix(line_end.size());
    sink.add(body);
    sink.add(line_end);
}

// Whether the line is its own relaxed form.
bool is_relaxed(std::string_view line) {
    bool after_space = false;
    for (const char c : line) {
        if (c == '\t' || (c == ' ' && after_space)) return false;
        after_space = c == ' ';
    }
    return !after_space;
}

class RelaxedBody {
public:
    explicit RelaxedBody(BodySink& sink) : sink_(sink) {}

    void run(std::string_view body) {
        while (!body.empty()) {
            const auto end = std::min(body.find(line_end), body.size());
            line(body.substr(0, end), end < body.size());
            body.remove_prefix(std::min(end + line_end.size(), body.size()));
        }
        flush();
    }

private:
    // Lines that need no change are hashed where they stand, as long a run of them as there is.
    void line(std::string_view line, bool ended) {
        const auto* end = std::find_if_not(line.rbegin(), line.rend(), is_blank).base();
        if (end == line.begin()) {
            ++empty_lines_;
            return;
        }
        const bool as_is = ended && is_relaxed(line);
        if (as_is && empty_lines_ == 0 && !run_.empty()) {
            run_ = {run_.data(), run_.size() + line.size() + line_end.size()};
            return;
        }
        flush();
        for (; empty_lines_ > 0; --empty_lines_) sink_.add(line_end);
        if (as_is) {
            run_ = {line.data(), line.size() + line_end.size()};
        } else {
            add_changed(line.substr(0, static_cast<std::size_t>(end - line.begin())));
        }
    }

    void add_changed(std::string_view line) {
        while (!line.empty()) {
            const auto word_end = std::min(line.find_first_of(" \t"), line.size());
            sink_.add(line.substr(0, word_end));
            line.remove_prefix(word_end);
            if (line.empty()) break;
            sink_.add(" ");
            line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        }
        sink_.add(line_end);
    }

    void flush() {
        sink_.add(run_);
        run_ = {};
    }

    BodySink& sink_;
    std::string_view run_;
    std::uint64_t empty_lines_ = 0;  // Not written yet: those at the end never are.
};

}  // namespace

void append_canonical(std::string& out, const HeaderField& field, Canonicalisation form) {
    if (form == Canonicalisation::simple) {
        out += field.whole;
        return;
    }
    out += field.lower_name;
    out += ':';
    bool space = false;
    bool begun = false;
    for (const char c : field.value) {
        if (c == '\r' || c == '\n') continue;
        if (is_blank(c)) {
            space = true;
            continue;
        }
        if (space && begun) out += ' ';
        out += c;
        space = false;
        begun = true;
    }
}

BodyHash hash_body(std::string_view body, Canonicalisation form,
                   std::optional<std::uint64_t> length) {
    BodySink sink(length);
    if (form == Canonicalisation::simple) {
        add_simple(body, sink);
    } else {
        RelaxedBody(sink).run(body);
    }
    return sink.finish();
}

}  // namespace mailroom::mime::dkim
