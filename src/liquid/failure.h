// Why a template could not be compiled or rendered, and where.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::liquid {

struct Failure {
    Errc code = Errc::invalid;  // `throttled` when a limit was reached, else `invalid`.
    std::string message;
    std::size_t line = 0;    // From 1; 0 when the failure has no place in the text.
    std::size_t column = 0;  // In characters, from 1.
    std::string text;        // The offending piece of the template, shortened.
    std::string partial;     // The partial in which it happened; empty for the template itself.
    // Set by strict rendering only: every name that was missing, in order of first use, once each.
    std::vector<std::string> missing_variables;

    operator Error() const;
};

// Fills in line, column and text for the piece of `source` that begins at `offset`.
void locate(Failure& failure, std::string_view source, std::size_t offset, std::size_t length);

}  // namespace mailroom::liquid
