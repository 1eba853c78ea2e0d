#include "people/people.h"

#include "people/canonical.h"
#include "table/records/many.h"

#include <utility>

namespace mailroom::people {

People::People(Books& books, Suppressions& suppressions, schedule::Schedule& schedule)
    : books_(books), suppressions_(suppressions), schedule_(schedule) {}

Result<std::optional<Profile>> People::find(std::string_view email) const {
    const auto canonical = TRY(canonical_of(email));
    const auto row = TRY(books_.get(books_.tables.audience, profile_key(canonical)));
    if (!row) return std::optional<Profile>();
    return std::optional(TRY(read_profile(*row)));
}

Result<std::vector<Profile>> People::find_all(const std::vector<std::string>& canonical) const {
    std::vector<table::Item> keys;
    for (const auto& address : canonical) keys.push_back(profile_key(address));
    std::vector<Profile> found;
    for (const auto& row :
         TRY(table::get_all(books_.store, books_.tables.audience, std::move(keys)))) {
        found.push_back(TRY(read_profile(row)));
    }
    return found;
}

}  // namespace mailroom::people
