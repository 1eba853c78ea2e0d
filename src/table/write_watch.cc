#include "table/write_watch.h"

#include <utility>
#include <variant>

namespace mailroom::table {

namespace {

// Collects what a request does to the watched table.
class Collector {
public:
    explicit Collector(WriteWatch* watch) : watch_(watch) {}

    bool is_watched(std::string_view table) const { return watch_ && watch_->table() == table; }

    void add(const PutItem& put) {
        // A condition keeps what is there from being replaced, as far as anybody can tell here.
        if (is_watched(put.table)) add_key(put.item, put.condition.empty());
    }
    void add(const UpdateItem& update) {
        if (is_watched(update.table)) add_key(update.key, false);
    }
    void add(const DeleteItem& erase) {
        if (is_watched(erase.table)) add_key(erase.key, true);
    }
    void add(const ConditionCheck&) {}
    void add(const BatchWrite::Put& put) { add_key(put.item, true); }
    void add(const BatchWrite::Delete& erase) { add_key(erase.key, true); }

    WatchedWriteInHand take() {
        if (!touched_) return nullptr;
        return std::make_shared<const WatchedWrite>(*watch_, std::move(rows_));
    }

private:
    void add_key(const Item& item, bool may_vanish) {
        touched_ = true;
        rows_.may_vanish |= may_vanish;
        if (const auto key = item.text(watch_->key_name())) rows_.keys.emplace_back(*key);
    }

    WriteWatch* const watch_;
    WriteWatch::Rows rows_;
    bool touched_ = false;
};

template <class Write>
WatchedWriteInHand watch_one(WriteWatch* watch, const Write& request) {
    Collector collector(watch);
    collector.add(request);
    return collector.take();
}

}  // namespace

WatchedWrite::WatchedWrite(WriteWatch& watch, WriteWatch::Rows rows)
    : watch_(watch), rows_(std::move(rows)) {
    watch_.begin();
}

WatchedWrite::~WatchedWrite() { watch_.end(std::move(rows_)); }

WatchedWriteInHand watch_write(WriteWatch* watch, const PutItem& request) {
    return watch_one(watch, request);
}
WatchedWriteInHand watch_write(WriteWatch* watch, const UpdateItem& request) {
    return watch_one(watch, request);
}
WatchedWriteInHand watch_write(WriteWatch* watch, const DeleteItem& request) {
    return watch_one(watch, request);
}

WatchedWriteInHand watch_write(WriteWatch* watch, const BatchWrite& request) {
    Collector collector(watch);
    for (const auto& part : request.tables) {
        if (!collector.is_watched(part.table)) continue;
        for (const auto& action : part.actions) {
            std::visit([&](const auto& write) { collector.add(write); }, action);
        }
    }
    return collector.take();
}

WatchedWriteInHand watch_write(WriteWatch* watch, const TransactWrite& request) {
    Collector collector(watch);
    for (const auto& action : request.actions) {
        std::visit([&](const auto& write) { collector.add(write); }, action);
    }
    return collector.take();
}

}  // namespace mailroom::table
