// bench_parse_gmime FILE [SECONDS]: the same as bench_parse with GMime alone: its parser over a
// memory stream, and the content of every leaf decoded into memory.
#include "processor_time.h"

#include <gmime/gmime.h>

#include <cstdio>
#include <cstdlib>

namespace {

std::size_t decoded_bytes = 0;

void decode_leaf(GMimeObject*, GMimeObject* part, gpointer) {
    if (!GMIME_IS_PART(part)) return;
    auto* content = g_mime_part_get_content(GMIME_PART(part));
    if (content == nullptr) return;
    auto* stream = g_mime_stream_mem_new();
    g_mime_data_wrapper_write_to_stream(content, stream);
    decoded_bytes += g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(stream))->len;
    g_object_unref(stream);
}

void parse(const std::string& mail) {
    auto* stream = g_mime_stream_mem_new_with_buffer(mail.data(), mail.size());
    auto* parser = g_mime_parser_new_with_stream(stream);
    g_object_unref(stream);
    auto* message = g_mime_parser_construct_message(parser, nullptr);
    g_object_unref(parser);
    if (message == nullptr) return;
    g_mime_message_foreach(message, decode_leaf, nullptr);
    g_object_unref(message);
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) return std::fprintf(stderr, "bench_parse_gmime FILE [SECONDS]\n"), 2;
    const auto mail = bench::read_file(arguments[1]);
    const double seconds = count > 2 ? std::atof(arguments[2]) : 3;
    g_mime_init();
    const auto rate = bench::rate_per_second(seconds, [&] { parse(mail); });
    if (decoded_bytes == 0) return std::fprintf(stderr, "nothing was understood\n"), 1;
    std::printf("{\"mails_per_second\": %.0f, \"bytes\": %zu}\n", rate, mail.size());
}
