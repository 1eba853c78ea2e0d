// The people: one record of everybody whom we know, as the table Audience has it.
//
// Addresses are taken in any spelling and are the same person in the same canonical form. A change
// is one transaction, on condition that nothing of ours has changed the person since they were read;
// other programs may write the same rows at any time (see others/).
#pragma once

#include "base/refusal.h"
#include "people/books.h"
#include "people/change.h"
#include "people/profile.h"
#include "people/suppressions.h"
#include "schedule/schedule.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// Who hears of it when something of a person changed. Thread-safe, quick, asks no store.
class PeopleWatch {
public:
    virtual ~PeopleWatch() = default;
    // It is durable; another program may have done it. Perhaps nothing is different.
    virtual void changed(std::string_view canonical) = 0;
};

// Thread-safe.
class People {
public:
    // All must outlive this object.
    People(Books& books, Suppressions& suppressions, schedule::Schedule& schedule);

    // As they are now. `invalid` if it is no address.
    Result<std::optional<Profile>> find(std::string_view email) const;
    // In any order; who is not there is left out.
    Result<std::vector<Profile>> find_all(const std::vector<std::string>& canonical) const;

    // Adds the change to the transaction: of a person as read, or of somebody new. That is then a
    // `conflict` if it changed meanwhile; then the person is to be read again. A change that only
    // says no to mail has no such condition. A transaction may hold one change of a person.
    // `invalid` if the change cannot be made, at all or in one transaction: tags_at_once_max.
    Result<> add_to(schedule::Transaction& transaction, std::string_view canonical,
                    const std::optional<Profile>& before, const Change& change) const;
    static constexpr std::size_t tags_at_once_max = 45;

    // What the change makes of the person, who is made if they are not there. More tags than fit
    // into one transaction are changed in several: each leaves profile and tag rows in step, and
    // they are seen through also after a crash.
    Answer<Profile> change(std::string_view email, const Change& change) const;
    // The same, `not_found` if they are not there.
    Answer<Profile> change_known(std::string_view email, const Change& change) const;
    Answer<Profile> tag(std::string_view email, std::string_view tag) const;
    Answer<Profile> untag(std::string_view email, std::string_view tag) const;
    // All rows of the person in Audience go, with the rows of their tags. What is left is that
    // this address, whose hash is kept, must not be written to. `not_found` if there is nobody.
    Answer<> erase(std::string_view email) const;

    Suppressions& suppressions() const { return suppressions_; }
    const Books& books() const { return books_; }

private:
    Books& books_;
    Suppressions& suppressions_;
    schedule::Schedule& schedule_;
};

}  // namespace mailroom::people
