#include "base/text.h"
#include "people/segments/filter_parser.h"

#include <array>
#include <charconv>
#include <utility>

namespace mailroom::people {

namespace {

struct Sign {
    std::string_view text;
    Comparison how;
};
constexpr std::array signs = {Sign{"=", Comparison::equals}, Sign{"<", Comparison::below},
                              Sign{"<=", Comparison::at_most}, Sign{">", Comparison::above},
                              Sign{">=", Comparison::at_least}};

struct Letters {
    std::string_view word;
    Comparison how;
};
constexpr std::array letter_tests = {
    Letters{"contains", Comparison::contains}, Letters{"begins", Comparison::begins_with},
    Letters{"starts", Comparison::begins_with}, Letters{"ends", Comparison::ends_with}};

}  // namespace

FilterParser::Read<Filter> FilterParser::of_attribute(const Path& path) {
    if (token_.kind == Kind::sign) return compared(path, token_.text);
    if (is_at("is")) return is_something(path);
    const bool is_not = TRY(take("not"));
    auto test = TRY(is_not ? rest_of_test(path) : any_rest_of_test(path));
    return is_not ? !std::move(test) : std::move(test);
}

// Of those that "not" may stand before.
FilterParser::Read<Filter> FilterParser::rest_of_test(const Path& path) {
    if (is_at("in")) return one_of(path);
    for (const auto& [word, how] : letter_tests) {
        if (is_at(word)) return letters(path, how);
    }
    return wrong("expected a comparison after " + path.back() + ", not " + here());
}

FilterParser::Read<Filter> FilterParser::any_rest_of_test(const Path& path) {
    if (TRY(take("between"))) return between(path);
    if (TRY(take("exists"))) return Filter(Exists{path});
    return rest_of_test(path);
}

FilterParser::Read<Filter> FilterParser::compared(const Path& path, std::string_view sign) {
    const bool is_not = sign == "!=" || sign == "<>";
    const std::string text = is_not ? "=" : std::string(sign);
    for (const auto& [known, how] : signs) {
        if (known != text) continue;
        TRY(advance());
        // Not within the braces: what is made there before a failure would leak (g++ 12).
        auto with = TRY(value(text));
        Filter test = Compared{path, how, std::move(with)};
        return is_not ? !std::move(test) : std::move(test);
    }
    return wrong("expected a comparison after " + path.back() + ", not " + here());
}

FilterParser::Read<Filter> FilterParser::between(const Path& path) {
    auto low = TRY(value("between"));
    TRY(expect("and", "the lower end"));
    auto high = TRY(value("and"));
    return Filter(Compared{path, Comparison::at_least, std::move(low)}) &&
           Filter(Compared{path, Comparison::at_most, std::move(high)});
}

FilterParser::Read<Filter> FilterParser::is_something(const Path& path) {
    TRY(advance());
    const bool is_not = TRY(take("not"));
    TRY(expect("missing", "is"));
    Filter exists = Exists{path};
    return is_not ? std::move(exists) : !std::move(exists);
}

FilterParser::Read<Filter> FilterParser::letters(const Path& path, Comparison how) {
    const auto word = token_.text;
    TRY(advance());
    if (how != Comparison::contains) TRY(expect("with", word));
    auto text = TRY(quoted(word));
    return Filter(Compared{path, how, std::move(text)});
}

FilterParser::Read<Filter> FilterParser::one_of(const Path& path) {
    TRY(advance());
    auto values = TRY(list());
    return Filter(OneOf{path, std::move(values)});
}

FilterParser::Read<std::vector<Scalar>> FilterParser::list() {
    TRY(expect("(", "in"));
    std::vector<Scalar> values;
    do {
        if (values.size() == filter_values_max) {
            return wrong("a list may have " + std::to_string(filter_values_max) + " values");
        }
        values.push_back(TRY(value("(")));
    } while (TRY(take(",")));
    TRY(expect(")", "the values"));
    return values;
}

FilterParser::Read<std::string> FilterParser::quoted(std::string_view after) {
    if (token_.kind != Kind::quoted) {
        return wrong("expected a text in quotes after " + std::string(after) + ", not " + here());
    }
    if (token_.text.size() > filter_word_bytes_max) {
        return wrong("a text may have " + std::to_string(filter_word_bytes_max) + " bytes");
    }
    auto text = std::move(token_.text);
    TRY(advance());
    return text;
}

FilterParser::Read<Scalar> FilterParser::value(std::string_view after) {
    if (token_.kind == Kind::quoted) return Scalar(TRY(quoted(after)));
    if (token_.kind == Kind::figure) return figure(after);
    if (TRY(take("true"))) return Scalar(true);
    if (TRY(take("false"))) return Scalar(false);
    if (is_at("now") || is_at("today")) return Scalar(TRY(moment(after)));
    std::string why = "expected a value after " + std::string(after) + ", not " + here();
    if (token_.kind == Kind::word) why += "; a text stands in quotes";
    return wrong(std::move(why));
}

// A number, a time, or a number of days.
FilterParser::Read<Scalar> FilterParser::figure(std::string_view after) {
    const auto number = table::Number::parse(token_.text);
    if (!number) return Scalar(TRY(moment(after)));
    const auto text = token_.text;
    TRY(advance());
    if (token_.kind != Kind::word || !unit_named(token_.text)) return Scalar(*number);
    auto much = TRY(duration(text));
    if (TRY(take("ago"))) return Scalar(Moment::ago(much.amount, much.unit));
    TRY(expect("from", "how long"));
    TRY(expect("now", "from"));
    return Scalar(much);
}

FilterParser::Read<Moment> FilterParser::moment(std::string_view after) {
    const auto unknown = wrong("expected a time such as 2026-01-31 or 30 days ago after " +
                               std::string(after) + ", not " + here());
    const auto text = token_.text;
    if (token_.kind == Kind::word || token_.kind == Kind::figure) {
        if (const auto simple = parse_moment(text)) {
            TRY(advance());
            return *simple;
        }
    }
    if (token_.kind != Kind::figure || !table::Number::parse(text)) return unknown;
    const auto value = TRY(figure(after));
    if (const auto* const relative = std::get_if<Moment>(&value)) return *relative;
    return unknown;
}

FilterParser::Read<Moment> FilterParser::duration(std::string_view figure) {
    const auto unit = token_.kind == Kind::word ? unit_named(token_.text) : std::nullopt;
    if (!unit) return wrong("expected minutes, hours, days, weeks, months or years, not " + here());
    std::int64_t amount = 0;
    const auto* const end = figure.data() + figure.size();
    const auto [read_to, error] = std::from_chars(figure.data(), end, amount);
    const bool is_whole = error == std::errc() && read_to == end && amount >= 0;
    if (!is_whole || amount > amount_max(*unit)) {
        return wrong("must be a whole number of " + std::string(name_of(*unit)) + "s, at most " +
                     std::to_string(amount_max(*unit)));
    }
    TRY(advance());
    return Moment::ahead(amount, *unit);
}

}  // namespace mailroom::people
