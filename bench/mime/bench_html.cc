// bench_html PAGE text|safe [SECONDS]: turns the page into text, or makes it safe to show, for so
// many seconds of processor time and prints {"pages_per_second": ..., "bytes": ...}. With 0 seconds
// it prints the result instead.
#include "mime/html/sanitise.h"
#include "mime/html/to_text.h"

#include "processor_time.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace mailroom::mime;

std::string convert(const std::string& page, bool to_text) {
    return to_text ? html_to_text(page) : sanitise_html(page).html;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return std::fputs("bench_html PAGE text|safe [SECONDS]\n", stderr), 1;
    const auto page = bench::read_file(arguments[1]);
    const bool to_text = std::string_view(arguments[2]) == "text";
    const double seconds = count > 3 ? std::atof(arguments[3]) : 2;
    const auto first = convert(page, to_text);
    if (seconds == 0) return std::fwrite(first.data(), 1, first.size(), stdout), 0;
    std::size_t bytes = 0;
    const auto rate =
        bench::rate_per_second(seconds, [&] { bytes = convert(page, to_text).size(); });
    std::printf("{\"pages_per_second\": %.1f, \"bytes\": %zu}\n", rate, bytes);
}
