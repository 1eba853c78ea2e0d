// Writing JSON text at the end of a string, without spaces. Commas come by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::json {

// `text`, which must be UTF-8, in quotes.
void append_text(std::string& out, std::string_view text);

// `out` must outlive this object and be written by it alone.
class Writer {
public:
    explicit Writer(std::string& out) : out_(out), begin_(out.size()) {}

    Writer& open_object() { return open('{'); }
    Writer& close_object() { return put('}'); }
    Writer& open_list() { return open('['); }
    Writer& close_list() { return put(']'); }

    // The name of the value that comes next. key() is for names from the API, which need no
    // escapes.
    Writer& key(std::string_view name);
    Writer& name(std::string_view name);

    Writer& text(std::string_view text);
    Writer& integer(std::int64_t value);
    // In plain notation, with a fraction, if only ".0".
    Writer& decimal(double value);
    Writer& boolean(bool value);
    Writer& null();

    // Where something else writes one whole value.
    std::string& value() {
        separate();
        return out_;
    }

private:
    // After anything but an opening or a name, a comma.
    void separate() {
        if (out_.size() == begin_) return;
        const char last = out_.back();
        if (last != '{' && last != '[' && last != ':') out_ += ',';
    }
    Writer& open(char bracket) {
        separate();
        return put(bracket);
    }
    Writer& put(char c) {
        out_ += c;
        return *this;
    }

    std::string& out_;
    std::size_t begin_;
};

}  // namespace mailroom::json
