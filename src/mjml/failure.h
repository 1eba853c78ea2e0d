// Why a source was not compiled, and where.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>

namespace mailroom::mjml {

struct Failure {
    std::size_t line = 0;  // From 1; 0 where the whole source is meant.
    std::string message;

    operator Error() const {
        return {Errc::invalid,
                line == 0 ? message : "line " + std::to_string(line) + ": " + message};
    }
};

}  // namespace mailroom::mjml
