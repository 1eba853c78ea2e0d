#include "mjml/reader.h"

#include "base/text.h"
#include "mjml/attribute_reader.h"
#include "mjml/html_scan.h"
#include "mjml/liquid_text.h"
#include "mjml/vocabulary.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mailroom::mjml {
namespace {

class Reader {
public:
    Reader(std::string_view text, Warnings& warnings) : text_(text), warnings_(warnings) {}

    Result<Source, Failure> read();

private:
    Result<Ok, Failure> read_markup();
    Result<Ok, Failure> read_comment();
    Result<Ok, Failure> read_start_tag();
    Result<Ok, Failure> read_html(Element& element);
    Result<Ok, Failure> open(Element element);
    void skip_raw(const Element& element);
    void read_end_tag();
    void read_text();
    void keep_text(std::string_view text, std::size_t line);
    void keep_liquid(std::string_view text, std::size_t line);
    void close();
    void close_down_to(std::size_t depth);
    std::size_t line_here();
    Failure failure(std::string message) { return {line_here(), std::move(message)}; }

    std::string_view text_;
    Warnings& warnings_;
    std::size_t at_ = 0;
    std::size_t counted_ = 0, line_ = 1;  // Lines are counted up to there.
    std::vector<Element> open_;
    std::size_t elements_ = 0;
    bool has_root_ = false;
    Source source_;
};

std::size_t Reader::line_here() {
    const auto passed = text_.substr(counted_, at_ - counted_);
    line_ += static_cast<std::size_t>(std::ranges::count(passed, '\n'));
    counted_ = at_;
    return line_;
}

Result<Source, Failure> Reader::read() {
    while (at_ < text_.size()) {
        if (starts_markup(text_, at_)) {
            TRY(read_markup());
        } else {
            read_text();
        }
    }
    if (!open_.empty()) {
        const auto& last = open_.back();
        return Failure{last.line, last.tag + " is never closed"};
    }
    if (!has_root_) return Failure{0, "there is no MJML in this text: it has no element mjml"};
    return std::move(source_);
}

Result<Ok, Failure> Reader::read_markup() {
    const auto rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return read_comment();
    if (rest.starts_with("</")) {
        read_end_tag();
        return Ok{};
    }
    if (rest.starts_with("<!") || rest.starts_with("<?")) {
        const auto end = rest.find('>');
        if (end == rest.npos) return failure("a declaration is never closed");
        at_ += end + 1;
        return Ok{};
    }
    return read_start_tag();
}

Result<Ok, Failure> Reader::read_comment() {
    const auto line = line_here();
    const auto end = text_.find("-->", at_ + 4);
    if (end == text_.npos) return failure("a comment is never closed");
    auto comment = text_.substr(at_, end + 3 - at_);
    at_ = end + 3;
    if (!open_.empty()) {
        if (++elements_ > elements_max) return failure("there are too many elements");
        open_.back().children.push_back({"mj-raw", line, {}, std::string(comment)});
    }
    return Ok{};
}

Result<Ok, Failure> Reader::read_start_tag() {
    const auto line = line_here();
    AttributeReader reader(text_, at_);
    auto tag = reader.read();
    if (!tag) return Failure{line, std::move(tag).error()};
    at_ = tag->end;
    Element element{std::move(tag->name), line, std::move(tag->attributes)};
    if (element.tag == "mj-include") {
        return Failure{line,
                       "mj-include is not possible here: nothing is read from files; put the "
                       "included text in its place"};
    }
    if (++elements_ > elements_max) return Failure{line, "there are too many elements"};
    TRY(open(std::move(element)));
    auto& opened = open_.back();
    if (tag->is_closed || is_void_element(opened.tag)) {
        close();
    } else if (const auto* rule = find_rule(opened.tag);
               rule != nullptr && rule->holds == ElementRule::Holds::html) {
        TRY(read_html(opened));
        close();
    } else {
        skip_raw(opened);
    }
    return Ok{};
}

// What is no MJML anyway, and whose text may look like tags.
void Reader::skip_raw(const Element& element) {
    if (element.tag == "style" || element.tag == "script")
        at_ = raw_text_end(text_, at_, element.tag);
}

Result<Ok, Failure> Reader::open(Element element) {
    if (open_.empty() && has_root_) {
        return Failure{element.line, "there is a second element beside mjml: " + element.tag};
    }
    if (open_.empty() && element.tag != "mjml") {
        return Failure{element.line,
                       "the outermost element must be mjml, not " + quoted(element.tag)};
    }
    if (open_.size() == depth_max) {
        return Failure{element.line,
                       "elements are nested deeper than " + std::to_string(depth_max)};
    }
    has_root_ = true;
    open_.push_back(std::move(element));
    return Ok{};
}

Result<Ok, Failure> Reader::read_html(Element& element) {
    const auto end = html_end(text_, at_, element.tag);
    if (!end) return Failure{element.line, element.tag + " is never closed"};
    element.content = std::string(trim(text_.substr(at_, end->begin - at_)));
    at_ = end->end;
    return Ok{};
}

void Reader::read_end_tag() {
    const auto line = line_here();
    const auto close_at = std::min(text_.find('>', at_), text_.size());
    const auto name = ascii_lower(trim(text_.substr(at_ + 2, close_at - at_ - 2)));
    at_ = std::min(close_at + 1, text_.size());
    for (auto depth = open_.size(); depth > 0; --depth) {
        if (open_[depth - 1].tag != name) continue;
        close_down_to(depth);
        close();
        return;
    }
    warnings_.add(line, name, "there is no open element that this ends");
}

void Reader::close_down_to(std::size_t depth) {
    while (open_.size() > depth) {
        warnings_.add(open_.back(), "is not closed before what it stands in");
        close();
    }
}

void Reader::close() {
    auto closed = std::move(open_.back());
    open_.pop_back();
    (open_.empty() ? source_.root : open_.back().children.emplace_back()) = std::move(closed);
}

// Up to the next tag; `<` in Liquid begins none.
void Reader::read_text() {
    const auto begin = at_;
    const auto line = line_here();
    while (at_ < text_.size() && !starts_markup(text_, at_)) {
        const auto end = liquid_end(text_, at_);
        at_ = end == at_ ? at_ + 1 : end;
    }
    const auto text = trim(text_.substr(begin, at_ - begin));
    if (text.empty()) return;
    const auto space = text_.substr(begin, static_cast<std::size_t>(text.data() - &text_[begin]));
    const auto lines = static_cast<std::size_t>(std::ranges::count(space, '\n'));
    keep_text(text, line + lines);
}

void Reader::keep_text(std::string_view text, std::size_t line) {
    if (is_only_liquid(text)) return keep_liquid(text, line);
    const auto parent = open_.empty() ? std::string_view() : std::string_view(open_.back().tag);
    if (!parent.empty() && find_rule(parent) == nullptr) return;  // Which is warned of itself.
    warnings_.add(line, parent, "text between elements is left out: " + quoted(text));
}

void Reader::keep_liquid(std::string_view text, std::size_t line) {
    if (open_.empty() || open_.back().tag == "mjml") {
        const auto* children = open_.empty() ? nullptr : &open_.back().children;
        const bool body_is_read =
            children == nullptr
                ? has_root_
                : std::ranges::find(*children, "mj-body", &Element::tag) != children->end();
        (body_is_read ? source_.after : source_.before).append(text);
        return;
    }
    auto& parent = open_.back();
    const auto* rule = find_rule(parent.tag);
    if (rule == nullptr || rule->any_children || !rule->may_hold("mj-raw")) {
        warnings_.add(line, parent.tag, "Liquid is left out here: " + quoted(text));
        return;
    }
    if (parent.tag == "mj-head") {
        warnings_.add(line, parent.tag,
                      "Liquid stands after everything else in the head, and encloses none of it: " +
                          quoted(text));
    }
    parent.children.push_back({"mj-raw", line, {}, std::string(text)});
}

}  // namespace

Result<Source, Failure> read_source(std::string_view text, Warnings& warnings) {
    return Reader(text, warnings).read();
}

}  // namespace mailroom::mjml
