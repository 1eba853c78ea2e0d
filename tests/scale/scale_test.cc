// Holds a table of many items against one of few, in one store: requests must look at as many rows,
// memory must stay within the cache's bound, expiry must cost what is due. Prints how long it took.
//
//   scale_test DIRECTORY [ITEMS]      default 100,000; with MAILROOM_LONG in the environment
//   10,000,000

#include "counting_store.h"
#include "measured.h"

#include "base/clock.h"
#include "base/random.h"
#include "kv/rocks_store.h"
#include "table/engine/engine.h"
#include "table/wire/decoder.h"
#include "table/wire/encoder.h"
#include "table/wire/request_encoder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::table {
namespace {

constexpr std::size_t cache_bytes = 256 * 1024 * 1024;
// The process itself, memtables being flushed, iterators, the allocator's slack.
constexpr std::size_t memory_beside_cache_bytes = 160 * 1024 * 1024;
constexpr std::int64_t small_items = 10'000;
constexpr std::int64_t items_per_partition = 10;
constexpr int samples = 20'000;
constexpr int expiring_share = 10;  // Every tenth item expires.

CreateTable table_named(const std::string& name) {
    CreateTable request;
    request.name = name;
    request.attributes = {{"pk", Kind::string}, {"sk", Kind::string}, {"grp", Kind::string}};
    request.keys = {"pk", "sk"};
    request.global_indexes = {{"ByGroup", {"grp", "sk"}, {ProjectionKind::keys_only, {}}, {}}};
    return request;
}

std::string partition(std::int64_t i) {
    return "customer-" + std::to_string(i / items_per_partition);
}
std::string sort_key(std::int64_t i) { return "event#" + std::to_string(i % items_per_partition); }

// Letters that do not compress, the same for the same item.
std::string body_of(std::int64_t i) {
    std::uint64_t state = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15 + 1;
    std::string body(160, ' ');
    for (auto& c : body) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        c = static_cast<char>('A' + state % 58);
    }
    return body;
}

Item item_of(std::int64_t i, std::int64_t due_second) {
    Item item{{"pk", partition(i)},
              {"sk", sort_key(i)},
              {"grp", "group-" + std::to_string(i % 5000)},
              {"count", i},
              {"subject", "Your invoice of this month"},
              {"body", body_of(i)}};
    if (i % expiring_share == 0) item.set("expires", Value(due_second));
    return item;
}

void load(Store& store, const std::string& table, std::int64_t items, std::int64_t due_second) {
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
                    write.tables[0].actions.push_back(BatchWrite::Put{item_of(i, due_second)});
                }
                must(store.batch_write(write));
            }
        });
    }
    for (auto& loader : loaders) loader.join();
}

struct Latency {
    explicit Latency(std::vector<double> times) {
        std::ranges::sort(times);
        median_us = times[times.size() / 2];
        p99_us = times[times.size() * 99 / 100];
    }
    double median_us, p99_us;
};

using Operation = std::function<void(const std::string& table, std::int64_t item)>;

GetItem get_of(const std::string& table, std::int64_t i) {
    GetItem get;
    get.table = table;
    get.key = {{"pk", partition(i)}, {"sk", sort_key(i)}};
    return get;
}

Query query_of(const std::string& table, std::int64_t i) {
    Query query;
    query.table = table;
    query.key_condition = "pk = :p";
    query.bind.values = {{":p", partition(i)}};
    return query;
}

void check(const GetResult& answer) {
    if (!answer.item) fail("an item is missing");
}
void check(const Page& answer) {
    if (answer.count != items_per_partition) fail("a query came up short");
}

// As a client asks: from the JSON of the request to the JSON of the answer.
class Requests {
public:
    explicit Requests(Store& store) : store_(store) {}

    void get(const std::string& table, std::int64_t i) {
        const auto call = must(decoder_.get_item(body_of_request(get_of(table, i))));
        const auto answer = must(store_.get(call.request));
        check(answer);
        wire::append_answer(begin_answer(), answer, call.options.consumed);
    }
    void query(const std::string& table, std::int64_t i) {
        const auto call = must(decoder_.query(body_of_request(query_of(table, i))));
        const auto answer = must(store_.query(call.request));
        check(answer);
        wire::append_answer(begin_answer(), answer, call.request.select, call.options.consumed);
    }

private:
    template <class Request>
    const std::string& body_of_request(const Request& request) {
        body_.clear();
        wire::append_request(body_, request);
        return body_;
    }
    std::string& begin_answer() {
        answer_.clear();
        return answer_;
    }

    Store& store_;
    wire::Decoder decoder_;
    std::string body_, answer_;
};

double microseconds(const Operation& operation, const std::string& table, std::int64_t items,
                    std::mt19937_64& chance) {
    const auto pick = static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(items));
    const auto start = Timer::now();
    operation(table, pick);
    return seconds_since(start) * 1e6;
}

std::size_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::size_t pages = 0, resident = 0;
    statm >> pages >> resident;
    return resident * 4096;
}

