// Writes JSON for people: indented, in the order it is told.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::mime {

// Objects and arrays must be ended in the order they were begun (asserted).
class JsonWriter {
public:
    // A name before each value of an object; none before those of an array.
    JsonWriter& name(std::string_view name);

    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_array() { begin('['); }
    void end_array() { end(']'); }
    // Bytes that are not UTF-8 become U+FFFD.
    void text(std::string_view text);
    void number(std::uint64_t number);
    void boolean(bool value);
    void null();

    // The whole text, with a line end. Everything must be ended.
    std::string take() &&;

private:
    void begin(char bracket);
    void end(char bracket);
    void before_value();
    void new_line();
    void quoted(std::string_view utf8);

    std::string out_;
    std::string open_;  // The brackets that must still be closed.
    bool is_first_ = true;
    bool has_name_ = false;
};

}  // namespace mailroom::mime
