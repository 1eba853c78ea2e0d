// Renders order.liquid for the given number of seconds of processor time and prints
// {"renders_per_second": ..., "bytes": ...}. With a second argument it prints the mail instead.
#include "base/clock.h"
#include "liquid/json_value.h"
#include "liquid/template.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace mailroom;

std::string read_file(const std::string& name) {
    std::ifstream file(std::string(BENCH_DIRECTORY) + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : 3;
    const bool prints = count > 2;
    const auto parsed = liquid::value_from_json(read_file("order.json"));
    if (!parsed) return std::fprintf(stderr, "%s\n", parsed.error().message.c_str()), 1;
    const auto& data = *parsed;
    const auto letter = liquid::Template::compile(read_file("order.liquid"));
    if (!letter) return std::fprintf(stderr, "%s\n", letter.error().message.c_str()), 1;
    const SystemClock clock;
    const liquid::RenderOptions options{.clock = clock, .escape = liquid::Escape::html};

    constexpr int batch = 500;  // Between looks at the clock.
    std::size_t renders = 0, bytes = 0;
    const auto start = std::clock();
    double elapsed = 0;
    while (elapsed < seconds) {
        for (int i = 0; i < batch; ++i) {
            const auto rendered = letter->render(data.view(), options);
            if (!rendered) return std::fprintf(stderr, "%s\n", rendered.error().message.c_str()), 1;
            bytes = rendered->text.size();
            if (prints) return std::fputs(rendered->text.c_str(), stdout), 0;
        }
        renders += batch;
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }
    std::printf("{\"renders_per_second\": %.0f, \"bytes\": %zu}\n",
                static_cast<double>(renders) / elapsed, bytes);
}
