#include "table/write_watch.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace mailroom::table {

namespace {

// Collects what a request does to the watched tables.
class Collector {
public:
    explicit Collector(WriteWatches watches) : watches_(watches) {}

    WriteWatch* watch_of(std::string_view table) const {
        const auto found = std::ranges::find(watches_, table, &WriteWatch::table);
        return found == watches_.end() ? nullptr : *found;
    }

    void add(const PutItem& put) {
        // A condition keeps what is there from being replaced, as far as anybody can tell here.
        add_key(watch_of(put.table), put.item, put.condition.empty());
    }
    void add(const UpdateItem& update) { add_key(watch_of(update.table), update.key, false); }
    void add(const DeleteItem& erase) { add_key(watch_of(erase.table), erase.key, true); }
    void add(const ConditionCheck&) {}
    void add(WriteWatch* watch, const BatchWrite::Put& put) { add_key(watch, put.item, true); }
    void add(WriteWatch* watch, const BatchWrite::Delete& erase) {
        add_key(watch, erase.key, true);
    }

    WatchedWriteInHand take() {
        if (parts_.empty()) return nullptr;
        return std::make_shared<const WatchedWrite>(std::move(parts_));
    }

private:
    void add_key(WriteWatch* watch, const Item& item, bool may_vanish) {
        if (watch == nullptr) return;
        auto part = std::ranges::find(parts_, watch, &WatchedWrite::Part::watch);
        if (part == parts_.end()) part = parts_.insert(part, {watch, {}});
        part->rows.may_vanish |= may_vanish;
        if (const auto key = item.text(watch->key_name())) part->rows.keys.emplace_back(*key);
    }

    const WriteWatches watches_;
    std::vector<WatchedWrite::Part> parts_;
};

template <class Write>
WatchedWriteInHand watch_one(WriteWatches watches, const Write& request) {
    Collector collector(watches);
    collector.add(request);
    return collector.take();
}

}  // namespace

WatchedWrite::WatchedWrite(std::vector<Part> parts) : parts_(std::move(parts)) {
    for (const auto& part : parts_) part.watch->begin(part.rows);
}

WatchedWrite::~WatchedWrite() {
    for (auto& part : parts_) part.watch->end(std::move(part.rows));
}

WatchedWriteInHand watch_write(WriteWatches watches, const PutItem& request) {
    return watch_one(watches, request);
}
WatchedWriteInHand watch_write(WriteWatches watches, const UpdateItem& request) {
    return watch_one(watches, request);
}
WatchedWriteInHand watch_write(WriteWatches watches, const DeleteItem& request) {
    return watch_one(watches, request);
}

WatchedWriteInHand watch_write(WriteWatches watches, const BatchWrite& request) {
    Collector collector(watches);
    for (const auto& part : request.tables) {
        auto* watch = collector.watch_of(part.table);
        for (const auto& action : part.actions) {
            std::visit([&](const auto& write) { collector.add(watch, write); }, action);
        }
    }
    return collector.take();
}

WatchedWriteInHand watch_write(WriteWatches watches, const TransactWrite& request) {
    Collector collector(watches);
    for (const auto& action : request.actions) {
        std::visit([&](const auto& write) { collector.add(write); }, action);
    }
    return collector.take();
}

}  // namespace mailroom::table
