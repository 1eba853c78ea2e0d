#include "people/segments/filter_parser.h"

#include "base/suggestion.h"
#include "base/text.h"
#include "people/segments/filter_text.h"

#include <array>
#include <charconv>
#include <utility>

namespace mailroom::people {

namespace {

template <class Group>
Filter one_or(Group group) {
    if (group.parts.size() == 1) return std::move(group.parts.front());
    return group;
}

FilterMistake too_deep(std::size_t at) {
    return {at, "more than " + std::to_string(filter_depth_max) + " tests inside each other"};
}

}  // namespace

Result<Filter, FilterMistake> parse_filter(std::string_view text) {
    if (text.size() > filter_bytes_max) {
        return FilterMistake{
            1, "the filter is longer than " + std::to_string(filter_bytes_max) + " bytes"};
    }
    if (!is_utf8(text)) return FilterMistake{1, "the filter is not UTF-8"};
    return FilterParser(text).read();
}

Result<Filter, FilterMistake> FilterParser::read() {
    TRY(advance());
    if (token_.kind == Kind::end) return wrong("the filter is empty; all people are: all");
    auto whole = TRY(filter(1));
    if (token_.kind != Kind::end) return wrong("expected and, or, or the end, not " + here());
    if (tests_in(whole) > filter_tests_max) {
        return FilterMistake{1, "has more than " + std::to_string(filter_tests_max) + " tests"};
    }
    if (depth_of(whole) > filter_depth_max) return too_deep(1);
    return whole;
}

FilterParser::Read<Ok> FilterParser::advance() {
    token_ = TRY(tokens_.next());
    return Ok{};
}

bool FilterParser::is_at(std::string_view word) const {
    if (token_.kind == Kind::sign) return token_.text == word;
    return token_.kind == Kind::word && ascii_equal_ignoring_case(token_.text, word);
}

FilterParser::Read<bool> FilterParser::take(std::string_view word) {
    if (!is_at(word)) return false;
    TRY(advance());
    return true;
}

FilterParser::Read<Ok> FilterParser::expect(std::string_view word, std::string_view after) {
    if (TRY(take(word))) return Ok{};
    return wrong("expected " + std::string(word) + " after " + std::string(after) + ", not " +
                 here());
}

FilterMistake FilterParser::wrong(std::string why) const {
    return tokens_.mistake(token_.begin, std::move(why));
}

std::string FilterParser::here() const {
    constexpr std::size_t shown_bytes_max = 40;
    if (token_.kind == Kind::end) return "the end";
    auto text = std::string(truncate_utf8(token_.text, shown_bytes_max));
    return token_.kind == Kind::quoted ? '"' + text + '"' : text;
}

FilterParser::Read<Filter> FilterParser::filter(std::size_t depth) {
    Any any;
    do any.parts.push_back(TRY(both(depth)));
    while (TRY(take("or")));
    return one_or(std::move(any));
}

FilterParser::Read<Filter> FilterParser::both(std::size_t depth) {
    All all;
    do all.parts.push_back(TRY(one(depth)));
    while (TRY(take("and")));
    return one_or(std::move(all));
}

FilterParser::Read<Filter> FilterParser::one(std::size_t depth) {
    // Brackets need not mean anything; what they mean is counted in the end.
    if (depth > 2 * filter_depth_max) return too_deep(tokens_.mistake(token_.begin, "").at);
    if (is_at("not")) return negated(depth);
    if (is_at("(")) return group(depth);
    if (!TRY(take("all"))) return test();
    return Filter();
}

FilterParser::Read<Filter> FilterParser::negated(std::size_t depth) {
    TRY(advance());
    return !TRY(one(depth + 1));
}

FilterParser::Read<Filter> FilterParser::group(std::size_t depth) {
    TRY(advance());
    auto inner = TRY(filter(depth + 1));
    TRY(expect(")", "what is in brackets"));
    return inner;
}

FilterParser::Read<Filter> FilterParser::test() {
    if (token_.kind == Kind::word) {
        const auto word = ascii_lower(token_.text);
        for (const std::string_view what : {"tag", "topic", "segment"}) {
            if (word == what) return named_test(what);
        }
        if (const auto deed = named<Deed>(word)) return did(*deed);
    }
    const auto at = token_.begin;
    const auto attribute = TRY(path());
    if (token_.kind == Kind::end || is_at(")") || is_at("and") || is_at("or")) {
        return bare(attribute, at);
    }
    return of_attribute(attribute);
}

// A test is missing, but for the two flags that everybody has.
FilterParser::Read<Filter> FilterParser::bare(const Path& path, std::size_t at) {
    static const std::vector<std::string> known = {"unsubscribed", "suppressed", "sent",
                                                   "delivered",    "opened",     "clicked",
                                                   "bounced",      "complained", "replied"};
    const auto& name = path.front();
    if (path.size() == 1 && (name == known[0] || name == known[1])) return is_equal(name, true);
    std::string why = "what must " + name + " be? For example: " + name + " = \"pro\"";
    if (const auto meant = suggestion(name, known)) why = "did you mean " + *meant + "?";
    return tokens_.mistake(at, std::move(why));
}

FilterParser::Read<Path> FilterParser::path() {
    Path path;
    do {
        const bool is_word = token_.kind == Kind::word && !is_filter_word(token_.text);
        if (!is_word && token_.kind != Kind::name) {
            return wrong("expected a test such as plan = \"pro\", not " + here());
        }
        if (token_.text.empty()) return wrong("an attribute has a name");
        if (token_.text.size() > filter_word_bytes_max) return wrong("the name is too long");
        path.push_back(token_.text);
        TRY(advance());
    } while (TRY(take(".")));
    return path;
}

FilterParser::Read<Filter> FilterParser::named_test(std::string_view what) {
    TRY(advance());
    const bool is_not = is_at("!=") || is_at("not");
    if (is_at("not")) TRY(advance());
    std::vector<std::string> names;
    if (is_at("=") || is_at("!=")) {
        TRY(advance());
        names.push_back(TRY(quoted(what)));
    } else if (TRY(take("in"))) {
        for (auto& value : TRY(list())) {
            auto* const name = std::get_if<std::string>(&value);
            if (name == nullptr) return wrong(std::string(what) + " in takes texts");
            names.push_back(std::move(*name));
        }
    } else {
        return wrong("expected = or in after " + std::string(what) + ", not " + here());
    }
    for (const auto& name : names) {
        if (name.empty()) return wrong(std::string(what) + " has a name");
    }
    Any any;
    const auto state = what == "topic" ? TRY(topic_state()) : TopicState::in;
    if (what == "tag") any.parts.emplace_back(Tagged{std::move(names)});
    for (auto& name : names) {
        if (what == "topic") any.parts.emplace_back(Subscribed{std::move(name), state});
        if (what == "segment") any.parts.emplace_back(InSegment{std::move(name)});
    }
    auto test = one_or(std::move(any));
    return is_not ? !std::move(test) : std::move(test);
}

FilterParser::Read<TopicState> FilterParser::topic_state() {
    if (!TRY(take("is"))) return TopicState::in;
    const auto state =
        token_.kind == Kind::word ? named<TopicState>(ascii_lower(token_.text)) : std::nullopt;
    if (!state) return wrong("expected in, out or pending after is, not " + here());
    TRY(advance());
    return *state;
}

FilterParser::Read<std::optional<Mails>> FilterParser::mails(Deed deed) {
    const bool is_word = token_.kind == Kind::word;
    const auto group = is_word ? named<MailGroup>(ascii_lower(token_.text)) : std::nullopt;
    if (!group) return std::optional<Mails>();
    if (deed == Deed::sent) {
        return wrong("what was sent is known by person only; ask for delivered " + here());
    }
    TRY(advance());
    auto id = TRY(quoted(name_of(*group)));
    if (id.empty()) return wrong(std::string(name_of(*group)) + " has a name");
    return std::optional(Mails{*group, std::move(id)});
}

FilterParser::Read<Filter> FilterParser::did(Deed deed) {
    TRY(advance());
    Did did;
    did.deed = deed;
    did.mails = TRY(mails(deed));
    if (is_at("at")) did.times = TRY(did_times());
    if (is_at("within") || is_at("since") || is_at("before")) return did_since(did);
    return Filter(did);
}

FilterParser::Read<Filter> FilterParser::did_since(Did did) {
    const auto word = ascii_lower(token_.text);
    if (did.times > 1 && word == "before") {
        return wrong("how often is counted within or since a time, or over all time");
    }
    if (did.times > Did::times_since_max) {
        return wrong("at least " + std::to_string(Did::times_since_max) +
                     " times is the most that is counted since some time");
    }
    TRY(advance());
    did.when = word == "before" ? Did::When::before : Did::When::since;
    if (word != "within") {
        did.moment = TRY(moment(word));
        return Filter(did);
    }
    if (token_.kind != Kind::figure) return wrong("expected a number after within, not " + here());
    const auto figure = token_.text;
    TRY(advance());
    did.moment = TRY(duration(figure));
    did.moment = Moment::ago(did.moment.amount, did.moment.unit);
    return Filter(did);
}

FilterParser::Read<std::int64_t> FilterParser::did_times() {
    TRY(advance());
    TRY(expect("least", "at"));
    std::int64_t times = 0;
    const auto& text = token_.text;
    const auto* const end = text.data() + text.size();
    const auto [read_to, error] = std::from_chars(text.data(), end, times);
    const bool is_number = token_.kind == Kind::figure && error == std::errc() && read_to == end;
    if (!is_number || times < 1) return wrong("expected how often, 1 or more, not " + here());
    TRY(advance());
    if (!TRY(take("time"))) TRY(expect("times", "how often"));
    return times;
}

}  // namespace mailroom::people