// In turns: the few alone would stay in the processor's own cache, as they never do in a server
// that has other things to do, and what else the machine does meets both.
void compare(const char* what, const Operation& operation, std::int64_t items) {
    std::vector<double> few_times, many_times;
    std::int64_t few_rows = 0, many_rows = 0;
    for (const bool warm : {false, true}) {  // The same items once before: both are read again.
        std::mt19937_64 chance(1);
        for (int i = 0; i < samples; ++i) {
            const auto before = rows_looked_at;
            const auto few_us = microseconds(operation, "Few", small_items, chance);
            const auto between = rows_looked_at;
            const auto many_us = microseconds(operation, "Many", items, chance);
            if (!warm) continue;
            few_rows += between - before;
            many_rows += rows_looked_at - between;
            few_times.push_back(few_us);
            many_times.push_back(many_us);
        }
    }
    const Latency few(std::move(few_times)), many(std::move(many_times));
    const double ratio = many.median_us / few.median_us;
    std::printf(
        "%-19s median %6.1f us with few, %6.1f us with many: %.2f times (p99 %.0f and %.0f); %.2f "
        "and %.2f rows\n",
        what, few.median_us, many.median_us, ratio, few.p99_us, many.p99_us,
        static_cast<double>(few_rows) / samples, static_cast<double>(many_rows) / samples);
    if (many_rows > few_rows) fail(std::string(what) + " looks at more rows with more items");
}

// Returns how many went.
std::size_t sweep(Engine& engine) {
    std::size_t all = 0;
    for (;;) {
        const auto swept = must(engine.sweep_expired(20'000));
        if (swept == 0) return all;
        all += swept;
    }
}

struct Bed {
    explicit Bed(const std::filesystem::path& path) {
        kv::RocksOptions options;
        options.cache_bytes = cache_bytes;
        kv = must(kv::open_rocks(path.string(), options));
        counting.emplace(*kv);
        engine = must(Engine::open(*counting, clock, random));
    }
    ManualClock clock{from_unix_ms(1'760'000'000'000)};
    SystemRandom random;
    std::unique_ptr<kv::Store> kv;
    std::optional<CountingStore> counting;
    std::unique_ptr<Engine> engine;
};

void check_sweep(Bed& bed, std::int64_t items) {
    auto start = Timer::now();
    if (sweep(*bed.engine) != 0) fail("something expired before its time");
    std::printf("sweep    %.3f ms with nothing due\n", seconds_since(start) * 1e3);
    bed.clock.advance(std::chrono::hours(1));
    start = Timer::now();
    const auto swept = sweep(*bed.engine);
    const auto took = seconds_since(start);
    std::printf("sweep    %zu items in %.1f s, %.0f a second\n", swept, took,
                static_cast<double>(swept) / took);
    const auto want = static_cast<std::size_t>((items + small_items) / expiring_share);
    if (swept != want) fail("the sweep took " + std::to_string(swept) + " items");
    const auto left = must(bed.engine->describe_table("Many")).item_count;
    if (left != items - items / expiring_share) fail("the sweep left " + std::to_string(left));
}

void run(const std::filesystem::path& path, std::int64_t items) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path.parent_path());
    {
        Bed bed(path);
        for (const char* name : {"Few", "Many"}) {
            must(bed.engine->create_table(table_named(name)));
            must(bed.engine->set_time_to_live(name, {true, "expires"}));
        }
        const auto due = to_unix_seconds(bed.clock.now()) + 1800;
        load(*bed.engine, "Few", small_items, due);
        const auto start = Timer::now();
        load(*bed.engine, "Many", items, due);
        const auto took = seconds_since(start);
        std::printf("load     %lld items in %.1f s, %.0f a second, all of them durable\n",
                    static_cast<long long>(items), took, static_cast<double>(items) / took);
    }
    const auto opening = Timer::now();
    Bed bed(path);
    std::printf("open     %.3f s\n", seconds_since(opening));

    auto& engine = *bed.engine;
    Requests requests(engine);
    compare("get", std::bind_front(&Requests::get, &requests), items);
    compare("query", std::bind_front(&Requests::query, &requests), items);
    // A few microseconds, of which some are the processor waiting for its memory: told only.
    const auto get = [&](const auto& table, auto i) { check(must(engine.get(get_of(table, i)))); };
    const auto query = [&](const auto& table, auto i) {
        check(must(engine.query(query_of(table, i))));
    };
    compare("get, engine alone", get, items);
    compare("query, engine alone", query, items);
    check_sweep(bed, items);

    const auto resident = resident_bytes();
    std::printf("memory   %zu MB resident, cache of %zu MB\n", resident >> 20, cache_bytes >> 20);
    if (resident > cache_bytes + memory_beside_cache_bytes) fail("memory is not bounded");
}

}  // namespace
}  // namespace mailroom::table

int main(int argc, char** argv) {
    return mailroom::run_measured(argc, argv, mailroom::is_long() ? 10'000'000 : 100'000,
                                  mailroom::table::run);
}
