#include "table/expression/expression_cache.h"

#include <functional>

namespace mailroom::table {

template <class Compiled>
auto ExpressionShelf<Compiled>::get(std::string_view text, Compile compile) -> Outcome<Shared> {
    const Key key{text, std::hash<std::string_view>{}(text)};
    auto& part = parts_[key.hash % part_count];
    if (auto found = find(part, key)) return found;
    // Compiled outside the lock: two threads may do it at once, and either result serves.
    auto compiled = TRY(compile(text));
    keep(part, key, compiled);
    return compiled;
}

template <class Compiled>
auto ExpressionShelf<Compiled>::find(Part& part, const Key& key) -> Shared {
    const std::lock_guard lock(part.mutex);
    const auto found = part.by_text.find(key);
    if (found == part.by_text.end()) return nullptr;
    part.entries.splice(part.entries.begin(), part.entries, found->second);
    return found->second->compiled;
}

template <class Compiled>
void ExpressionShelf<Compiled>::keep(Part& part, const Key& key, const Shared& compiled) {
    const auto bytes = compiled->bytes() + key.text.size() + sizeof(Entry);
    if (bytes > part_bytes_max_) return;
    const std::lock_guard lock(part.mutex);
    if (part.by_text.contains(key)) return;
    part.entries.push_front({std::string(key.text), key.hash, compiled, bytes});
    part.by_text.emplace(Key{part.entries.front().text, key.hash}, part.entries.begin());
    part.bytes += bytes;
    while (part.entries.size() > part_entries_max_ || part.bytes > part_bytes_max_) {
        const auto& last = part.entries.back();
        part.bytes -= last.bytes;
        part.by_text.erase(Key{last.text, last.hash});
        part.entries.pop_back();
    }
}

template <class Compiled>
std::size_t ExpressionShelf<Compiled>::entries() const {
    std::size_t entries = 0;
    for (const auto& part : parts_) {
        const std::lock_guard lock(part.mutex);
        entries += part.entries.size();
    }
    return entries;
}

template <class Compiled>
std::size_t ExpressionShelf<Compiled>::bytes() const {
    std::size_t bytes = 0;
    for (const auto& part : parts_) {
        const std::lock_guard lock(part.mutex);
        bytes += part.bytes;
    }
    return bytes;
}

template class ExpressionShelf<CompiledCondition>;
template class ExpressionShelf<CompiledKeyCondition>;
template class ExpressionShelf<CompiledProjection>;
template class ExpressionShelf<CompiledUpdate>;

namespace {

Outcome<std::shared_ptr<const CompiledCondition>> compile_condition(std::string_view text) {
    return compile(TRY(parse_condition(text, ExpressionUse::condition)), ExpressionUse::condition);
}
Outcome<std::shared_ptr<const CompiledCondition>> compile_filter(std::string_view text) {
    return compile(TRY(parse_condition(text, ExpressionUse::filter)), ExpressionUse::filter);
}
Outcome<std::shared_ptr<const CompiledProjection>> compile_projection(std::string_view text) {
    return compile(TRY(parse_projection(text)), ExpressionUse::projection);
}
Outcome<std::shared_ptr<const CompiledUpdate>> compile_update(std::string_view text) {
    return compile(TRY(parse_update(text)), ExpressionUse::update);
}

}  // namespace

ExpressionCache::ExpressionCache(std::size_t entries_max, std::size_t bytes_max)
    : conditions_(entries_max, bytes_max),
      filters_(entries_max, bytes_max),
      key_conditions_(entries_max, bytes_max),
      projections_(entries_max, bytes_max),
      updates_(entries_max, bytes_max) {}

Outcome<std::shared_ptr<const CompiledCondition>> ExpressionCache::condition(
    std::string_view text) {
    return conditions_.get(text, compile_condition);
}
Outcome<std::shared_ptr<const CompiledCondition>> ExpressionCache::filter(std::string_view text) {
    return filters_.get(text, compile_filter);
}
Outcome<std::shared_ptr<const CompiledKeyCondition>> ExpressionCache::key_condition(
    std::string_view text) {
    return key_conditions_.get(text, compile_key_condition);
}
Outcome<std::shared_ptr<const CompiledProjection>> ExpressionCache::projection(
    std::string_view text) {
    return projections_.get(text, compile_projection);
}
Outcome<std::shared_ptr<const CompiledUpdate>> ExpressionCache::update(std::string_view text) {
    return updates_.get(text, compile_update);
}

std::size_t ExpressionCache::entries() const {
    return conditions_.entries() + filters_.entries() + key_conditions_.entries() +
           projections_.entries() + updates_.entries();
}

std::size_t ExpressionCache::bytes() const {
    return conditions_.bytes() + filters_.bytes() + key_conditions_.bytes() + projections_.bytes() +
           updates_.bytes();
}

}  // namespace mailroom::table
