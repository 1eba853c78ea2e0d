#include "people/segments/filter_json.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace mailroom::people {

namespace {

using json::View;
using table::Reading;
using Type = View::Type;

// Reads one filter; how deep it is and how many tests there are count for the whole of it.
class FilterReader {
public:
    explicit FilterReader(Reading& reading) : reading_(reading) {}
    Filter filter(const View& view);

private:
    struct Member {
        std::string_view name;
        View value;
    };
    using MemberList = std::vector<Member>;

    std::optional<MemberList> members(const View& view);
    Filter test(const MemberList& members);
    std::vector<Filter> parts(const View& list);
    Filter group(const Member& member);
    Filter of_attribute(const MemberList& members);
    Filter compared(Path path, const Member& member);
    Filter tagged(const View& value);
    Filter subscribed(const MemberList& members);
    Filter did(const MemberList& members);
    void did_member(const Member& member, Did& did);
    // The only member is that one.
    bool is_alone(const MemberList& members);
    std::string text(const View& view);
    std::string word(const View& view);  // A text that is not empty.
    std::vector<std::string> texts(const View& view);
    Scalar scalar(const View& view);
    Scalar odd_scalar(const View& view);
    std::optional<Moment> moment(const View& view);
    Filter wrong(std::string why) {
        reading_.wrong(std::move(why));
        return {};
    }

