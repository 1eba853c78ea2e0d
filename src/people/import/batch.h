// Rows of an import that become people together: see import.h for the rows that tell of it.
#pragma once

#include "people/import/import.h"
#include "people/import/rows.h"
#include "people/people.h"
#include "schedule/schedule.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

struct ImportBatch {
    std::string name;  // "00000003#00012": of its part, and which of that. The same each time.
    std::vector<ImportedPerson> people;
};

// The people of a part, as many together as a transaction holds.
Result<std::vector<ImportBatch>> batches_of(const Import& import, std::string_view part);
// "00000003".
std::string part_name(std::int64_t number);

// What the row says that is not so already; none if it says nothing new. A file takes nothing away:
// no tag, and nobody's word that they want no mail.
std::optional<Change> change_of(const ImportedPerson& person, const std::optional<Profile>& before,
                                const Import& import);
// What that counts as. Of a file each address comes once: who is there because of this import was
// made by it, however often it is asked.
std::int64_t ImportCounts::*kind_of(const std::optional<Profile>& before,
                                    const std::optional<Change>& change, const Import& import);
// What the list of those not to be written to says of an address.
enum class Listed {
    no,
    yes,     // Who comes with it is not written to.
    erased,  // Whoever had it was erased.
};
// Of `wanted`, in their order.
Result<std::vector<Listed>> listed_among(const People& people,
                                         const std::vector<ImportedPerson>& wanted);
// Those that are there, in the order of `people`.
Result<std::vector<std::optional<Profile>>> profiles_of(const People& people,
                                                        const std::vector<ImportedPerson>& wanted);

table::Item import_key(std::string_view id, std::string sort);  // In MailroomPeople.

// Thread-safe.
class BatchWriter {
public:
    // All must outlive this object.
    BatchWriter(People& people, schedule::Schedule& schedule)
        : people_(people), books_(people.books()), schedule_(schedule) {}

    // Once, however often it is asked, by whomever.
    Result<> write(const Import& import, const ImportBatch& batch) const;

private:
    Result<bool> is_done(const Import& import, const ImportBatch& batch) const;
    Answer<> write_together(const Import& import, const ImportBatch& batch) const;
    Result<> write_one_by_one(const Import& import, const ImportBatch& batch) const;
    void note(schedule::Transaction& transaction, const Import& import, const ImportBatch& batch,
              const ImportCounts& counts, const std::vector<program::ImportError>& failed) const;

    People& people_;
    const Books& books_;
    schedule::Schedule& schedule_;
};

// What the notes of a part say, all together.
struct PartNotes {
    ImportCounts counts;
    std::vector<program::ImportError> failed;
    std::vector<table::Item> keys;  // Of those notes.
};
Result<PartNotes> notes_of(const Books& books, const Import& import, std::int64_t part);

}  // namespace mailroom::people
