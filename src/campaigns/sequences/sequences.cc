#include "campaigns/sequences/sequences.h"

#include "campaigns/sequences/definition_checks.h"

#include <algorithm>
#include <utility>

namespace mailroom::campaigns {

namespace {

Refusal no_sequence(const std::string& id) {
    return Refusal::not_found("there is no sequence " + id);
}

// Where replies of this sequence go to; empty: nowhere.
std::string forwarded_to(const Definition& definition) {
    return definition.sender.capture_replies ? definition.sender.forward_replies_to : "";
}

}  // namespace

Sequences::Sequences(const Books& books, const people::Segments& segments)
    : books_(books),
      segments_(segments),
      rows_(books.rows<Sequence>()),
      versions_(books.rows<SequenceVersion>()) {}

Answer<Sequence> Sequences::require(const std::string& id) const {
    if (!is_sequence_id(id)) return no_sequence(id);
    auto found = TRY(rows_.find(Sequence::key(id)));
    if (!found || found->removed) return no_sequence(id);
    return *std::move(found);
}

Result<table::Slice<Sequence>> Sequences::page(const table::PageWish& wish) const {
    const auto query =
        rows_.query().partition("PK", table::Value(Sequence::partition)).consistent();
    auto page = TRY(rows_.page(query, wish));
    std::erase_if(page.items, [](const Sequence& one) { return one.removed.has_value(); });
    return page;
}

Result<std::vector<Sequence>> Sequences::all() const {
    return table::whole_list([this](const table::PageWish& wish) { return page(wish); });
}

Result<table::Slice<SequenceVersion>> Sequences::versions(const std::string& id,
                                                          const table::PageWish& wish) const {
    const auto query = versions_.query()
                           .partition("PK", table::Value(SequenceVersion::partition(id)))
                           .newest_first()
                           .consistent();
    return versions_.page(query, wish);
}

Answer<SequenceVersion> Sequences::require_version(const std::string& id,
                                                   std::int64_t version) const {
    if (!is_sequence_id(id)) return no_sequence(id);
    auto found = TRY(versions_.find(SequenceVersion::key(id, version)));
    if (found) return *std::move(found);
    return Refusal::not_found("sequence " + id + " has no version " + std::to_string(version));
}

Answer<Plan> Sequences::plan_of(const Definition& definition) const {
    return Plan::make(definition, [this](people::Filter filter) {
        return segments_.resolve(std::move(filter), "steps");
    });
}

Answer<> Sequences::check_together(const std::vector<Definition>& definitions, bool is_one) const {
    auto others = TRY(all());
    std::erase_if(others, [&](const Sequence& other) {
        return std::ranges::find(definitions, other.id, &Definition::id) != definitions.end();
    });
    if (others.size() + definitions.size() > sequences_max) {
        return Refusal(Refusal::Kind::too_many,
                       "there are at most " + std::to_string(sequences_max) + " sequences");
    }
    std::vector<const Definition*> known;
    for (const auto& other : others) known.push_back(&other.definition);
    for (std::size_t i = 0; i < definitions.size(); ++i) {
        const auto& one = definitions[i];
        const auto place = is_one ? std::string() : "sequences[" + std::to_string(i) + "].";
        auto plan = plan_of(one);
        if (!plan) return std::move(plan).error();
        const auto to = forwarded_to(one);
        const auto differs = [&](const Definition* other) {
            const auto theirs = forwarded_to(*other);
            return !to.empty() && !theirs.empty() && theirs != to;
        };
        const auto other = std::ranges::find_if(known, differs);
        if (other != known.end()) {
            return Refusal::bad_field(
                place + "sender.forwardRepliesTo",
                "must be " + forwarded_to(**other) + ", which sequence " + (*other)->id + " has");
        }
        known.push_back(&one);
    }
    return Ok{};
}

Answer<Sequence> Sequences::save(const Definition& definition, const program::Actor& who) const {
    TRY(check_together({definition}, true));
    return settled(books_.store.pauses(race_pauses), [&] { return save_once(definition, who); });
}

Answer<std::vector<Sequence>> Sequences::save_all(const std::vector<Definition>& definitions,
                                                  const program::Actor& who) const {
    TRY(check_together(definitions, false));
    std::vector<Sequence> saved;
    for (const auto& one : definitions) {
        saved.push_back(
            TRY(settled(books_.store.pauses(race_pauses), [&] { return save_once(one, who); })));
    }
    return saved;
}

Answer<Sequence> Sequences::save_once(const Definition& definition,
                                      const program::Actor& who) const {
    auto sequence = TRY(rows_.find(Sequence::key(definition.id))).value_or(Sequence());
    const bool is_there = sequence.version > 0 && !sequence.removed;
    const bool is_the_same = table::to_json(sequence.definition) == table::to_json(definition);
    if (is_there && is_the_same) return sequence;
    sequence.updated = books_.clock.now();
    if (!is_there) sequence.created = sequence.updated;
    sequence.id = definition.id;
    sequence.definition = definition;
    sequence.by = who.name;
    sequence.removed.reset();
    schedule::Transaction together;
    rows_.save(together, sequence);
    const SequenceVersion version{sequence.id, sequence.version, sequence.by, sequence.updated,
                                  definition};
    together.put(versions_.table(), table::to_item(version)).if_absent("PK");
    TRY(books_.commit(together));
    return sequence;
}

Result<bool> Sequences::is_anybody_in(const std::string& id) const {
    const auto page = TRY(books_.store.query(table::from(books_.tables.audience)
                                                 .partition("PK", table::Value("EXEC#" + id))
                                                 .limit(1)
                                                 .consistent()));
    return !page.items.empty();
}

Answer<> Sequences::remove(const std::string& id) const {
    return settled(books_.store.pauses(race_pauses), [&] { return remove_once(id); });
}

Answer<> Sequences::mark(Sequence& sequence, std::optional<Time> removed) const {
    sequence.removed = removed;
    schedule::Transaction together;
    rows_.save(together, sequence);
    return books_.commit(together);
}

// Nobody enters once it is marked, and who entered before is seen by the look after that.
Answer<> Sequences::remove_once(const std::string& id) const {
    const auto people_inside = [] {
        return Refusal::conflict("people_inside", "people are in this sequence; stop them first");
    };
    auto sequence = TRY(require(id));
    if (TRY(is_anybody_in(id))) return people_inside();
    TRY(mark(sequence, books_.clock.now()));
    if (!TRY(is_anybody_in(id))) return Ok{};
    TRY(mark(sequence, std::nullopt));
    return people_inside();
}

}  // namespace mailroom::campaigns
