// What an operator can say of people: the name of their table.
#pragma once

#include "people/books.h"
#include "program/settings.h"

namespace mailroom::people {

struct Settings {
    TableNames tables;
};

// `values` must outlive the list.
void add_settings(program::Settings& list, Settings& values);

}  // namespace mailroom::people
