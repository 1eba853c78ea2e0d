// Writing JSON text at the end of a string, without spaces. Commas come by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::table::wire {

// `text`, which must be UTF-8, in quotes.
void append_json_text(std::string& out, std::string_view text);

// `out` must outlive this object and be written by it alone.
class JsonWriter {
public:
    explicit JsonWriter(std::string& out) : out_(out), begin_(out.size()) {}

    JsonWriter& open_object() { return open('{'); }
    JsonWriter& close_object() { return put('}'); }
    JsonWriter& open_list() { return open('['); }
    JsonWriter& close_list() { return put(']'); }

    // The name of the value that comes next. key() is for names from the API, which need no
    // escapes.
    JsonWriter& key(std::string_view name);
    JsonWriter& name(std::string_view name);

    JsonWriter& text(std::string_view text);
    JsonWriter& integer(std::int64_t value);
    // In plain notation, with a fraction, if only ".0".
    JsonWriter& decimal(double value);
    JsonWriter& boolean(bool value);

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
    JsonWriter& open(char bracket) {
        separate();
        return put(bracket);
    }
    JsonWriter& put(char c) {
        out_ += c;
        return *this;
    }

    std::string& out_;
    std::size_t begin_;
};

}  // namespace mailroom::table::wire
