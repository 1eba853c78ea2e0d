// Takes people in from files.
//
// A file is kept before it is acknowledged, and read part by part by jobs, on whatever node: each
// part is some hundred transactions, several at a time.
#pragma once

#include "people/import/batch.h"
#include "people/import/checked_file.h"
#include "people/import/import.h"
#include "people/people.h"
#include "schedule/crew.h"
#include "table/records/rows.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

inline constexpr const char* import_queue = "people.import";
inline constexpr std::size_t import_body_bytes_max = 128 * 1024 * 1024;

// Thread-safe.
class Importer {
public:
    // All must outlive this object. Without `threads` a part is written on the job's own.
    Importer(People& people, schedule::Schedule& schedule, std::size_t threads);

    // What would become of the file now.
    Answer<ImportReport> report(std::string_view file, const ImportWish& wish) const;
    // Durable when it returns: the rest happens by itself. `bad_field` for what is no such file;
    // `invalid`, with the mistakes in the details, if there are any, unless they are to be skipped.
    // What was started under that id stays what it is.
    Answer<Import> start(std::string_view file, const ImportWish& wish) const;
    Answer<Import> require(const std::string& id) const;
    // Of the rows that were left out, and of those that could not be stored: see mistakes.h.
    Answer<table::Slice<program::ImportError>> mistakes(const std::string& id,
                                                        const table::PageWish& wish) const;

    void run(schedule::JobInHand job) const;

private:
    Import import_of(const CheckedFile& checked, const ImportWish& wish) const;
    Result<std::optional<Import>> find(std::string_view id) const;
    Answer<Import> keep(std::string_view file, const CheckedFile& checked,
                        const ImportWish& wish) const;
    Result<> write_parts(const Import& import, std::string_view file,
                         const CheckedFile& checked) const;
    Result<> step(schedule::Job& job) const;
    Result<> write_part(const Import& import) const;
    Result<> end_part(Import import, schedule::Job& job) const;

    People& people_;
    const Books& books_;
    schedule::Schedule& schedule_;
    const std::size_t threads_;
    const BatchWriter writer_;
    const table::Rows<Import> imports_;
};

}  // namespace mailroom::people
