// What the programs of this folder share: they print what they measured and end at the first thing
// that is not as it must be.
#pragma once

#include "base/result.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace mailroom {

[[noreturn]] inline void fail(const std::string& why) {
    std::printf("FAILED: %s\n", why.c_str());
    std::exit(1);
}

template <class T, class E>
T must(Result<T, E> result) {
    if (!result) fail(static_cast<Error>(result.error()).message);
    return *std::move(result);
}

using Timer = std::chrono::steady_clock;
inline double seconds_since(Timer::time_point start) {
    return std::chrono::duration<double>(Timer::now() - start).count();
}

inline bool is_long() { return std::getenv("MAILROOM_LONG") != nullptr; }

// The main() of these programs: PROGRAM DIRECTORY [COUNT]. What is in the directory goes when all
// is well.
template <class Run>
int run_measured(int argc, char** argv, std::int64_t usual_count, const Run& run) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // Each figure as it comes: it takes minutes.
    if (argc < 2) {
        std::printf("usage: %s DIRECTORY [COUNT]\n", argv[0]);
        return 2;
    }
    const std::filesystem::path directory = argv[1];
    run(directory, argc > 2 ? std::atoll(argv[2]) : usual_count);
    std::filesystem::remove_all(directory);
    std::puts("ok");
    return 0;
}

}  // namespace mailroom
