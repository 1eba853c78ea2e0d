#include "table/partiql/reading.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::table::partiql {

namespace {

std::optional<ValueView> find(const DocumentPath& path, ItemView item) {
    auto value = item.find(path.head());
    for (std::size_t i = 1; i < path.steps.size() && value; ++i) {
        const Step& step = path.steps[i];
        if (step.is_index) {
            value = value->kind() == Kind::list ? value->list().at(step.index) : std::nullopt;
        } else {
            value = value->kind() == Kind::map ? value->map().find(step.name) : std::nullopt;
        }
    }
    return value;
}

// Gathers the pages of a read into one.
class PageReader {
public:
    PageReader(Store& store, const ReadPlan& plan, const Presentation& presentation,
               const std::string& fingerprint, std::optional<std::int64_t> limit)
        : store_(store),
          plan_(plan),
          presentation_(presentation),
          fingerprint_(fingerprint),
          limit_(limit) {}

    Outcome<StatementResult> get(const GetItem& request) {
        auto got = TRY(store_.get(request));
        result_.consumed = std::move(got.consumed);
        if (got.item) keep(*got.item);
        return std::move(result_);
    }

    Outcome<StatementResult> scan(Scan request, const Continuation& start) {
        request.limit = limit_;
        request.start_key = start.key;
        auto page = TRY(store_.scan(request));
        take(page);
        if (page.last_key) TRY(go_on(0, std::move(page.last_key)));
        return std::move(result_);
    }

    // Partition after partition, until the limit or the size of a page is reached.
    Outcome<StatementResult> query(Query request, const Continuation& start) {
        assert(request.bind.values.size() >= plan_.partitions.front().size());
        request.start_key = start.key;
        for (std::uint32_t i = start.partition; i < plan_.partitions.size(); ++i) {
            const auto& hashes = plan_.partitions[i];
            for (std::size_t j = 0; j < hashes.size(); ++j) {
                request.bind.values[j].second = hashes[j];
            }
            request.limit = limit_;
            auto page = TRY(store_.query(request));
            take(page);
            if (page.last_key) {
                TRY(go_on(i, std::move(page.last_key)));
                break;
            }
            request.start_key.reset();
            const bool is_full = limit_ == 0 || bytes_ >= page_bytes_max;
            if (is_full && i + 1 < plan_.partitions.size()) {
                TRY(go_on(i + 1, std::nullopt));
                break;
            }
        }
        return std::move(result_);
    }

private:
    void keep(const Item& item) {
        bytes_ += item.view().size_in_item();
        if (auto shown = presentation_.show(item)) result_.items.push_back(*std::move(shown));
    }

    void take(const Page& page) {
        for (const Item& item : page.items) keep(item);
        add(result_.consumed, page.consumed);
        if (!limit_) return;
        const auto scanned = static_cast<std::int64_t>(page.scanned_count);
        limit_ = std::max<std::int64_t>(0, *limit_ - scanned);
    }

    Outcome<> go_on(std::uint32_t partition, std::optional<Item> key) {
        result_.last_key = key;
        result_.next_token = TRY(encode_token(fingerprint_, {partition, std::move(key)}));
        return Ok{};
    }

    Store& store_;
    const ReadPlan& plan_;
    const Presentation& presentation_;
    const std::string& fingerprint_;
    std::optional<std::int64_t> limit_;  // What is left of it.
    std::size_t bytes_ = 0;
    StatementResult result_;
};

}  // namespace

Outcome<Presentation> Presentation::of(const ReadPlan& plan) {
    Presentation presentation(plan);
    if (plan.condition.empty()) return presentation;
    const auto condition =
        TRY(mailroom::table::parse_condition(plan.condition, ExpressionUse::filter));
    auto compiled = TRY(compile(condition, ExpressionUse::partiql));
    BindingUse use(plan.condition_bind);
    presentation.condition_ = TRY(bind(std::move(compiled), plan.condition_bind, use));
    return presentation;
}

std::optional<Item> Presentation::show(const Item& item) const {
    if (condition_ && !condition_->holds(item.view())) return std::nullopt;
    if (plan_->columns.empty()) return item;
    std::vector<Field> fields;
    for (const auto& column : plan_->columns) {
        if (const auto value = find(column.path, item.view()))
            fields.push_back({column.name, *value});
    }
    return Item::from_fields(std::move(fields));
}

Outcome<StatementResult> read_page(Store& store, const ReadPlan& plan, const Continuation& start,
                                   std::optional<std::int64_t> limit,
                                   const std::string& fingerprint) {
    const auto presentation = TRY(Presentation::of(plan));
    PageReader reader(store, plan, presentation, fingerprint, limit);
    if (const auto* get = std::get_if<GetItem>(&plan.request)) return reader.get(*get);
    if (const auto* scan = std::get_if<Scan>(&plan.request)) return reader.scan(*scan, start);
    return reader.query(std::get<Query>(plan.request), start);
}

void add(Consumed& total, const Consumed& part) {
    total.table = part.table;
    total.table_read += part.table_read;
    total.table_write += part.table_write;
    for (const auto& index : part.indexes) {
        const auto same = std::ranges::find(total.indexes, index.name, &Consumed::Index::name);
        if (same == total.indexes.end()) {
            total.indexes.push_back(index);
        } else {
            same->read += index.read;
            same->write += index.write;
        }
    }
}

}  // namespace mailroom::table::partiql
