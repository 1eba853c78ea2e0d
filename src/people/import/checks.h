// What the values of a row must be, whatever file it is from.
#pragma once

#include "people/checks.h"
#include "people/import/rows.h"

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// Notes what is wrong.
void take_address(ImportRow& row, std::string_view text);
// true, yes, 1; false, no, 0; nothing, which is as no.
void take_flag(ImportRow& row, const std::string& name, std::string_view text, bool& flag);
// "a, b;c": each once.
std::vector<std::string> split_tags(std::string_view text);
// The rest, when all values have been taken.
void check_row(ImportRow& row);

}  // namespace mailroom::people
