#include "people/segments/holds.h"

#include "base/fold_case.h"
#include "base/text.h"
#include "people/profile.h"

#include <algorithm>

namespace mailroom::people {

namespace {

using table::Kind;
using table::Number;
using table::ValueView;

// The value that the rest of the path leads to.
std::optional<ValueView> value_within(const ValueView& top, const Path& path) {
    std::optional<ValueView> value = top;
    for (std::size_t i = 1; value && i < path.size(); ++i) {
        if (value->kind() != Kind::map) return std::nullopt;
        value = value->map().find(path[i]);
    }
    return value;
}

template <class T>
bool is_so(Comparison how, const T& value, const T& first, const T& last) {
    switch (how) {
        case Comparison::equals:
            return value >= first && value <= last;
        case Comparison::above:
            return value > last;
        case Comparison::at_least:
            return value >= first;
        case Comparison::below:
            return value < first;
        case Comparison::at_most:
            return value <= last;
        default:
            return false;
    }
}

// Of what is folded; by bytes, or of texts in ASCII without regard to case.
template <class IsSame>
bool letters_are(Comparison how, std::string_view text, std::string_view wanted,
                 const IsSame& is_same) {
    if (wanted.size() > text.size()) return false;
    if (how == Comparison::begins_with) return is_same(text.substr(0, wanted.size()), wanted);
    if (how == Comparison::ends_with) {
        return is_same(text.substr(text.size() - wanted.size()), wanted);
    }
    const auto one = [&](const char& a, const char& b) { return is_same({&a, 1}, {&b, 1}); };
    return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), one) != text.end() ||
           wanted.empty();
}

bool letters_are(Comparison how, std::string_view text, std::string_view wanted) {
    if (is_ascii(text) && is_ascii(wanted)) {
        return letters_are(how, text, wanted, &ascii_equal_ignoring_case);
    }
    const auto same = [](std::string_view a, std::string_view b) { return a == b; };
    return letters_are(how, fold_case(text), fold_case(wanted), same);
}

std::optional<Number> number_in(const ValueView& value) {
    if (value.kind() == Kind::number) return value.number();
    if (value.kind() != Kind::string) return std::nullopt;
    const auto number = Number::parse(trim(value.text()));
    return number ? std::optional(*number) : std::nullopt;
}

std::optional<Time> moment_in(const ValueView& value) {
    if (value.kind() == Kind::string) return time_in(value.text());
    if (value.kind() != Kind::number) return std::nullopt;
    const auto number = value.number().to_int64();
    return number ? time_in(*number) : std::nullopt;
}

// One value beside one scalar.
struct Beside {
    Comparison how;
    const ValueView& value;
    Time now;

    bool operator()(const std::string& wanted) const {
        if (value.kind() != Kind::string) return false;
        if (is_about_letters(how)) return letters_are(how, value.text(), wanted);
        return is_so<std::string_view>(how, value.text(), wanted, wanted);
    }
    bool operator()(const Number& wanted) const {
        const auto number = number_in(value);
        return number && is_so(how, *number, wanted, wanted);
    }
    bool operator()(bool wanted) const {
        return how == Comparison::equals && value.is_bool() && value.boolean() == wanted;
    }
    bool operator()(const Moment& wanted) const {
        const auto time = moment_in(value);
        if (!time) return false;
        const auto span = wanted.span(now);
        return is_so(how, *time, span.first, span.last);
    }
};

// Of the value, or of one of the elements of a list or set.
template <class IsSo>
bool some_element(const ValueView& value, const IsSo& is_so_of) {
    if (value.kind() == Kind::list) {
        for (const auto element : value.list()) {
            if (is_so_of(element)) return true;
        }
        return false;
    }
    if (!table::is_set(value.kind())) return is_so_of(value);
    const auto kind = value.kind() == Kind::string_set   ? Kind::string
                      : value.kind() == Kind::number_set ? Kind::number
                                                         : Kind::binary;
    for (const auto payload : value.set()) {
        if (is_so_of(table::Value::make(kind, payload).view())) return true;
    }
    return false;
}

