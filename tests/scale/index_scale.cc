// Adds an index to a table of many items while several threads put, update and delete, and holds it
// item for item against the index that a second table had from the start. Both tables get the same
// writes. Prints what it measured.
//
//   index_scale DIRECTORY [ITEMS]     default 30,000; with MAILROOM_LONG in the environment
//   1,000,000

#include "measured.h"

#include "base/clock.h"
#include "base/random.h"
#include "kv/rocks_store.h"
#include "table/engine/engine.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::table {
namespace {

constexpr std::size_t cache_bytes = 256 * 1024 * 1024;
// The process itself, memtables being flushed, iterators, the allocator's slack.
constexpr std::size_t memory_beside_cache_bytes = 160 * 1024 * 1024;
constexpr std::int64_t writers = 16;  // They wait for the disk together.
constexpr std::int64_t groups = 5000;
constexpr std::int64_t ungrouped_share = 10;  // Every tenth item is not in the index.
const std::array<std::string, 2> tables = {"Later", "Always"};  // When they have their index.

std::vector<AttributeDefinition> index_attributes() {
    return {{"grp", Kind::string}, {"rank", Kind::number}};
}
IndexSpec index_spec() {
    return {"ByGroup", {"grp", "rank"}, {ProjectionKind::include, {"subject", "version"}}, {}};
}

void create(Store& store, const std::string& name, bool with_index) {
    CreateTable request;
    request.name = name;
    request.attributes = {{"pk", Kind::string}};
    request.keys = {"pk", ""};
    if (with_index) {
        for (const auto& attribute : index_attributes()) request.attributes.push_back(attribute);
        request.global_indexes = {index_spec()};
    }
    must(store.create_table(request));
}

Item key_of(std::int64_t i) { return {{"pk", "item-" + std::to_string(i)}}; }

Item item_of(std::int64_t i, std::uint64_t version) {
    auto item = key_of(i);
    const auto number = static_cast<std::int64_t>(version);
    if ((i + number) % ungrouped_share != 0) {
        item.set("grp", Value("group-" + std::to_string((i * 31 + number) % groups)));
    }
    item.set("rank", Value((i * 7 + number) % 1000));
    item.set("subject", Value("Your invoice of this month"));
    item.set("version", Value(number));
    item.set("body", Value(std::string(80, static_cast<char>('a' + i % 26))));
    return item;
}

void load(Store& store, const std::string& table, std::int64_t items) {
    constexpr std::int64_t batch_items = 25;
    constexpr int threads = 8;  // They wait for the disk together.
    std::atomic<std::int64_t> next = 0;
    std::vector<std::thread> loaders;
    for (int t = 0; t < threads; ++t) {
        loaders.emplace_back([&] {
            for (std::int64_t from; (from = next.fetch_add(batch_items)) < items;) {
                BatchWrite write;
                write.tables.push_back({table, {}});
                for (auto i = from; i < std::min(items, from + batch_items); ++i) {
                    write.tables[0].actions.push_back(BatchWrite::Put{item_of(i, 0)});
                }
                must(store.batch_write(write));
            }
        });
    }
    for (auto& loader : loaders) loader.join();
}

// Writes at random to items that nobody else writes to, the same to both tables.
class Rival {
public:
    enum Kind { put, regroup, ungroup, keep_group, erase, kinds };
    static constexpr std::array<const char*, kinds> names = {"puts", "new keys", "keys removed",
                                                             "other attributes", "deletes"};

    Rival(Store& store, std::int64_t number, std::int64_t items)
        : store_(store),
          number_(number),
          items_(items),
          chance_(static_cast<std::uint64_t>(number) + 1) {}

    void run(const std::atomic<bool>& stopping) {
        while (!stopping) {
            const auto kind = static_cast<Kind>(chance_() % kinds);
            // A tenth of them are new items behind those that were loaded.
            const auto range = static_cast<std::uint64_t>((items_ + items_ / 10) / writers);
            const auto i = static_cast<std::int64_t>(chance_() % range) * writers + number_;
            const auto version = ++version_;
            for (const auto& table : tables) write(table, kind, i, version);
            ++counts_[kind];
        }
    }
    const std::array<std::uint64_t, kinds>& counts() const { return counts_; }

private:
    void write(const std::string& table, Kind kind, std::int64_t i, std::uint64_t version) {
        if (kind == put) {
            PutItem request;
            request.table = table;
            request.item = item_of(i, version);
            must(store_.put(request));
        } else if (kind == erase) {
            DeleteItem request;
            request.table = table;
            request.key = key_of(i);
            must(store_.erase(request));
        } else {
            must(store_.update(update_of(table, kind, i, version)));
        }
    }

    static UpdateItem update_of(const std::string& table, Kind kind, std::int64_t i,
                                std::uint64_t version) {
        UpdateItem request;
        request.table = table;
        request.key = key_of(i);
        const auto number = static_cast<std::int64_t>(version);
        request.bind.values = {{":v", Value(number)}};
        if (kind == regroup) {
            request.update = "SET version = :v, grp = :g, #r = :r";
            request.bind.names = {{"#r", "rank"}};
            request.bind.values.push_back(
                {":g", Value("group-" + std::to_string(number % groups))});
            request.bind.values.push_back({":r", Value(number % 1000)});
        } else {
            request.update = kind == ungroup ? "SET version = :v REMOVE grp" : "SET version = :v";
        }
        return request;
    }

