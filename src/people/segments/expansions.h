// Whom a filter meant at a moment, kept: a person is in or out once and for all, whatever becomes
// of them or of the filter later. For what goes to many, one after the other, for hours.
//
//   MailroomPeople   EXPANSION#       {id}              filter S, at N (ms), through S, people N,
//                                                       done BOOL, version N, ttl N
//                    EXPANSION#{id}   {first address}   addresses L of S, in order; ttl N
// Each transaction adds one row of addresses and says how far that is, so that whoever goes on
// after a crash, or beside another node, takes nobody twice and leaves nobody out.
#pragma once

#include "base/refusal.h"
#include "people/books.h"
#include "people/segments/finder.h"
#include "people/segments/segments.h"
#include "table/records/record.h"
#include "table/records/rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace mailroom::people {

struct Expansion {
    std::string id;
    std::string filter;   // As text, with those of its segments.
    Time at = {};         // What is relative in it is so to this.
    std::string through;  // Who comes after this address is still to be found.
    std::int64_t people = 0;
    bool is_done = false;
    std::int64_t version = 0;

    static constexpr std::string_view record_name = "Expansion";
    static constexpr auto fields = std::tuple{table::must_have("id", &Expansion::id),
                                              table::must_have("filter", &Expansion::filter),
                                              table::must_have("at", &Expansion::at),
                                              table::kept("through", &Expansion::through),
                                              table::kept("people", &Expansion::people),
                                              table::kept("done", &Expansion::is_done),
                                              table::stored("version", &Expansion::version)};
    static void derive(const Expansion& expansion, table::Item& row);
};

// Thread-safe.
class Expansions {
public:
    // All must outlive it.
    Expansions(const Books& books, const Finder& finder, const Segments& segments);

    // Returns when all are found and kept; goes on with one that is there, with its own filter.
    // They are kept for a year. An id is 1 to 200 bytes.
    Answer<Expansion> expand(const std::string& id, const Filter& filter) const;
    Result<std::optional<Expansion>> find(const std::string& id) const;
    // Addresses of one that is done, or of as many as there are by now, after that address, in
    // order. Fewer than `limit` are the last.
    Result<std::vector<std::string>> page(const std::string& id, const std::string& after,
                                          std::size_t limit) const;
    // Those that somebody is in.
    Result<std::vector<Expansion>> with(const std::string& canonical) const;
    // Takes somebody out of all of them: who is erased must not be named anywhere.
    Answer<> forget(const std::string& canonical) const;
    Answer<> remove(const std::string& id) const;

private:
    Result<std::vector<Expansion>> all() const;
    Answer<Expansion> begin(const std::string& id, const Filter& filter) const;
    Answer<Expansion> go_on(Expansion expansion) const;
    Answer<> forget_in(const std::string& id, const std::string& canonical) const;
    Result<std::optional<table::Item>> row_with(const std::string& id,
                                                const std::string& address) const;

    const Books& books_;
    const Finder& finder_;
    const Segments& segments_;
    const table::Rows<Expansion> rows_;
};

}  // namespace mailroom::people
