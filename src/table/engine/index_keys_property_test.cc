// Global indexes of one to eight key attributes against a naive model: random schemas, random
// items, random queries in both directions, page by page.
#include "table/engine/engine_fixture.h"
#include "table/expression/key_condition.h"

#include <algorithm>
#include <map>
#include <random>

namespace mailroom::table {
namespace {

Value number_of(std::string_view text) { return Value(*Number::parse(text)); }
Value binary_of(std::string_view bytes) { return Value::binary(bytes); }

// In their order, by hand: prefixes of each other, zero bytes, all signs and scales.
const std::vector<Value>& values_of(Kind kind) {
    using namespace std::string_literals;
    static const std::vector<Value> strings{"a", "a\0"s, "a\0\0"s, "a\0b"s, "a\1"s, "ab", "é"};
    static const std::vector<Value> numbers{
        number_of("-1E+30"), number_of("-100.5"), number_of("-100"),  number_of("-1.5"),
        number_of("-1E-20"), number_of("0"),      number_of("1E-20"), number_of("0.1"),
        number_of("0.11"),   number_of("1"),      number_of("10"),    number_of("1E+30")};
    static const std::vector<Value> binaries{
        binary_of("\0"s), binary_of("\0\0"s), binary_of("\0\1"s),  binary_of("\0\xff"s),
        binary_of("\1"s), binary_of("\xff"),  binary_of("\xff\0"s)};
    return kind == Kind::string ? strings : kind == Kind::number ? numbers : binaries;
}

// An item of the model: for each key attribute of the index the place of its value in values_of().
using Places = std::vector<std::optional<std::size_t>>;

struct Wanted {
    std::size_t used = 0;  // Range attributes that it is on; all but the last by equality.
    KeyOp op = KeyOp::equal;
    Places places;  // Of the hash attributes and of the range attributes that are used.
    std::size_t upper = 0;
};

class IndexKeysProperty : public EngineTest {
protected:
    std::size_t below(std::size_t count) { return chance() % count; }

    void make_schema() {
        constexpr Kind kinds[] = {Kind::string, Kind::number, Kind::binary};
        hash_count = 1 + below(4);
        const auto range_count = below(5);
        attributes.clear();
        for (std::size_t i = 0; i < hash_count + range_count; ++i) {
            const auto name = (i < hash_count ? "h" : "r") + std::to_string(i);
            attributes.push_back({name, kinds[below(3)]});
        }
        index = {"I", {}, {}, {}};
        if (below(2) == 0) index.projection.kind = ProjectionKind::keys_only;
        index.keys.hash = attributes[0].name;
        for (std::size_t i = 1; i < attributes.size(); ++i) {
            const auto& name = attributes[i].name;
            if (i < hash_count) {
                index.keys.more_hashes.push_back(name);
            } else if (i == hash_count) {
                index.keys.range = name;
            } else {
                index.keys.more_ranges.push_back(name);
            }
        }
    }

    void add_index() {
        UpdateTable change;
        change.name = "T";
        change.attributes = attributes;
        change.create_index = index;
        const auto changed = engine->update_table(change);
        ASSERT_TRUE(changed) << changed.error().message;
        engine->finish_jobs();
    }

    void write_one() {
        const auto pk = "k" + std::to_string(100 + below(60));
        if (below(6) == 0) {
            DeleteItem erase;
            erase.table = "T";
            erase.key = {{"pk", pk}};
            ASSERT_TRUE(engine->erase(erase));
            model.erase(pk);
            return;
        }
        Places places(attributes.size());
        Item item{{"pk", pk}, {"other", 1}};
        for (std::size_t i = 0; i < attributes.size(); ++i) {
            if (below(20) == 0) continue;
            // Few values of the hash attributes, so that partitions have several items.
            const auto& values = values_of(attributes[i].kind);
            places[i] = below(i < hash_count ? 2 : values.size());
            item.set(attributes[i].name, values[*places[i]]);
        }
        const auto written = engine->put(put("T", item));
        ASSERT_TRUE(written) << written.error().message;
        model[pk] = places;
    }

    static bool is_indexed(const Places& places) {
        return std::ranges::all_of(places, [](const auto& place) { return place.has_value(); });
    }

    bool holds(const Wanted& condition, const Places& places) const {
        if (!is_indexed(places)) return false;
        const auto last = hash_count + condition.used - 1;
        for (std::size_t i = 0; i < hash_count + condition.used; ++i) {
            const bool is_last = condition.used > 0 && i == last;
            if (!is_last && places[i] != condition.places[i]) return false;
        }
        if (condition.used == 0) return true;
        const auto at = *places[last], wanted = *condition.places[last];
        switch (condition.op) {
            case KeyOp::equal:
                return at == wanted;
            case KeyOp::less:
                return at < wanted;
            case KeyOp::less_equal:
                return at <= wanted;
            case KeyOp::greater:
                return at > wanted;
            case KeyOp::greater_equal:
                return at >= wanted;
            case KeyOp::between:
                return at >= wanted && at <= condition.upper;
            case KeyOp::begins_with:
                break;
        }
        const auto& values = values_of(attributes[last].kind);
        return values[at].view().payload().starts_with(values[wanted].view().payload());
    }

