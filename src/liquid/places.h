// Where a template reads what, and which other templates it names: for those who check it.
#pragma once

#include "liquid/template.h"

#include <cstddef>
#include <string>
#include <vector>

namespace mailroom::liquid {

struct VariablePlace {
    std::string path;                  // As Template::variables() has it.
    std::size_t line = 0, column = 0;  // As in a Failure: where it is read first.
};
std::vector<VariablePlace> variable_places(const Template& text);

struct PartialPlace {
    enum class Tag { layout, include, render } tag;
    std::string name;  // Empty: it is only known when the template is rendered.
    std::size_t line = 0, column = 0;
};
// In their order.
std::vector<PartialPlace> partial_places(const Template& text);

}  // namespace mailroom::liquid
