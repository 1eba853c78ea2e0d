// The rows of a file that an import left out, all of them, and those that could not be stored.
//
//   MailroomPeople   IMPORT#{id}   MISTAKES-{line}        some hundred, from that line on
//                                  MISTAKES~{part}-{n}    of that part, what could not be stored
//                    errors L, ttl N
#pragma once

#include "people/books.h"
#include "people/import/import.h"
#include "program/import.h"
#include "table/records/pages.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mailroom::people {

// An item holds 400 KB; what is said of one is at most 300 bytes.
inline constexpr std::size_t mistakes_of_row = 500;

// Again is the same: whoever goes on after a crash writes the same rows.
Result<> write_mistakes(const Books& books, const Import& import,
                        const std::vector<program::ImportError>& by_line);
Result<> write_failed(const Books& books, const Import& import, std::int64_t part,
                      const std::vector<program::ImportError>& failed);

// By line, and then those that could not be stored. `invalid` if `after` is not what a page said.
Result<table::Slice<program::ImportError>> mistakes_of(const Books& books,
                                                       const std::string& import_id,
                                                       const table::PageWish& wish);

}  // namespace mailroom::people
