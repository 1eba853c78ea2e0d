// A thing with what depends on the moment at which it is looked at.
//
//   struct Invoice { … Standing at(Time now) const; };   // Standing has fields: "overdue".
//   api.get("/v1/invoices/{id}", {…}, as_of_now(clock, act(invoices, &Invoices::require)));
#pragma once

#include "base/clock.h"
#include "program/action.h"
#include "table/records/cursor.h"

#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace mailroom::program {

template <class T>
struct AsOf {
    T value;
    decltype(std::declval<const T&>().at(Time())) then;

    static constexpr std::string_view record_name = T::record_name;
    static constexpr auto fields =
        std::tuple{table::fields::part(&AsOf::value), table::fields::part(&AsOf::then)};
};

template <class T>
AsOf<T> as_of(T value, Time now) {
    auto then = value.at(now);
    return {std::move(value), std::move(then)};
}
template <class T>
table::Slice<AsOf<T>> as_of(table::Slice<T> page, Time now) {
    table::Slice<AsOf<T>> all;
    all.next = std::move(page.next);
    for (auto& one : page.items) all.items.push_back(as_of(std::move(one), now));
    return all;
}

// The action, with what it answers as of now. The clock must outlive it.
template <class Action>
auto as_of_now(const Clock& clock, Action action) {
    return followed(action,
                    [&clock]<class T>(T value) { return as_of(std::move(value), clock.now()); });
}

}  // namespace mailroom::program