// What is there and does not say no says yes, whoever wrote it; what is not there says no.
bool is_flag(const Compared& test) {
    return test.path.size() == 1 && test.how == Comparison::equals &&
           (test.path[0] == "unsubscribed" || test.path[0] == "suppressed") &&
           std::holds_alternative<bool>(test.value);
}

struct OfPerson {
    const PersonSeen& person;
    Time now;

    // Keys are no attributes.
    std::optional<ValueView> top(const Path& path) const {
        if (path.front() == "PK" || path.front() == "SK") return std::nullopt;
        return person.profile.find(path.front());
    }
    bool is_true(const Filter& filter) const { return holds(filter, person, now); }
    bool did_with_mails(const Did& test) const {
        const auto& all = person.found->of(test, now);
        const auto found = all.find(person.address);
        return found != all.end() && holds(test, found->second, now);
    }

    bool operator()(const All& all) const {
        return std::ranges::all_of(all.parts, [&](auto& part) { return is_true(part); });
    }
    bool operator()(const Any& any) const {
        return std::ranges::any_of(any.parts, [&](auto& part) { return is_true(part); });
    }
    bool operator()(const Not& rest) const { return !is_true(rest.part.front()); }
    bool operator()(const Compared& test) const {
        const auto value = top(test.path);
        return value ? holds(test, *value, now) : holds_of_nothing(test);
    }
    bool operator()(const OneOf& test) const {
        const auto value = top(test.path);
        return value && holds(test, *value, now);
    }
    bool operator()(const Exists& test) const {
        const auto value = top(test.path);
        return value && holds(test, *value);
    }
    bool operator()(const Tagged& test) const {
        const auto tags = person.profile.find("tags");
        return tags && has_tag(test, *tags);
    }
    bool operator()(const Subscribed& test) const {
        const auto topics = person.profile.find(topics_column);
        return topics && has_topic(test, *topics);
    }
    bool operator()(const InSegment&) const { return false; }
    bool operator()(const Did& test) const {
        if (test.mails) return person.found != nullptr && did_with_mails(test);
        return person.activity != nullptr && holds(test, person.activity->of(test.deed), now);
    }
};

}  // namespace

bool holds(const Filter& filter, const PersonSeen& person, Time now) {
    return std::visit(OfPerson{person, now}, filter.test);
}

bool holds_of_nothing(const Compared& test) { return is_flag(test) && !std::get<bool>(test.value); }

bool holds(const Compared& test, const ValueView& top, Time now) {
    if (is_flag(test)) {
        const table::Item alone{{test.path[0], table::Value(top)}};
        return is_set(alone, test.path[0]) == std::get<bool>(test.value);
    }
    const auto value = value_within(top, test.path);
    if (!value) return false;
    return some_element(*value, [&](const ValueView& element) {
        return std::visit(Beside{test.how, element, now}, test.value);
    });
}

bool holds(const OneOf& test, const ValueView& top, Time now) {
    const auto value = value_within(top, test.path);
    if (!value) return false;
    return some_element(*value, [&](const ValueView& element) {
        return std::ranges::any_of(test.values, [&](const Scalar& wanted) {
            return std::visit(Beside{Comparison::equals, element, now}, wanted);
        });
    });
}

bool holds(const Exists& test, const ValueView& top) {
    const auto value = value_within(top, test.path);
    if (!value || value->kind() == Kind::null) return false;
    return value->kind() != Kind::string || !value->text().empty();
}

bool has_tag(const Tagged& test, const ValueView& tags) {
    if (tags.kind() != Kind::list && tags.kind() != Kind::string_set) return false;
    return some_element(tags, [&](const ValueView& tag) {
        return tag.kind() == Kind::string &&
               std::ranges::find(test.tags, tag.text()) != test.tags.end();
    });
}

bool has_topic(const Subscribed& test, const ValueView& topics) {
    if (topics.kind() != Kind::map) return false;
    return topics.map().text(test.topic) == name_of(test.state);
}

bool holds(const Did& test, const std::optional<Activity::Done>& done, Time now) {
    if (!done || done->count < test.times) return false;
    if (test.when == Did::When::ever) return true;
    const auto first = test.moment.span(now).first;
    return test.when == Did::When::since ? done->since(first) >= test.times : done->last < first;
}

}  // namespace mailroom::people
