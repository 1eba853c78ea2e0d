// Filters made up at random, for properties that hold of all of them.
#pragma once

#include "base/time_format.h"
#include "people/segments/filter.h"
#include "table/value.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mailroom::people {

class RandomFilters {
public:
    explicit RandomFilters(std::uint64_t seed) : random_(seed) {}

    Filter filter(int depth) {
        const auto kind = below(depth > 0 ? 10 : 7);
        if (kind == 7) return All{parts(depth)};
        if (kind == 8) return Any{parts(depth)};
        if (kind == 9) return !filter(depth - 1);
        return test(kind);
    }
    // Somebody whom such filters may mean.
    table::Item profile(Time now) {
        table::Item item;
        for (auto count = below(6); count > 0; --count) item.set(word(), value(now, 2));
        for (const char* flag : {"unsubscribed", "suppressed"}) {
            if (below(3) == 0) item.set(flag, value(now, 0));
        }
        if (below(2) == 0) item.set("tags", table::Value::list({word(), word()}));
        table::Item topics;
        topics.set(word(), table::Value("in")).set(word(), table::Value("out"));
        if (below(2) == 0) item.set("mailroomTopics", table::Value::map(topics));
        return item;
    }
    Activity activity(Time now) {
        Activity activity;
        for (auto& done : activity.done) {
            const auto days = std::chrono::days(below(200));
            if (below(2) == 0) done = {now - days, static_cast<std::int64_t>(1 + below(5))};
            while (done && below(3) != 0 && done->before.size() + 1 < Activity::times_kept) {
                const auto last = done->before.empty() ? done->last : done->before.front();
                done->before.insert(done->before.begin(), last - std::chrono::days(below(20)));
            }
            if (done) done->count += static_cast<std::int64_t>(done->before.size());
        }
        return activity;
    }
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

private:
    std::vector<Filter> parts(int depth) {
        std::vector<Filter> all;
        for (auto count = 2 + below(2); count > 0; --count) all.push_back(filter(depth - 1));
        return all;
    }
    Filter test(std::uint64_t kind) {
        switch (kind) {
            case 0:
                return compared();
            case 1: {
                OneOf test{path(), {scalar()}};
                while (below(2) == 0) test.values.push_back(scalar());
                return test;
            }
            case 2:
                return Exists{path()};
            case 3: {
                Tagged test{{word()}};
                while (below(3) == 0) test.tags.push_back(word());
                return test;
            }
            case 4:
                return Subscribed{word(), all_names<TopicState>[below(3)].value};
            case 5:
                return InSegment{word()};
            default:
                return did();
        }
    }
    Filter compared() {
        const auto how = all_names<Comparison>[below(all_names<Comparison>.size())].value;
        if (is_about_letters(how)) return Compared{path(), how, word()};
        return Compared{path(), how, scalar()};
    }
    Filter did() {
        Did did;
        did.deed = all_names<Deed>[below(deed_count)].value;
        did.when = static_cast<Did::When>(below(3));
        if (did.deed != Deed::sent && below(3) == 0) {
            did.mails = Mails{all_names<MailGroup>[below(3)].value, word()};
        }
        if (did.when != Did::When::ever) did.moment = moment();
        if (did.when != Did::When::before) did.times = static_cast<std::int64_t>(1 + below(5));
        return did;
    }
    Path path() {
        Path path{word()};
        while (below(4) == 0) path.push_back(word());
        return path;
    }
    Scalar scalar() {
        const auto whole = static_cast<std::int64_t>(below(2000)) - 1000;
        switch (below(5)) {
            case 0:
                return table::Number(whole);
            case 1:
                return *table::Number::parse(std::to_string(whole) + ".0625");
            case 2:
                return below(2) == 0;
            case 3:
                return moment();
            default:
                return word();
        }
    }
    table::Value value(Time now, int depth) {
        const auto days = std::chrono::days(below(200)) - std::chrono::days(100);
        switch (below(depth > 0 ? 9 : 7)) {
            case 0:
                return static_cast<std::int64_t>(below(2000)) - 1000;
            case 1:
                return std::to_string(below(2000));
            case 2:
                return below(2) == 0;
            case 3:
                return format_rfc3339(now + days);
            case 4:
                return to_unix_seconds(now + days);
            case 5:
                return table::Value::null();
            case 6:
                return word();
            case 7:
                return table::Value::list({value(now, depth - 1), value(now, depth - 1)});
            default:
                return table::Value::map(table::Item{{word(), value(now, depth - 1)}});
        }
    }
    Moment moment() {
        const auto amount = static_cast<std::int64_t>(below(150));
        const auto unit = all_names<Unit>[below(all_names<Unit>.size())].value;
        const auto time = from_unix_ms(static_cast<std::int64_t>(below(4'000'000'000'000)));
        switch (below(5)) {
            case 0:
                return Moment::ahead(amount, unit);
            case 1:
                return {Moment::Kind::today};
            case 2:
                return Moment::on_day_of(time);
            case 3:
                return Moment::at(time);
            default:
                return Moment::ago(amount, unit);
        }
    }
    std::string word() {
        static const std::vector<std::string> words = {
            "plan", "first-name", "and",  "tag",    "a b",  "Zoë",       "opened", "x\"y",
            "\\",   "`",          "a.b",  "30",     "is",   "not",       "at",     "within",
            "null", "🙂",       "true", "in (1)", "x\ny", "createdAt", "now",    "between"};
        return words[below(words.size())];
    }

    std::mt19937_64 random_;
};

}  // namespace mailroom::people