    Store& store_;
    const std::int64_t number_;
    const std::int64_t items_;
    std::mt19937_64 chance_;
    std::uint64_t version_ = 0;
    std::array<std::uint64_t, kinds> counts_ = {};
};

// All items of a table or an index, one after the other.
class Walk {
public:
    Walk(Store& store, const std::string& table, const std::string& index) : store_(store) {
        request_.table = table;
        request_.index = index;
    }
    std::optional<Item> next() {
        while (at_ == page_.items.size()) {
            if (begun_ && !page_.last_key) return std::nullopt;
            request_.start_key = page_.last_key;
            page_ = must(store_.scan(request_));
            begun_ = true;
            at_ = 0;
        }
        return page_.items[at_++];
    }

private:
    Store& store_;
    Scan request_;
    Page page_;
    std::size_t at_ = 0;
    bool begun_ = false;
};

// Returns how many there are.
std::int64_t compare(Store& store, const std::string& index) {
    Walk later(store, tables[0], index), always(store, tables[1], index);
    for (std::int64_t same = 0;; ++same) {
        const auto one = later.next(), other = always.next();
        if (!one && !other) return same;
        if (one == other) continue;
        const auto& shown = one ? *one : *other;
        fail((index.empty() ? "the tables differ at " : "the indexes differ at ") +
             std::string(*shown.text("pk")) + ", after " + std::to_string(same) + " equal items");
    }
}

std::size_t peak_resident_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) * 1024;
    }
    return 0;
}

// Adds the index while others write; prints how long it took and what they did meanwhile.
void add_index_among_writers(Engine& engine, std::int64_t items) {
    std::vector<std::unique_ptr<Rival>> rivals;
    std::vector<std::thread> threads;
    std::atomic<bool> stopping = false;
    for (std::int64_t i = 0; i < writers; ++i) {
        rivals.push_back(std::make_unique<Rival>(engine, i, items));
    }
    UpdateTable change;
    change.name = tables[0];
    change.attributes = index_attributes();
    change.create_index = index_spec();
    for (auto& rival : rivals) threads.emplace_back([&] { rival->run(stopping); });
    const auto start = Timer::now();
    must(engine.update_table(change));
    engine.finish_jobs();
    const auto took = seconds_since(start);
    stopping = true;
    for (auto& thread : threads) thread.join();

    std::array<std::uint64_t, Rival::kinds> counts = {};
    std::uint64_t all = 0;
    for (const auto& rival : rivals) {
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += rival->counts()[i];
    }
    for (const auto count : counts) all += count;
    std::printf(
        "fill     %lld items in %.1f s, %.0f a second; meanwhile %llu writes by %lld threads",
        static_cast<long long>(items), took, static_cast<double>(items) / took,
        static_cast<unsigned long long>(all), static_cast<long long>(writers));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::printf("%s %llu %s", i == 0 ? ":" : ",", static_cast<unsigned long long>(counts[i]),
                    Rival::names[i]);
        if (counts[i] == 0) fail("a kind of write did not happen during the fill");
    }
    std::puts("");
}

void run(const std::filesystem::path& path, std::int64_t items) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path.parent_path());
    ManualClock clock{from_unix_ms(1'760'000'000'000)};
    SystemRandom random;
    kv::RocksOptions options;
    options.cache_bytes = cache_bytes;
    const auto rows = must(kv::open_rocks(path.string(), options));
    const auto engine = must(Engine::open(*rows, clock, random));
    for (const auto& table : tables) {
        create(*engine, table, table == tables[1]);
        const auto start = Timer::now();
        load(*engine, table, items);
        std::printf("load     %lld items into %s in %.1f s\n", static_cast<long long>(items),
                    table.c_str(), seconds_since(start));
    }
    add_index_among_writers(*engine, items);

    const auto start = Timer::now();
    const auto items_left = compare(*engine, ""), entries = compare(*engine, "ByGroup");
    std::printf("compare  %lld items and %lld index entries are equal, in %.1f s\n",
                static_cast<long long>(items_left), static_cast<long long>(entries),
                seconds_since(start));
    for (const auto& table : tables) {
        const auto description = must(engine->describe_table(table));
        const auto& index = description.global_indexes.at(0);
        if (index.status != IndexStatus::active) fail("the index is not active");
        if (description.item_count != items_left || index.item_count != entries) {
            fail("the counts of " + table +
                 " are wrong: " + std::to_string(description.item_count) + " items, " +
                 std::to_string(index.item_count) + " entries");
        }
    }
    const auto peak = peak_resident_bytes();
    std::printf("memory   %zu MB resident at most, cache of %zu MB\n", peak >> 20,
                cache_bytes >> 20);
    if (peak > cache_bytes + memory_beside_cache_bytes) fail("memory is not bounded");
}

}  // namespace
}  // namespace mailroom::table

int main(int argc, char** argv) {
    return mailroom::run_measured(argc, argv, mailroom::is_long() ? 1'000'000 : 30'000,
                                  mailroom::table::run);
}
