// One page of a list: rows of a query or a scan as structs, and where to go on.
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "table/records/cursor.h"
#include "table/store.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace mailroom::table {

// `read` makes a Result<T> of a row. Rows that are no T are left out, with a line in the log: other
// programs may write to the table, and one odd row must not hide the others. A page may so be
// shorter than was wished, though more follow. `declared` is the table as it is made. `invalid` for
// a cursor that is not of this list.
template <class Request, class Read>
auto read_page(Store& store, Request request, const CreateTable& declared, const PageWish& wish,
               const Read& read) {
    using T = typename std::invoke_result_t<Read, const ItemView&>::value_type;
    return [&]() -> Result<Slice<T>> {
        const auto shape = key_shape(declared, request.index);
        if (wish.after) request.start_key = TRY(parse_cursor(*wish.after, shape));
        request.limit = static_cast<std::int64_t>(wish.limit);
        const auto page = [&] {
            if constexpr (std::is_same_v<Request, Scan>) return store.scan(request);
            if constexpr (std::is_same_v<Request, Query>) return store.query(request);
        }();
        if (!page && wish.after && page.error().fault == Fault::validation) return wrong_cursor();
        if (!page) return page.error();
        Slice<T> slice;
        slice.items.reserve(page->items.size());
        for (const auto& row : page->items) {
            auto one = read(row.view());
            if (one) slice.items.push_back(*std::move(one));
            if (!one) log::warn("a row is left out", {{"reason", one.error().message}});
        }
        if (page->last_key) slice.next = cursor_of(*page->last_key, shape);
        return slice;
    }();
}

// All of a list, page after page: `list` gives the page of a wish.
template <class List>
auto whole_list(const List& list) {
    using Items = decltype(list(PageWish())->items);
    return [&]() -> Result<Items> {
        Items all;
        PageWish wish{.limit = PageWish::limit_max, .after = {}};
        do {
            auto page = TRY(list(wish));
            std::ranges::move(page.items, std::back_inserter(all));
            wish.after = std::move(page.next);
        } while (wish.after);
        return all;
    }();
}

}  // namespace mailroom::table
