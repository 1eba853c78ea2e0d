#include "people/import/mistakes.h"

#include "people/import/batch.h"
#include "table/query_builder.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::string_view prefix = "MISTAKES", by_line_mark = "-", failed_mark = "~";
constexpr std::size_t number_digits = 10;

struct Mistakes {
    std::vector<program::ImportError> all;
    Time expires = {};

    static constexpr std::string_view record_name = "ImportMistakes";
    static constexpr auto fields =
        std::tuple{table::stored("errors", &Mistakes::all),
                   table::spelled<table::InSeconds>(table::stored("ttl", &Mistakes::expires))};
};

std::string number_name(std::int64_t number) {
    const auto digits = std::to_string(number);
    return std::string(number_digits - std::min(number_digits, digits.size()), '0') + digits;
}

Result<> write(const Books& books, const Import& import, const std::string& place,
               std::vector<program::ImportError> few) {
    auto row = table::to_item(Mistakes{std::move(few), import.file_expires()});
    const auto key = import_key(import.id, std::string(prefix) + place);
    for (const auto field : key.view()) row.set(field.name, field.value);
    TRY(books.store.put(table::write::Put(books.tables.people, std::move(row))));
    return Ok{};
}

// Where a page ended: in the row of that place, behind so many of it.
struct Place {
    std::string row;
    std::size_t behind = 0;

    std::string cursor() const { return row + "." + std::to_string(behind); }
    static std::optional<Place> parse(std::string_view cursor) {
        const auto dot = cursor.find('.');
        const auto mark = cursor.substr(0, 1);
        if (dot == cursor.npos || (mark != by_line_mark && mark != failed_mark)) return {};
        Place place{std::string(cursor.substr(0, dot)), 0};
        const auto* const end = cursor.data() + cursor.size();
        const auto read = std::from_chars(cursor.data() + dot + 1, end, place.behind);
        if (read.ec != std::errc() || read.ptr != end) return {};
        return place;
    }
};

}  // namespace

Result<> write_mistakes(const Books& books, const Import& import,
                        const std::vector<program::ImportError>& by_line) {
    if (by_line.empty()) return Ok{};
    const auto place = std::string(by_line_mark) + number_name(by_line.front().line);
    return write(books, import, place, by_line);
}

Result<> write_failed(const Books& books, const Import& import, std::int64_t part,
                      const std::vector<program::ImportError>& failed) {
    for (std::size_t at = 0; at < failed.size(); at += mistakes_of_row) {
        const auto end = std::min(at + mistakes_of_row, failed.size());
        const auto place = std::string(failed_mark) + number_name(part) + "-" +
                           number_name(static_cast<std::int64_t>(at));
        TRY(write(books, import, place,
                  {failed.begin() + static_cast<std::ptrdiff_t>(at),
                   failed.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    return Ok{};
}

Result<table::Slice<program::ImportError>> mistakes_of(const Books& books,
                                                       const std::string& import_id,
                                                       const table::PageWish& wish) {
    std::optional<Place> from;
    if (wish.after) {
        from = Place::parse(*wish.after);
        if (!from) return table::wrong_cursor();
    }
    table::Query query = table::from(books.tables.people)
                             .partition("PK", "IMPORT#" + import_id)
                             .between("SK", std::string(prefix) + (from ? from->row : ""),
                                      std::string(prefix) + "~~")
                             .limit(1)
                             .consistent();
    table::Slice<program::ImportError> slice;
    for (;;) {
        const auto page = TRY(books.store.query(query));
        for (const auto& row : page.items) {
            const Place here{std::string(*row.text("SK")).substr(prefix.size()), 0};
            const auto mistakes = TRY(table::from_item<Mistakes>(row)).all;
            auto at = from && from->row == here.row ? std::min(from->behind, mistakes.size()) : 0;
            for (; at < mistakes.size() && slice.items.size() < wish.limit; ++at) {
                slice.items.push_back(mistakes[at]);
            }
            if (slice.items.size() < wish.limit) continue;
            if (at < mistakes.size() || page.last_key) slice.next = Place{here.row, at}.cursor();
            return slice;
        }
        if (!page.last_key) return slice;
        query.start_key = page.last_key;
    }
}

}  // namespace mailroom::people
