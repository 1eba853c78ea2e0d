// bench_parse FILE [SECONDS]: parses one mail again and again for so many seconds of processor time
// and prints {"mails_per_second": ..., "bytes": ...}.
#include "mime/read/parse.h"

#include "processor_time.h"

#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
    if (count < 2) return std::fprintf(stderr, "bench_parse FILE [SECONDS]\n"), 2;
    const auto mail = bench::read_file(arguments[1]);
    const double seconds = count > 2 ? std::atof(arguments[2]) : 3;
    std::size_t seen = 0;
    const auto rate = bench::rate_per_second(seconds, [&] {
        const auto parsed = mailroom::mime::parse(mail);
        seen += parsed.text.size() + parsed.attachments.size();
    });
    if (seen == 0) return std::fprintf(stderr, "nothing was understood\n"), 1;
    std::printf("{\"mails_per_second\": %.0f, \"bytes\": %zu}\n", rate, mail.size());
}
