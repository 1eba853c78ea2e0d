#include "mime/read/json_writer.h"

#include "base/text.h"
#include "mime/charset.h"

#include <cassert>

namespace mailroom::mime {

JsonWriter& JsonWriter::name(std::string_view name) {
    assert(!has_name_ && open_.ends_with('{'));
    before_value();
    quoted(name);
    out_ += ": ";
    has_name_ = true;
    return *this;
}

void JsonWriter::text(std::string_view text) {
    before_value();
    if (is_utf8(text)) {
        quoted(text);
    } else {
        quoted(to_utf8(text, "utf-8").text);
    }
}

void JsonWriter::number(std::uint64_t number) {
    before_value();
    out_ += std::to_string(number);
}

void JsonWriter::boolean(bool value) {
    before_value();
    out_ += value ? "true" : "false";
}

void JsonWriter::null() {
    before_value();
    out_ += "null";
}

std::string JsonWriter::take() && {
    assert(open_.empty());
    out_ += '\n';
    return std::move(out_);
}

void JsonWriter::begin(char bracket) {
    before_value();
    out_ += bracket;
    open_ += bracket;
    is_first_ = true;
}

void JsonWriter::end(char bracket) {
    assert(open_.ends_with(bracket == '}' ? '{' : '[') && !has_name_);
    open_.pop_back();
    if (!is_first_) new_line();
    out_ += bracket;
    is_first_ = false;
}

void JsonWriter::before_value() {
    if (has_name_) {
        has_name_ = false;
        return;
    }
    if (!is_first_) out_ += ',';
    if (!open_.empty()) new_line();
    is_first_ = false;
}

void JsonWriter::new_line() {
    out_ += '\n';
    out_.append(2 * open_.size(), ' ');
}

void JsonWriter::quoted(std::string_view utf8) {
    constexpr std::string_view digits = "0123456789abcdef";
    out_ += '"';
    for (const char c : utf8) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out_ += '\\';
            out_ += c;
        } else if (c == '\n') {
            out_ += "\\n";
        } else if (c == '\t') {
            out_ += "\\t";
        } else if (byte < 0x20 || byte == 0x7f) {
            out_ += "\\u00";
            out_ += digits[byte >> 4];
            out_ += digits[byte & 15];
        } else {
            out_ += c;
        }
    }
    out_ += '"';
}

}  // namespace mailroom::mime
