// Whether two requests or two answers say the same. For tests.
#pragma once

#include "table/operations.h"
#include "table/store.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace mailroom::table {

// Member by member, so that none can get lost unnoticed.
inline auto members(const Bindings& x) { return std::tie(x.names, x.values); }
inline bool operator==(const Bindings& a, const Bindings& b) { return members(a) == members(b); }

inline auto members(const Consumed::Index& x) { return std::tie(x.name, x.local, x.read, x.write); }
inline bool operator==(const Consumed::Index& a, const Consumed::Index& b) {
    return members(a) == members(b);
}
inline auto members(const Consumed& x) {
    return std::tie(x.table, x.table_read, x.table_write, x.indexes);
}
inline bool operator==(const Consumed& a, const Consumed& b) { return members(a) == members(b); }

inline auto members(const GetItem& x) {
    return std::tie(x.table, x.key, x.projection, x.bind, x.consistent);
}
inline auto members(const PutItem& x) {
    return std::tie(x.table, x.item, x.condition, x.bind, x.returns, x.on_failure);
}
inline auto members(const UpdateItem& x) {
    return std::tie(x.table, x.key, x.update, x.condition, x.bind, x.returns, x.on_failure);
}
inline auto members(const DeleteItem& x) {
    return std::tie(x.table, x.key, x.condition, x.bind, x.returns, x.on_failure);
}
inline auto members(const ConditionCheck& x) {
    return std::tie(x.table, x.key, x.condition, x.bind, x.on_failure);
}
inline auto members(const Query& x) {
    return std::tie(x.table, x.index, x.key_condition, x.filter, x.projection, x.bind, x.select,
                    x.limit, x.start_key, x.forward, x.consistent);
}
inline auto members(const Scan& x) {
    return std::tie(x.table, x.index, x.filter, x.projection, x.bind, x.select, x.limit,
                    x.start_key, x.segment, x.total_segments, x.consistent);
}
inline auto members(const BatchGet::PerTable& x) {
    return std::tie(x.table, x.keys, x.projection, x.bind, x.consistent);
}
inline auto members(const Page& x) {
    return std::tie(x.items, x.count, x.scanned_count, x.last_key, x.consumed);
}
inline auto members(const GetResult& x) { return std::tie(x.item, x.consumed); }
inline auto members(const WriteResult& x) { return std::tie(x.attributes, x.consumed); }
inline auto members(const BatchGetResult::PerTable& x) { return std::tie(x.table, x.items); }

template <class T>
concept HasMembers = requires(const T& x) {
    members(x);
};
template <HasMembers T>
bool same(const T& a, const T& b) {
    return members(a) == members(b);
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}
inline bool same(const BatchGet& a, const BatchGet& b) { return same(a.tables, b.tables); }
inline bool same(const BatchWrite::Action& a, const BatchWrite::Action& b) {
    if (a.index() != b.index()) return false;
    if (const auto* put = std::get_if<BatchWrite::Put>(&a)) {
        return put->item == std::get<BatchWrite::Put>(b).item;
    }
    return std::get<BatchWrite::Delete>(a).key == std::get<BatchWrite::Delete>(b).key;
}
inline bool same(const BatchWrite::PerTable& a, const BatchWrite::PerTable& b) {
    return a.table == b.table &&
           std::ranges::equal(a.actions, b.actions,
                              [](const auto& x, const auto& y) { return same(x, y); });
}
inline bool same(const BatchWrite& a, const BatchWrite& b) {
    return std::ranges::equal(a.tables, b.tables,
                              [](const auto& x, const auto& y) { return same(x, y); });
}
inline bool same(const WriteAction& a, const WriteAction& b) {
    return a.index() == b.index() &&
           std::visit(
               [&](const auto& x) {
                   return same(x, std::get<std::remove_cvref_t<decltype(x)>>(b));
               },
               a);
}

}  // namespace mailroom::table
