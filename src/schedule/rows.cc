#include "schedule/rows.h"

#include "schedule/places.h"

namespace mailroom::schedule {

Result<Row> read_row(const table::Item& item) {
    const auto queue = item.text(attribute::queue), place = item.text(attribute::position);
    if (!queue || !place || !is_place(*place)) {
        return Error{Errc::corrupt, "a row of the schedule is not a job"};
    }
    Row row{.position = {std::string(*queue), std::string(*place)},
            .data = {},
            .attempts = item.integer(attribute::attempts).value_or(0),
            .interruptions = item.integer(attribute::interruptions).value_or(0),
            .claim = std::nullopt,
            .marks = {}};
    const auto data = item.find(attribute::data);
    if (data && data->kind() == table::Kind::map) row.data = table::Item(data->map());
    if (const auto lease = item.text(attribute::lease)) {
        const auto until = item.integer(attribute::lease_until).value_or(0);
        row.claim = Claim{std::string(*lease), from_unix_ms(until)};
    }
    const auto marks = item.find(attribute::marks);
    if (marks && marks->kind() == table::Kind::string_set) {
        for (const auto mark : marks->set()) row.marks.emplace_back(mark);
    }
    return row;
}

table::Item key_item(const Position& position) {
    return {{attribute::queue, position.partition}, {attribute::position, position.place}};
}

table::Item row_item(const Position& position, const table::Item& data, std::int64_t attempts) {
    auto item = key_item(position);
    if (!data.empty()) item.set(attribute::data, table::Value::map(data));
    if (attempts != 0) item.set(attribute::attempts, attempts);
    return item;
}

}  // namespace mailroom::schedule
