// What the programs of this folder share: they print what they measured and end at the first thing
// that is not as it must be.
#pragma once

#include "base/result.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
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

}  // namespace mailroom
