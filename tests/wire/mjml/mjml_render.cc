// Compiles files, for comparison with another compiler: one line for each.
//   out:  {"html": text, "warnings": [{"line": number, "tag": text, "message": text}]}
//         or {"error": text}
#include "json/writer.h"
#include "mjml/compile.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

using namespace mailroom;

void append(json::Writer& out, const mjml::Compiled& compiled) {
    out.key("html").text(compiled.html).key("warnings").open_list();
    for (const auto& each : compiled.warnings) {
        out.open_object().key("line").integer(static_cast<std::int64_t>(each.line));
        out.key("tag").text(each.tag).key("message").text(each.message).close_object();
    }
    out.close_list();
}

std::string answer(const std::string& source) {
    std::string line;
    json::Writer out(line);
    out.open_object();
    if (const auto compiled = mjml::compile(source)) {
        append(out, *compiled);
    } else {
        out.key("error").text(Error(compiled.error()).message);
    }
    out.close_object();
    return line;
}

}  // namespace

int main(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
        std::ifstream file(arguments[i], std::ios::binary);
        std::cout << answer({std::istreambuf_iterator<char>(file), {}}) << "\n";
    }
}
