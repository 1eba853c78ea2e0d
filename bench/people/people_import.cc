// Takes people in from a file, in this process, and prints the seconds until all are durable:
// people_import DATA_DIRECTORY FILE. The reading of the file into memory is not among them.
#include "base/clock.h"
#include "base/random.h"
#include "kv/rocks_store.h"
#include "people/import/importer.h"
#include "people/people.h"
#include "people/suppressions.h"
#include "program/metrics.h"
#include "schedule/crew.h"
#include "table/engine/engine.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace mailroom;

constexpr std::size_t threads = 24;  // As a server has them.

template <class T, class E>
T must(Result<T, E> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "%s\n", static_cast<Error>(result.error()).message.c_str());
    std::exit(1);
}

std::string read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void import_file(const std::filesystem::path& directory, const std::string& file) {
    const SystemClock clock;
    SystemRandom random;
    const auto rows = must(kv::open_rocks(directory, {}));
    const auto engine = must(table::Engine::open(*rows, clock, random));
    const auto schedule = must(schedule::Schedule::open(*engine, clock, random));
    auto suppressions = must(people::Suppressions::open(*engine, clock, random,
                                                        people::Suppressions::Writers::only_this));
    people::People people(suppressions, *schedule);
    const people::Importer importer(people, *schedule, threads);
    schedule::Crew crew(*schedule, clock, {.queues = {people::import_queue}, .threads = 0},
                        [&](schedule::JobInHand job) { importer.run(std::move(job)); });
    crew.start();
    const program::Stopwatch whole;
    const auto import = must(importer.start(file, {}));
    const auto kept = std::chrono::duration<double>(whole.elapsed()).count();
    crew.run_due();
    const auto seconds = std::chrono::duration<double>(whole.elapsed()).count();
    const auto done = must(importer.require(import.id));
    std::printf("{\"created\":%lld,\"kept\":%.3f,\"seconds\":%.3f}\n",
                static_cast<long long>(done.counts.created), kept, seconds);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "people_import DATA_DIRECTORY FILE\n");
        return 2;
    }
    import_file(argv[1], read_file(argv[2]));
    return 0;
}