    Reading& reading_;
    std::size_t depth_ = 0, tests_ = 0;
};

std::optional<FilterReader::MemberList> FilterReader::members(const View& view) {
    if (view.type() != Type::object) {
        reading_.wrong("must be an object");
        return std::nullopt;
    }
    MemberList all;
    json::Members walk(view);
    for (Member member; walk.next(member.name, member.value);) {
        if (std::ranges::find(all, member.name, &Member::name) != all.end()) {
            reading_.wrong_member(member.name, "is there twice");
            return std::nullopt;
        }
        all.push_back(member);
    }
    return all;
}

Filter FilterReader::filter(const View& view) {
    if (depth_ == filter_depth_max) {
        return wrong("is more than " + std::to_string(filter_depth_max) + " tests deep");
    }
    const auto all = members(view);
    if (!all) return {};
    if (all->empty()) return wrong("must be a test; {\"all\": []} is everybody");
    ++depth_;
    auto read = test(*all);
    --depth_;
    const auto name = all->front().name;
    const bool is_group = name == "all" || name == "any" || name == "not";
    const auto* const everybody = std::get_if<All>(&read.test);
    const bool is_test = !is_group || (everybody != nullptr && everybody->parts.empty());
    if (is_test && ++tests_ > filter_tests_max) {
        return wrong("is more than " + std::to_string(filter_tests_max) + " tests");
    }
    return read;
}

Filter FilterReader::test(const MemberList& members) {
    const auto has = [&](std::string_view name) {
        return std::ranges::find(members, name, &Member::name) != members.end();
    };
    if (has("attribute")) return of_attribute(members);
    if (has("did")) return did(members);
    if (has("topic")) return subscribed(members);
    const auto& [name, value] = members.front();
    if (!is_alone(members)) return {};
    const Reading::Inside inside(reading_, name);
    if (name == "all" || name == "any" || name == "not") return group(members.front());
    if (name == "tag") return tagged(value);
    if (name == "segment") return InSegment{word(value)};
    return wrong("is no test: it is all, any, not, attribute, tag, topic, segment or did");
}

bool FilterReader::is_alone(const MemberList& members) {
    if (members.size() == 1) return true;
    reading_.wrong_member(members[1].name, "does not belong to " + std::string(members[0].name));
    return false;
}

Filter FilterReader::group(const Member& member) {
    if (member.name == "not") return !filter(member.value);
    if (member.value.type() != Type::list) return wrong("must be a list");
    auto all = parts(member.value);
    if (all.size() == 1) return std::move(all.front());
    if (member.name == "all") return All{std::move(all)};
    if (all.empty()) return wrong("must not be empty");
    return Any{std::move(all)};
}

std::vector<Filter> FilterReader::parts(const View& list) {
    std::vector<Filter> all;
    json::Elements elements(list);
    for (View element; elements.next(element) && tests_ <= filter_tests_max;) {
        const Reading::Inside inside(reading_, all.size());
        all.push_back(filter(element));
    }
    return all;
}

Filter FilterReader::of_attribute(const MemberList& members) {
    Path path;
    const Member* how = nullptr;
    for (const auto& member : members) {
        if (member.name == "attribute") {
            const Reading::Inside inside(reading_, member.name);
            path = texts(member.value);
        } else if (how == nullptr) {
            how = &member;
        } else {
            reading_.wrong_member(member.name, "does not belong to " + std::string(how->name));
        }
    }
    if (how == nullptr) return wrong("must say what the attribute is: equals, for example");
    const Reading::Inside inside(reading_, how->name);
    return compared(std::move(path), *how);
}

Filter FilterReader::compared(Path path, const Member& member) {
    const auto& [name, value] = member;
    if (name == "exists") {
        if (value.type() != Type::boolean) return wrong("must be true or false");
        Filter exists = Exists{std::move(path)};
        return value.boolean() ? std::move(exists) : !std::move(exists);
    }
    if (name == "one_of") {
        if (value.type() != Type::list) return wrong("must be a list");
        OneOf test{std::move(path), {}};
        json::Elements elements(value);
        for (View element; elements.next(element);) {
            const Reading::Inside inside(reading_, test.values.size());
            test.values.push_back(scalar(element));
            if (test.values.size() > filter_values_max) return wrong("is one too many");
        }
        if (test.values.empty()) return wrong("must not be empty");
        return test;
    }
    const auto how = named<Comparison>(name);
    if (!how) return wrong("is no comparison: it is one_of, exists, " + names_text<Comparison>());
    if (is_about_letters(*how)) return Compared{std::move(path), *how, text(value)};
    return Compared{std::move(path), *how, scalar(value)};
}

Filter FilterReader::tagged(const View& value) { return Tagged{texts(value)}; }

Filter FilterReader::subscribed(const MemberList& members) {
    Subscribed test;
    for (const auto& [name, value] : members) {
        const Reading::Inside inside(reading_, name);
        if (name == "topic") {
            test.topic = word(value);
        } else if (name == "is") {
            table::Form<TopicState>::read(value, test.state, reading_);
        } else {
            reading_.wrong("does not belong to topic");
        }
    }
    return test;
}

Filter FilterReader::did(const MemberList& members) {
    Did did;
    for (const auto& member : members) {
        const Reading::Inside inside(reading_, member.name);
        did_member(member, did);
    }
    if (did.deed == Deed::sent && did.mails) {
        reading_.wrong_member("did", "is known by person only; ask for delivered");
    }
    if (did.times > 1 && did.when == Did::When::before) {
        reading_.wrong_member("times", "is counted since some time, or over all time");
    }
    if (did.times > Did::times_since_max && did.when == Did::When::since) {
        reading_.wrong_member("times", "must be at most " + std::to_string(Did::times_since_max) +
                                           " where it is counted since some time");
    }
    return did;
}

void FilterReader::did_member(const Member& member, Did& did) {
    const auto& [name, value] = member;
    if (name == "did") return table::Form<Deed>::read(value, did.deed, reading_);
    if (name == "times") {
        table::Form<std::int64_t>::read(value, did.times, reading_);
        if (did.times < 1) reading_.wrong("must be 1 or more");
        return;
    }
    if (const auto group = named<MailGroup>(name)) {
        if (did.mails) return reading_.wrong("cannot stand beside the other");
        did.mails = Mails{*group, word(value)};
        return;
    }
    if (name != "since" && name != "before") return reading_.wrong("does not belong to did");
    if (did.when != Did::When::ever) return reading_.wrong("cannot stand beside the other");
    did.when = name == "since" ? Did::When::since : Did::When::before;
    if (const auto read = moment(value)) did.moment = *read;
}

std::string FilterReader::text(const View& view) {
    std::string read;
    table::Form<std::string>::read(view, read, reading_);
    if (read.size() > filter_word_bytes_max) {
        reading_.wrong("has more than " + std::to_string(filter_word_bytes_max) + " bytes");
    }
    return read;
}

std::string FilterReader::word(const View& view) {
    auto read = text(view);
    if (reading_.is_good() && read.empty()) reading_.wrong("must not be empty");
    return read;
}

// One or a list of them, none of them empty.
std::vector<std::string> FilterReader::texts(const View& view) {
    std::vector<std::string> all;
    if (view.type() == Type::list) {
        json::Elements elements(view);
        for (View element; elements.next(element);) {
            const Reading::Inside inside(reading_, all.size());
            all.push_back(text(element));
            if (all.size() > filter_values_max) reading_.wrong("is one too many");
            if (!reading_.is_good()) return all;
        }
    } else {
        all.push_back(text(view));
    }
    const bool has_empty = std::ranges::any_of(all, &std::string::empty);
    if (reading_.is_good() && (all.empty() || has_empty)) reading_.wrong("must not be empty");
    return all;
}

Scalar FilterReader::scalar(const View& view) {
    if (view.type() == Type::text) return text(view);
    if (view.type() == Type::boolean) return view.boolean();
    if (view.type() == Type::integer && view.integer()) return table::Number(*view.integer());
    if (view.type() == Type::integer || view.type() == Type::decimal) {
        char digits[64];
        const auto [end, error] = std::to_chars(digits, digits + sizeof digits, view.decimal());
        const auto number = table::Number::parse({digits, end});
        if (number) return *number;
        reading_.wrong("is out of range");
        return false;
    }
    return odd_scalar(view);
}

Scalar FilterReader::odd_scalar(const View& view) {
    const auto all = view.type() == Type::object ? members(view) : MemberList();
    if (!all) return false;
    if (all->size() == 1 && all->front().name == "moment") {
        const Reading::Inside inside(reading_, "moment");
        return moment(all->front().value).value_or(Moment());
    }
    if (all->size() == 1 && all->front().name == "number") {
        const Reading::Inside inside(reading_, "number");
        const auto number = table::Number::parse(text(all->front().value));
        if (number) return *number;
        reading_.wrong("must be a number");
        return false;
    }
    reading_.wrong("must be a text, a number, true, false or {\"moment\": …}");
    return false;
}

std::optional<Moment> FilterReader::moment(const View& view) {
    const auto read = view.type() == Type::text ? parse_moment(view.text()) : std::nullopt;
    if (!read) reading_.wrong("must be a time such as 2026-01-31 or 30 days ago");
    return read;
}

}  // namespace

}  // namespace mailroom::people

namespace mailroom::table {

void Form<people::Filter>::read(const json::View& view, people::Filter& to, Reading& reading) {
    to = people::FilterReader(reading).filter(view);
}

}  // namespace mailroom::table
