// Compiled expressions by their text, so that a program's expressions are parsed once.
#pragma once

#include "table/expression/condition.h"
#include "table/expression/key_condition.h"
#include "table/expression/projection.h"
#include "table/expression/update_expression.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mailroom::table {

// Least recently used first out, bounded in entries and bytes. Thread-safe.
template <class Compiled>
class ExpressionShelf {
public:
    using Shared = std::shared_ptr<const Compiled>;
    using Compile = Outcome<Shared> (*)(std::string_view text);

    // Both limits are for the whole shelf and are shared out evenly over its parts.
    ExpressionShelf(std::size_t entries_max, std::size_t bytes_max)
        : part_entries_max_(std::max<std::size_t>(1, entries_max / part_count)),
          part_bytes_max_(bytes_max / part_count) {}

    // What `compile` made of the text, now or earlier; a refusal is not kept. A hit allocates
    // nothing.
    Outcome<Shared> get(std::string_view text, Compile compile);

    std::size_t entries() const;
    std::size_t bytes() const;

private:
    struct Key {
        std::string_view text;
        std::size_t hash;
        bool operator==(const Key& other) const { return text == other.text; }
    };
    struct Hash {
        std::size_t operator()(const Key& key) const { return key.hash; }
    };
    struct Entry {
        std::string text;
        std::size_t hash;
        Shared compiled;
        std::size_t bytes;
    };
    struct Part {
        mutable std::mutex mutex;
        std::list<Entry> entries;  // Most recently used first.
        // Keys are the texts of the entries, which a list never moves.
        std::unordered_map<Key, typename std::list<Entry>::iterator, Hash> by_text;
        std::size_t bytes = 0;
    };
    static constexpr std::size_t part_count = 16;  // Enough that threads seldom meet at one lock.

    Shared find(Part& part, const Key& key);
    void keep(Part& part, const Key& key, const Shared& compiled);

    std::size_t part_entries_max_, part_bytes_max_;
    std::array<Part, part_count> parts_;
};

class ExpressionCache {
public:
    // Programs have tens of expressions; those that write values into the text have no end of them.
    static constexpr std::size_t default_entries_max = 4096;
    static constexpr std::size_t default_bytes_max = 16 * 1024 * 1024;

    // Limits of each of the five kinds of expression.
    explicit ExpressionCache(std::size_t entries_max = default_entries_max,
                             std::size_t bytes_max = default_bytes_max);

    Outcome<std::shared_ptr<const CompiledCondition>> condition(std::string_view text);
    Outcome<std::shared_ptr<const CompiledCondition>> filter(std::string_view text);
    Outcome<std::shared_ptr<const CompiledKeyCondition>> key_condition(std::string_view text);
    Outcome<std::shared_ptr<const CompiledProjection>> projection(std::string_view text);
    Outcome<std::shared_ptr<const CompiledUpdate>> update(std::string_view text);

    std::size_t entries() const;
    std::size_t bytes() const;

private:
    ExpressionShelf<CompiledCondition> conditions_, filters_;
    ExpressionShelf<CompiledKeyCondition> key_conditions_;
    ExpressionShelf<CompiledProjection> projections_;
    ExpressionShelf<CompiledUpdate> updates_;
};

}  // namespace mailroom::table
