// bench_mjml FILE SECONDS: how often the file is compiled in a second of processor time.
#include "../mime/processor_time.h"
#include "mjml/compile.h"

#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const auto source = bench::read_file(arguments[1]);
    std::size_t bytes = 0;
    const double rate = bench::rate_per_second(std::atof(arguments[2]), [&] {
        const auto compiled = mailroom::mjml::compile(source);
        if (!compiled) std::abort();
        bytes = compiled->html.size();
    });
    std::printf("{\"mails_per_second\": %.1f, \"bytes\": %zu}\n", rate, bytes);
}
