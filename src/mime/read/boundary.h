// The lines that separate the parts of a multipart (RFC 2046, 5.1.1).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

struct BoundaryLine {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    std::size_t level = none;     // Whose: the place in the stack; `none` at the end of the bytes.
    std::size_t content_end = 0;  // Where what stood before it ends; its line break is the line's.
    std::size_t next = 0;         // After the line.
    bool closes = false;

    bool at_end() const { return level == none; }
};

// The boundaries of all multiparts that are open at one place. A line of an outer one also ends the
// inner ones, so one pass over the bytes finds the parts of all of them.
class BoundaryStack {
public:
    // `bytes` must outlive this object.
    explicit BoundaryStack(std::string_view bytes) : bytes_(bytes) {}

    void push(std::string boundary) { open_.push_back(std::move(boundary)); }
    void pop() { open_.pop_back(); }
    std::string take() {
        auto innermost = std::move(open_.back());
        open_.pop_back();
        return innermost;
    }
    std::size_t size() const { return open_.size(); }

    // The boundary line that begins at `line_start`, which begins with `--`. At its end when none.
    BoundaryLine match(std::size_t line_start) const;
    // The first one from `position` on, which must be the start of a line.
    BoundaryLine next(std::size_t position) const;
    // What a multipart that begins at `position` seems to use when what it names does not come: the
    // first line that begins with `--` and has a `Content-` header after it, before any line of the
    // open ones. Empty when there is none. A view into the bytes.
    std::string_view guess(std::size_t position) const;

private:
    std::string_view bytes_;
    std::vector<std::string> open_;
};

}  // namespace mailroom::mime
