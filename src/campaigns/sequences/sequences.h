// The sequences that there are, and their versions.
#pragma once

#include "base/refusal.h"
#include "campaigns/books.h"
#include "campaigns/sequences/plan.h"
#include "campaigns/sequences/sequence_rows.h"
#include "people/segments/segments.h"
#include "program/actor.h"
#include "table/records/rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::campaigns {

inline constexpr std::size_t sequences_max = 1000;

// Thread-safe.
class Sequences {
public:
    // Both must outlive this object.
    Sequences(const Books& books, const people::Segments& segments);

    // As it is now; `not_found` also once it was deleted.
    Answer<Sequence> require(const std::string& id) const;
    // By id. Those that were deleted are left out, so a page may be shorter than was wished.
    Result<table::Slice<Sequence>> page(const table::PageWish& wish) const;
    Result<std::vector<Sequence>> all() const;
    // Newest first. They stay when a sequence is deleted: people's histories name them.
    Result<table::Slice<SequenceVersion>> versions(const std::string& id,
                                                   const table::PageWish& wish) const;
    Answer<SequenceVersion> require_version(const std::string& id, std::int64_t version) const;

    // Makes it, or a version of it; none, if it says the same already. `bad_field` if it does not
    // go together with the other sequences, or asks for a segment that is not there.
    Answer<Sequence> save(const Definition& definition, const program::Actor& who) const;
    // Each of them as a whole, one after the other; nothing if one of them is wrong.
    Answer<std::vector<Sequence>> save_all(const std::vector<Definition>& definitions,
                                           const program::Actor& who) const;
    // A `conflict` while people are in it.
    Answer<> remove(const std::string& id) const;

    // With the filters of segments as they are now.
    Answer<Plan> plan_of(const Definition& definition) const;

private:
    Answer<> check_together(const std::vector<Definition>& definitions, bool is_one) const;
    Answer<Sequence> save_once(const Definition& definition, const program::Actor& who) const;
    Answer<> mark(Sequence& sequence, std::optional<Time> removed) const;
    Answer<> remove_once(const std::string& id) const;
    Result<bool> is_anybody_in(const std::string& id) const;

    const Books& books_;
    const people::Segments& segments_;
    const table::Rows<Sequence> rows_;
    const table::Rows<SequenceVersion> versions_;
};

}  // namespace mailroom::campaigns
