// bench_build DIRECTORY KIND [SECONDS]: builds the message of that kind from the files of
// make_parts.py for so many seconds of processor time and prints
// {"mails_per_second": ..., "bytes": ...}. With 0 seconds it prints the message instead.
#include "base/time_format.h"
#include "mime/build/build.h"

#include "processor_time.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace mailroom;
using namespace mailroom::mime;

Message message_of(const std::string& base) {
    Message message;
    message.from = {{"Ann Lée", "ann.lee", "shop.example"}};
    message.to = {{"Support, Example", "support", "example.com"}, {"Bob", "bob", "example.com"}};
    message.cc = {{"", "sales", "example.com"}};
    message.subject = "Größe and price of the order 20261115-0042";
    message.date = *parse_rfc3339("2026-11-15T10:00:02Z");
    message.message_id = {"20261115110002.77ab@shop.example"};
    message.in_reply_to = {{"offer-0042@example.com"}};
    message.references = {{"first-0042@example.com"}, {"offer-0042@example.com"}};
    message.headers = {{"X-Mailer", "Shop Mail 4.2"}};
    message.text = bench::read_file((base + ".txt").c_str());
    if (auto html = bench::read_file((base + ".html").c_str()); !html.empty()) message.html = html;
    if (auto file = bench::read_file((base + ".bin").c_str()); !file.empty()) {
        message.attachments = {{"Größen.pdf", "application/pdf", file}};
    }
    return message;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return std::fputs("bench_build DIRECTORY KIND [SECONDS]\n", stderr), 1;
    const auto message = message_of(std::string(arguments[1]) + "/" + arguments[2]);
    const double seconds = count > 3 ? std::atof(arguments[3]) : 2;
    const auto first = build(message);
    if (!first) return std::fprintf(stderr, "%s\n", first.error().message.c_str()), 1;
    if (seconds == 0) return std::fwrite(first->data(), 1, first->size(), stdout), 0;
    std::size_t bytes = 0;
    const auto rate = bench::rate_per_second(seconds, [&] { bytes = build(message)->size(); });
    std::printf("{\"mails_per_second\": %.0f, \"bytes\": %zu}\n", rate, bytes);
}
