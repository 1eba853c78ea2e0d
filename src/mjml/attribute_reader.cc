#include "mjml/attribute_reader.h"

#include "base/text.h"
#include "mjml/liquid_text.h"
#include "mjml/reader.h"
#include "mjml/vocabulary.h"

#include <algorithm>
#include <utility>

namespace mailroom::mjml {
namespace {

constexpr std::string_view space = " \t\n\r\f";
constexpr std::string_view cut_off = "a tag is cut off by the end of the text";

bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// `#abc` is not known to every mail program.
std::string written_out(std::string_view name, std::string_view value) {
    const bool is_short = value.size() == 4 && value[0] == '#' && is_color_attribute(name) &&
                          std::ranges::all_of(value.substr(1), is_word);
    if (!is_short) return std::string(value);
    return {'#', value[1], value[1], value[2], value[2], value[3], value[3]};
}

}  // namespace

void AttributeReader::skip_space() {
    at_ = std::min(text_.find_first_not_of(space, at_), text_.size());
}

Result<StartTag, std::string> AttributeReader::read() {
    StartTag tag;
    const auto name_end = std::min(text_.find_first_of(" \t\n\r\f/>", at_ + 1), text_.size());
    tag.name = ascii_lower(text_.substr(at_ + 1, name_end - at_ - 1));
    at_ = name_end;
    for (;;) {
        skip_space();
        if (at_ >= text_.size()) return std::string(cut_off);
        if (peek() == '>') break;
        if (peek() == '/') {
            ++at_;
            tag.is_closed = peek() == '>';
            continue;
        }
        TRY(read_attribute(tag));
    }
    tag.end = at_ + 1;
    return tag;
}

Result<Ok, std::string> AttributeReader::read_attribute(StartTag& tag) {
    if (liquid_end(text_, at_) != at_) {
        return "Liquid stands between the attributes of " + tag.name +
               "; it can be kept inside of values only";
    }
    const auto begin = at_;
    at_ = std::min(text_.find_first_of(" \t\n\r\f/>=", at_ + 1), text_.size());
    const auto name = text_.substr(begin, at_ - begin);
    skip_space();
    std::string_view value;
    if (peek() == '=') {
        ++at_;
        skip_space();
        value = TRY(read_value());
    }
    const bool is_repeated =
        std::ranges::find(tag.attributes, name, &Attribute::name) != tag.attributes.end();
    if (is_repeated) return Ok{};  // As in HTML: the first one is it.
    if (tag.attributes.size() == attributes_max) return tag.name + " has too many attributes";
    tag.attributes.push_back({std::string(name), written_out(name, value)});
    return Ok{};
}

Result<std::string_view, std::string> AttributeReader::read_value() {
    const char quote = peek();
    if (quote == '"' || quote == '\'') {
        ++at_;
        const auto value = read_quoted(quote);
        if (at_ >= text_.size()) return std::string(cut_off);
        ++at_;
        return value;
    }
    const auto begin = at_;
    at_ = std::min(text_.find_first_of(" \t\n\r\f>", at_), text_.size());
    return text_.substr(begin, at_ - begin);
}

// A quote inside of Liquid ends nothing: href="{{ url | default: "/" }}".
std::string_view AttributeReader::read_quoted(char quote) {
    const auto begin = at_;
    while (at_ < text_.size() && text_[at_] != quote) {
        const auto end = liquid_end(text_, at_);
        at_ = end == at_ ? at_ + 1 : end;
    }
    return text_.substr(begin, at_ - begin);
}

}  // namespace mailroom::mjml
