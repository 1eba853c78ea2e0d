// Collects warnings up to a limit. Private to this folder.
#pragma once

#include "mjml/compile.h"
#include "mjml/element.h"

namespace mailroom::mjml {

class Warnings {
public:
    explicit Warnings(std::size_t count_max) : count_max_(count_max) {}

    void add(std::size_t line, std::string_view tag, std::string message);
    void add(const Element& element, std::string message) {
        add(element.line, element.tag, std::move(message));
    }
    // In the order of lines.
    std::vector<Warning> take() &&;

private:
    std::size_t count_max_;
    std::size_t dropped_ = 0;
    std::vector<Warning> warnings_;
};

// A piece of the source to name in a message: not longer than people read.
std::string quoted(std::string_view text);

}  // namespace mailroom::mjml