    Wanted random_condition() {
        Wanted condition;
        condition.used = below(attributes.size() - hash_count + 1);
        const auto base = std::next(model.begin(), static_cast<int>(below(model.size())))->second;
        for (std::size_t i = 0; i < hash_count + condition.used; ++i) {
            condition.places.push_back(base[i].value_or(0));
        }
        if (condition.used == 0) return condition;
        const auto kind = attributes[hash_count + condition.used - 1].kind;
        condition.op = static_cast<KeyOp>(below(kind == Kind::number ? 6 : 7));
        const auto from = *condition.places.back();
        condition.upper = from + below(values_of(kind).size() - from);
        return condition;
    }

    Query query_of(const Wanted& condition) {
        static constexpr const char* ops[] = {" = ", " < ", " <= ", " > ", " >= "};
        Query request;
        request.table = "T";
        request.index = "I";
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < condition.places.size(); ++i) {
            const auto& [name, kind] = attributes[i];
            const auto slot = ":v" + std::to_string(i);
            request.bind.values.emplace_back(slot, values_of(kind)[*condition.places[i]]);
            const bool is_last = condition.used > 0 && i + 1 == condition.places.size();
            const auto op = is_last ? condition.op : KeyOp::equal;
            if (op == KeyOp::between) {
                request.bind.values.emplace_back(":u", values_of(kind)[condition.upper]);
                parts.push_back(name + " BETWEEN " + slot + " AND :u");
            } else if (op == KeyOp::begins_with) {
                parts.push_back("begins_with(" + name + ", " + slot + ")");
            } else {
                parts.push_back(name + ops[static_cast<int>(op)] + slot);
            }
        }
        std::ranges::shuffle(parts, chance);
        for (const auto& part : parts) {
            request.key_condition += (request.key_condition.empty() ? "" : " AND ") + part;
        }
        request.forward = below(2) == 0;
        return request;
    }

    // The primary keys of the items that meet it, in order; those of one place by primary key.
    std::vector<std::string> wanted(const Wanted& condition, bool forward) const {
        std::vector<std::pair<Places, std::string>> rows;
        for (const auto& [pk, places] : model) {
            if (!holds(condition, places)) continue;
            rows.emplace_back(Places(places.begin() + static_cast<int>(hash_count), places.end()),
                              pk);
        }
        std::ranges::sort(rows);
        if (!forward) std::ranges::reverse(rows);
        std::vector<std::string> pks;
        for (const auto& row : rows) pks.push_back(row.second);
        return pks;
    }

    template <class Ask, class Request>
    std::vector<std::string> all_pages(Ask ask, Request request) {
        request.limit = 1 + static_cast<int>(below(7));
        std::vector<std::string> pks;
        for (;;) {
            const auto page = ask(request);
            EXPECT_TRUE(page) << page.error().message;
            if (!page) return pks;
            for (const auto& item : page->items) pks.emplace_back(*item.text("pk"));
            if (!page->last_key) return pks;
            EXPECT_EQ(page->last_key->view().count(), 1 + attributes.size());
            request.start_key = page->last_key;
        }
    }

    void check_reads() {
        for (int i = 0; i < 40; ++i) {
            const auto condition = random_condition();
            const auto request = query_of(condition);
            EXPECT_EQ(all_pages([&](const Query& one) { return engine->query(one); }, request),
                      wanted(condition, request.forward))
                << request.key_condition;
        }
        std::vector<std::string> indexed;
        for (const auto& [pk, places] : model) {
            if (is_indexed(places)) indexed.push_back(pk);
        }
        Scan scan;
        scan.table = "T";
        scan.index = "I";
        auto scanned = all_pages([&](const Scan& one) { return engine->scan(one); }, scan);
        std::ranges::sort(scanned);
        EXPECT_EQ(scanned, indexed);
        EXPECT_EQ(engine->describe_table("T")->global_indexes.at(0).item_count,
                  static_cast<std::int64_t>(indexed.size()));
    }

    std::mt19937 chance{20251119};
    std::vector<AttributeDefinition> attributes;  // Hash attributes first.
    std::size_t hash_count = 0;
    IndexSpec index;
    std::map<std::string, Places> model;
};

TEST_F(IndexKeysProperty, QueriesAndScansAnswerAsTheModelDoes) {
    constexpr int rounds = 60;
    for (int round = 0; round < rounds; ++round) {
        SCOPED_TRACE(round);
        create(simple_table("T"));
        model.clear();
        make_schema();
        const bool is_filled_later = round % 2 == 0;
        if (!is_filled_later) add_index();
        for (int i = 0; i < 120; ++i) write_one();
        if (is_filled_later) add_index();
        check_reads();
        reopen();
        for (int i = 0; i < 40; ++i) write_one();
        check_reads();
        if (HasFailure()) return;
        ASSERT_TRUE(engine->delete_table("T"));
        engine->finish_jobs();
    }
}

}  // namespace
}  // namespace mailroom::table
