#include "dynamodb/item_collections.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

namespace mailroom::dynamodb {

using table::wire::ItemCollection;
using table::wire::ItemCollections;

namespace {

constexpr double gigabyte = 1024.0 * 1024 * 1024;

class Collector {
public:
    explicit Collector(table::Store& store) : store_(store) {}

    // `item` has the hash key, whatever else is in it.
    void add(const std::string& table, const table::ItemView& item) {
        auto* known = find(table);
        if (!known) return;
        const auto hash = item.find(known->hash);
        if (!hash || !known->keys.insert(std::string(hash->encoded())).second) return;
        collections_.push_back(
            {table, table::Item{{known->hash, table::Value(*hash)}}, 0, known->upper_gb});
    }
    void add(const table::PutItem& put) { add(put.table, put.item); }
    void add(const table::UpdateItem& update) { add(update.table, update.key); }
    void add(const table::DeleteItem& erase) { add(erase.table, erase.key); }
    void add(const table::ConditionCheck&) {}
    void add(const table::TransactWrite& request) {
        for (const auto& action : request.actions) {
            std::visit([&](const auto& write) { add(write); }, action);
        }
    }
    void add(const table::BatchWrite& request) {
        for (const auto& part : request.tables) {
            for (const auto& action : part.actions) {
                const auto* put = std::get_if<table::BatchWrite::Put>(&action);
                add(part.table, put ? put->item : std::get<table::BatchWrite::Delete>(action).key);
            }
        }
    }

    ItemCollections take() {
        std::ranges::stable_sort(collections_, {}, &ItemCollection::table);
        return std::move(collections_);
    }

private:
    struct Known {
        std::string hash;
        double upper_gb = 0;
        std::set<std::string> keys = {};
    };

    // Null for a table without local indexes.
    Known* find(const std::string& table) {
        auto found = known_.find(table);
        if (found == known_.end()) found = known_.emplace(table, describe(table)).first;
        return found->second ? &*found->second : nullptr;
    }
    std::optional<Known> describe(const std::string& table) {
        const auto description = store_.describe_table(table);
        if (!description || description->local_indexes.empty()) return std::nullopt;
        const auto size_gb = static_cast<double>(description->size_bytes) / gigabyte;
        return Known{description->keys.hash, static_cast<double>(static_cast<int>(size_gb) + 1)};
    }

    table::Store& store_;
    std::map<std::string, std::optional<Known>> known_;
    ItemCollections collections_;
};

}  // namespace

template <class Request>
ItemCollections collections_of(table::Store& store, const table::wire::Call<Request>& call) {
    if (call.options.metrics == table::wire::ShowMetrics::none) return {};
    Collector collector(store);
    collector.add(call.request);
    return collector.take();
}

template ItemCollections collections_of(table::Store&, const table::wire::Call<table::PutItem>&);
template ItemCollections collections_of(table::Store&, const table::wire::Call<table::UpdateItem>&);
template ItemCollections collections_of(table::Store&, const table::wire::Call<table::DeleteItem>&);
template ItemCollections collections_of(table::Store&, const table::wire::Call<table::BatchWrite>&);
template ItemCollections collections_of(table::Store&,
                                        const table::wire::Call<table::TransactWrite>&);

}  // namespace mailroom::dynamodb
