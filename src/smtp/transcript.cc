#include "smtp/transcript.h"

#include <utility>

namespace mailroom::smtp {
namespace {

constexpr std::string_view cut_mark = "* (cut here)\n";

}  // namespace

void Transcript::add(std::string_view mark, std::string_view line) {
    if (bytes_max_ == 0 || cut_) return;
    if (text_.size() + mark.size() + line.size() + 1 + cut_mark.size() > bytes_max_) {
        if (cut_mark.size() <= bytes_max_) text_ += cut_mark;
        cut_ = true;
        return;
    }
    text_ += mark;
    text_ += line;
    text_ += '\n';
}

void Transcript::sent(std::string_view commands) {
    if (bytes_max_ == 0) return;
    while (!commands.empty()) {
        const auto end = commands.find("\r\n");
        add("> ", commands.substr(0, end));
        if (end == commands.npos) break;
        commands.remove_prefix(end + 2);
    }
}

void Transcript::received(const Reply& reply) {
    if (bytes_max_ == 0) return;
    auto text = reply.wire_text();
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto end = rest.find("\r\n");
        add("< ", rest.substr(0, end));
        rest.remove_prefix(end + 2);
    }
}

std::string Transcript::take() {
    cut_ = false;
    return std::exchange(text_, {});
}

}  // namespace mailroom::smtp
