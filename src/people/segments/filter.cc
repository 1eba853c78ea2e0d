#include "people/segments/filter.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

template <class T>
const std::vector<Filter>* parts_of(const T& test) {
    if constexpr (requires { test.parts; }) return &test.parts;
    if constexpr (requires { test.part; }) return &test.part;
    return nullptr;
}

// Calls visit(test) for each, those that hold others first.
template <class Visit>
void each_test(const Filter& filter, const Visit& visit) {
    std::visit(
        [&](const auto& test) {
            visit(test);
            if (const auto* parts = parts_of(test)) {
                for (const auto& part : *parts) each_test(part, visit);
            }
        },
        filter.test);
}

template <class Group>
Filter joined(Filter a, Filter b) {
    Group group;
    for (auto* one : {&a, &b}) {
        if (auto* same = std::get_if<Group>(&one->test)) {
            std::ranges::move(same->parts, std::back_inserter(group.parts));
        } else {
            group.parts.push_back(std::move(*one));
        }
    }
    return group;
}

struct SameTest {
    bool operator()(const All& a, const All& b) const { return a.parts == b.parts; }
    bool operator()(const Any& a, const Any& b) const { return a.parts == b.parts; }
    bool operator()(const Not& a, const Not& b) const { return a.part == b.part; }
    bool operator()(const Compared& a, const Compared& b) const {
        return a.path == b.path && a.how == b.how && a.value == b.value;
    }
    bool operator()(const OneOf& a, const OneOf& b) const {
        return a.path == b.path && a.values == b.values;
    }
    bool operator()(const Exists& a, const Exists& b) const { return a.path == b.path; }
    bool operator()(const Tagged& a, const Tagged& b) const { return a.tags == b.tags; }
    bool operator()(const Subscribed& a, const Subscribed& b) const {
        return a.topic == b.topic && a.state == b.state;
    }
    bool operator()(const InSegment& a, const InSegment& b) const { return a.id == b.id; }
    bool operator()(const Did& a, const Did& b) const {
        return a.deed == b.deed && a.mails == b.mails && a.when == b.when && a.moment == b.moment &&
               a.times == b.times;
    }
    template <class A, class B>
    bool operator()(const A&, const B&) const {
        return false;
    }
};

}  // namespace

bool operator==(const Filter& a, const Filter& b) { return std::visit(SameTest(), a.test, b.test); }

Filter operator&&(Filter a, Filter b) { return joined<All>(std::move(a), std::move(b)); }
Filter operator||(Filter a, Filter b) { return joined<Any>(std::move(a), std::move(b)); }
Filter operator!(Filter filter) {
    Not rest;
    rest.part.push_back(std::move(filter));
    return rest;
}
Filter is_equal(const std::string& attribute, Scalar value) {
    return Compared{{attribute}, Comparison::equals, std::move(value)};
}

std::vector<std::string> segments_in(const Filter& filter) {
    std::vector<std::string> ids;
    each_test(filter, [&]<class T>(const T& test) {
        if constexpr (std::same_as<T, InSegment>) ids.push_back(test.id);
    });
    return ids;
}

std::vector<const Did*> deeds_in(const Filter& filter) {
    std::vector<const Did*> deeds;
    each_test(filter, [&]<class T>(const T& test) {
        if constexpr (std::same_as<T, Did>) deeds.push_back(&test);
    });
    return deeds;
}

std::size_t tests_in(const Filter& filter) {
    std::size_t count = 0;
    each_test(filter, [&](const auto& test) {
        const auto* const parts = parts_of(test);
        if (parts == nullptr || parts->empty()) ++count;
    });
    return count;
}

std::size_t depth_of(const Filter& filter) {
    std::size_t deepest = 0;
    std::visit(
        [&](const auto& test) {
            const auto* parts = parts_of(test);
            if (parts == nullptr) return;
            for (const auto& part : *parts) deepest = std::max(deepest, depth_of(part));
        },
        filter.test);
    return deepest + 1;
}

}  // namespace mailroom::people
