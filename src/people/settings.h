// What an operator can say of people: the name of their table, and how much memory they may take.
#pragma once

#include "people/books.h"
#include "program/settings.h"

#include <cstdint>

namespace mailroom::people {

struct Settings {
    TableNames tables;
    // To keep everybody in, for segments; 0: nobody is kept there.
    std::uint32_t memory_mb = 1024;
};

// `values` must outlive the list.
void add_settings(program::Settings& list, Settings& values);

}  // namespace mailroom::people
