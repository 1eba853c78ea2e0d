// The people: one record of everybody whom we know, as the table Audience has it.
//
// Addresses are taken in any spelling and are the same person in the same canonical form. A change
// is one transaction, on condition that nothing of ours has changed the person since they were
// read; other programs may write the same rows at any time (see others/).
#pragma once

#include "base/refusal.h"
#include "people/books.h"
#include "people/change.h"
#include "people/profile.h"
#include "people/suppressions.h"
#include "schedule/crew.h"
#include "schedule/schedule.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// Queue of what is seen through after a crash.
inline constexpr std::string_view people_queue = "people.unfinished";

// Thread-safe.
class People {
public:
    // Both must outlive this object.
    People(Suppressions& suppressions, schedule::Schedule& schedule);

    // As they are now. `invalid` if it is no address.
    Result<std::optional<Profile>> find(std::string_view email) const;
    Answer<Profile> require(std::string_view email) const;
    // In any order; who is not there is left out.
    Result<std::vector<Profile>> find_all(const std::vector<std::string>& canonical) const;

    // Adds the change to the transaction: of a person as read, or of somebody new. That is then a
    // `conflict` if it changed meanwhile; then the person is to be read again. A change that only
    // says no to mail has no such condition. A transaction may hold one change of a person.
    // `invalid` if the change does not fit into one transaction: see tags_at_once_max.
    Result<> add_to(schedule::Transaction& transaction, std::string_view canonical,
                    const std::optional<Profile>& before, const Change& change) const;
    // So many tags may come or go in one transaction, with everything else.
    static constexpr std::size_t tags_at_once_max = 45;

    // What the change makes of the person, who is made if they are not there. More tags than fit
    // into one transaction are changed in several: each leaves profile and tag rows in step, and
    // they are seen through also after a crash.
    Answer<Profile> change(std::string_view email, const Change& change) const;
    // The same, `not_found` if they are not there.
    Answer<Profile> change_known(std::string_view email, const Change& change) const;
    // `not_found` if there is no such person. What is so already stays.
    Answer<Profile> tag(std::string_view email, std::string_view tag) const;
    Answer<Profile> untag(std::string_view email, std::string_view tag) const;
    // All rows of the person in our tables go, with those of their tags. What is left is that this
    // address, whose hash is kept, must not be written to. `not_found` if nothing is known of it.
    Answer<> erase(std::string_view email, const Evidence& evidence) const;

    // Jobs of people_queue.
    void run(schedule::Job& job) const;

    Suppressions& suppressions() const { return suppressions_; }
    const Books& books() const { return books_; }
    // Before anybody asks: what a program keeps of people by their address. It is shown with them,
    // goes along to another address, and goes when they are erased; it must outlive this object.
    void keep(PersonalData& part) { suppressions_.keep(part); }

private:
    using Made = std::function<Answer<Change>(const std::optional<Profile>&)>;
    Answer<Profile> settle(std::string_view email, const Made& make) const;
    Answer<> attempt(const std::string& canonical, const Change& wanted,
                     const std::optional<Profile>& before) const;
    // Changes some of the tags that are to come; whether that was the last of them.
    Answer<bool> go_on_tagging(const std::string& canonical) const;
    Answer<> finish_tagging(const std::string& canonical) const;
    struct Erasure {
        schedule::Position job;  // That sees it through.
        Time at;                 // What is newer is of somebody else, who has the address now.
    };
    Answer<Erasure> erase_profile(const std::string& canonical, const Evidence& evidence) const;
    Result<> erase_audience(const std::string& canonical, Time until) const;
    Result<> erase_rest(const std::string& canonical, Time until) const;
    Result<> erase_late(const std::string& canonical) const;
    // All is forgotten: the job has to look for nothing but what others write late.
    void only_late_rows(const std::string& canonical, const schedule::Position& job) const;
    schedule::Position see_through(schedule::Transaction& transaction, const std::string& canonical,
                                   std::string_view what) const;

    Suppressions& suppressions_;
    const Books& books_;
    schedule::Schedule& schedule_;
};

}  // namespace mailroom::people
