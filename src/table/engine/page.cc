#include "table/engine/page.h"

#include "table/engine/entry.h"
#include "table/engine/keys.h"
#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

namespace {

// The row with which a page reaches 1 MB is its last, as with DynamoDB.
constexpr std::size_t page_bytes_max = 1024 * 1024;
constexpr std::size_t read_unit_bytes = 4096;

// One walk over the rows; holds what the loop needs from row to row.
class Walk {
public:
    Walk(const kv::Store& kv, const PageRequest& request)
        : kv_(kv), request_(request), cursor_(kv.scan(request.range.from, request.range.to)) {}

    Outcome<std::optional<Page>> run() {
        first();
        for (; cursor_->valid(); step()) {
            const auto bytes = ItemView(cursor_->value()).size_in_item();
            if (request_.bytes_max && bytes_ + bytes > *request_.bytes_max) return given_up();
            bytes_ += bytes;
            ++page_.scanned_count;
            TRY(take(ItemView(cursor_->value())));
            // Whether more rows follow is not looked at: the key may lead to an empty page.
            const bool is_full = request_.limit && page_.scanned_count == *request_.limit;
            if (is_full || bytes_ >= page_bytes_max) {
                page_.last_key =
                    key_of(*request_.table, request_.index, ItemView(cursor_->value()));
                break;
            }
        }
        if (auto status = cursor_->status(); !status) return from_storage(status.error());
        count_units();
        return std::optional(std::move(page_));
    }

private:
    static std::optional<Page> given_up() { return std::nullopt; }

    void first() {
        if (request_.range.forward) {
            cursor_->seek(request_.range.from);
        } else {
            cursor_->seek_before(request_.range.to);
        }
    }
    void step() { request_.range.forward ? cursor_->next() : cursor_->prev(); }

    Outcome<> take(const ItemView& row) {
        if (!request_.fetch_items) {
            add(row);
            return Ok{};
        }
        auto item =
            kv_.get(TRY(row_of_key(*request_.table, key_of(*request_.table, nullptr, row))));
        if (!item) return from_storage(item.error());
        // The item and its entry change together, but this read is younger than the cursor.
        if (!*item) return Ok{};
        const ItemView fetched(**item);
        fetched_bytes_ += fetched.size_in_item();
        add(fetched);
        return Ok{};
    }

    void add(const ItemView& item) {
        if (request_.filter && !request_.filter->holds(item)) return;
        ++page_.count;
        if (request_.count_only) return;
        page_.items.push_back(request_.projection ? request_.projection->project(item)
                                                  : Item(item));
    }

    void count_units() {
        page_.consumed.table = request_.table->name;
        const auto units = read_units(bytes_, request_.consistent);
        if (request_.index) {
            page_.consumed.indexes.push_back(
                {request_.index->spec.name, request_.index->local, units, 0});
            if (fetched_bytes_ > 0) {
                page_.consumed.table_read = read_units(fetched_bytes_, request_.consistent);
            }
        } else {
            page_.consumed.table_read = units;
        }
    }

    const kv::Store& kv_;
    const PageRequest& request_;
    std::unique_ptr<kv::Cursor> cursor_;
    Page page_;
    std::size_t bytes_ = 0;
    std::size_t fetched_bytes_ = 0;
};

bool projects(const Definition& table, const IndexDefinition& index, std::string_view name) {
    const auto& include = index.spec.projection.include;
    return index.spec.projection.kind == ProjectionKind::all || table.keys.has(name) ||
           index.keys.has(name) || std::ranges::find(include, name) != include.end();
}

// The first attribute that the projection asks for and the index does not have.
std::optional<std::string> unprojected(const PageRequest& request) {
    for (const auto name : request.projection->attributes()) {
        if (!projects(*request.table, *request.index, name)) return std::string(name);
    }
    return std::nullopt;
}

}  // namespace

double read_units(std::size_t bytes, bool consistent) {
    const auto whole = std::max<std::size_t>(1, (bytes + read_unit_bytes - 1) / read_unit_bytes);
    return static_cast<double>(whole) * (consistent ? 1 : 0.5);
}

Outcome<const IndexDefinition*> find_index(const Definition& table, const std::string& name) {
    if (name.empty()) return static_cast<const IndexDefinition*>(nullptr);
    const auto* index = table.index(name);
    if (!index) return invalid("The table does not have the specified index: " + name);
    if (index->status == IndexStatus::creating) {
        return invalid("Cannot read from backfilling global secondary index: " + name);
    }
    return index;
}

Outcome<std::string> row_of_start_key(const Definition& table, const IndexDefinition* index,
                                      const Item& start_key) {
    // Exactly the key attributes, no others.
    if (key_of(table, index, start_key) != start_key) {
        return invalid("The provided starting key is invalid");
    }
    auto row = row_of_key(table, key_of(table, nullptr, start_key));
    if (!row) return invalid("The provided starting key is invalid: " + row.error().message);
    if (!index) return *std::move(row);
    auto entry = entry_row(*index, start_key);
    if (!entry) return invalid("The provided starting key is invalid");
    return *std::move(entry);
}

bool start_behind(std::string_view row, RowRange& range) {
    if (row < range.from || row >= range.to) return false;
    if (range.forward) {
        range.from = std::string(row) + '\0';
    } else {
        range.to = row;
    }
    return true;
}

Outcome<> apply_select(Select select, bool has_projection, PageRequest& request) {
    if (select == Select::specific_attributes && !has_projection) {
        return invalid(
            "One or more parameter values were invalid: Must specify the AttributesToGet or "
            "ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES");
    }
    if (has_projection && select != Select::unset && select != Select::specific_attributes) {
        const std::string name = select == Select::count ? "only the Count" : "ALL_ATTRIBUTES";
        return invalid(
            "Cannot specify the ProjectionExpression when choosing to get " +
            (select == Select::all_projected_attributes ? "ALL_PROJECTED_ATTRIBUTES" : name));
    }
    if (select == Select::all_projected_attributes && !request.index) {
        return invalid(
            "One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only "
            "when Querying using an IndexName");
    }
    request.count_only = select == Select::count;
    if (!request.index) return Ok{};

    const bool all_projected = request.index->spec.projection.kind == ProjectionKind::all;
    if (select == Select::all_attributes && !all_projected) {
        if (!request.index->local) {
            return invalid(
                "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
                "supported for global secondary index " +
                request.index->spec.name + " because its projection type is not ALL");
        }
        request.fetch_items = true;
    }
    if (request.projection && !all_projected) {
        if (const auto missing = unprojected(request)) {
            if (!request.index->local) {
                return invalid(
                    "One or more parameter values were invalid: Global secondary index " +
                    request.index->spec.name + " does not project [" + *missing + "]");
            }
            request.fetch_items = true;
        }
    }
    return Ok{};
}

Outcome<std::optional<Page>> read_page(const kv::Store& kv, const PageRequest& request) {
    return Walk(kv, request).run();
}

}  // namespace mailroom::table
