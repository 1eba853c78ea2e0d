// How often something can be done in a second of processor time.
#pragma once

#include <cstddef>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

namespace bench {

inline std::string read_file(const char* name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <class Work>
double rate_per_second(double seconds, Work work) {
    constexpr int batch = 50;  // Between looks at the clock.
    std::size_t turns = 0;
    const auto start = std::clock();
    double elapsed = 0;
    while (elapsed < seconds) {
        for (int i = 0; i < batch; ++i) work();
        turns += batch;
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }
    return static_cast<double>(turns) / elapsed;
}

}  // namespace bench
