#include "base/text.h"
#include "mjml/selector.h"

#include <algorithm>

namespace mailroom::mjml {
namespace {

constexpr std::size_t compounds_max = 20;

bool is_name_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

class SelectorParser {
public:
    explicit SelectorParser(std::string_view text) : text_(trim(text)) {}

    std::optional<Selector> parse();

private:
    bool read_compound(Compound& compound);
    bool read_simple(Compound& compound);
    bool read_attribute(Compound& compound);
    bool read_pseudo_class(Compound& compound);
    std::optional<std::string> read_value();
    char read_relation();
    std::string read_name();
    void skip_space();
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    std::string_view text_;
    std::size_t at_ = 0;
};

void SelectorParser::skip_space() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n\f", at_), text_.size());
}

std::string SelectorParser::read_name() {
    const auto begin = at_;
    while (is_name_char(peek())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
}

std::optional<Selector> SelectorParser::parse() {
    Selector selector;
    char relation = '\0';
    do {
        auto& compound = selector.compounds.emplace_back();
        compound.relation = relation;
        if (!read_compound(compound) || selector.compounds.size() > compounds_max) {
            return std::nullopt;
        }
        auto& [ids, classes, types] = selector.specificity;
        ids += static_cast<int>(compound.ids.size());
        classes += static_cast<int>(compound.classes.size() + compound.attributes.size());
        types += !compound.type.empty() + compound.must_be_first + compound.must_be_last;
        relation = read_relation();
    } while (at_ < text_.size());
    if (relation != ' ') return std::nullopt;  // To nothing.
    return selector;
}

// A space is one, too, unless another one follows it.
char SelectorParser::read_relation() {
    skip_space();
    const char c = peek();
    if (c != '>' && c != '+' && c != '~') return ' ';
    ++at_;
    skip_space();
    return c;
}

bool SelectorParser::read_compound(Compound& compound) {
    const auto begin = at_;
    if (peek() == '*') {
        ++at_;
    } else {
        compound.type = ascii_lower(read_name());
    }
    while (at_ < text_.size() && std::string_view(".#[:").find(peek()) != std::string_view::npos) {
        if (!read_simple(compound)) return false;
    }
    return at_ > begin;
}

bool SelectorParser::read_simple(Compound& compound) {
    const char kind = text_[at_++];
    if (kind == '[') return read_attribute(compound);
    if (kind == ':') return read_pseudo_class(compound);
    auto name = read_name();
    if (name.empty()) return false;
    (kind == '.' ? compound.classes : compound.ids).push_back(std::move(name));
    return true;
}

bool SelectorParser::read_pseudo_class(Compound& compound) {
    const auto name = ascii_lower(read_name());
    if (name == "first-child") compound.must_be_first = true;
    if (name == "last-child") compound.must_be_last = true;
    return name == "first-child" || name == "last-child";
}

bool SelectorParser::read_attribute(Compound& compound) {
    skip_space();
    AttributeTest test{read_name(), ""};
    skip_space();
    if (std::string_view("~|^$*").find(peek()) != std::string_view::npos && peek() != '\0') {
        test.how = text_[at_++];
    }
    if (peek() == '=') {
        ++at_;
        if (test.how == '\0') test.how = '=';
        auto value = read_value();
        if (!value) return false;
        test.value = std::move(*value);
    } else if (test.how != '\0') {
        return false;
    }
    skip_space();
    if (test.name.empty() || peek() != ']') return false;
    ++at_;
    compound.attributes.push_back(std::move(test));
    return true;
}

std::optional<std::string> SelectorParser::read_value() {
    skip_space();
    const char quote = peek();
    if (quote != '"' && quote != '\'') return read_name();
    const auto end = text_.find(quote, at_ + 1);
    if (end == text_.npos) return std::nullopt;
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
}

}  // namespace

std::optional<Selector> parse_selector(std::string_view text) {
    return SelectorParser(text).parse();
}

}  // namespace mailroom::mjml
