// What was said on a connection, for people who ask why a mail did not arrive. Bounded.
//
//   * connected to 192.0.2.1:25
//   < 220 mx.example.org ESMTP
//   > EHLO mail.example.com
#pragma once

#include "smtp/reply.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::smtp {

class Transcript {
public:
    explicit Transcript(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    void note(std::string_view text) { add("* ", text); }
    void sent(std::string_view commands);  // One or more, each with its line end.
    void received(const Reply& reply);
    std::string take();  // What was said since the last time.

private:
    void add(std::string_view mark, std::string_view line);

    std::size_t bytes_max_;
    std::string text_;
    bool cut_ = false;
};

}  // namespace mailroom::smtp
