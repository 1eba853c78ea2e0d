#include "outbox/row_reading.h"

#include <iterator>

namespace mailroom::outbox {

Result<std::vector<table::Item>> get_all(table::Store& store, table::BatchGet request) {
    // Each answer holds 16 MB, and brings some rows at least unless the store is overloaded; a
    // hundred rows of 400 KB come in three.
    constexpr int attempts_max = 8;
    std::vector<table::Item> rows;
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        auto answer = TRY(store.batch_get(request));
        for (auto& part : answer.tables) {
            rows.insert(rows.end(), std::make_move_iterator(part.items.begin()),
                        std::make_move_iterator(part.items.end()));
        }
        if (answer.unprocessed.tables.empty()) return rows;
        request = std::move(answer.unprocessed);
    }
    return Error{Errc::throttled, "the store is too busy to read so many rows: try again later"};
}

}  // namespace mailroom::outbox
