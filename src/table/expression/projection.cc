#include "table/expression/projection.h"

#include "table/expression/document.h"
#include "table/expression/expression_parser.h"

#include <algorithm>

namespace mailroom::table {

namespace {

class ProjectionParser : ExpressionParser {
public:
    explicit ProjectionParser(std::string_view text)
        : ExpressionParser(text, ExpressionUse::projection, {}) {}

    Outcome<std::vector<Path>> parse() {
        TRY(check_size());
        std::vector<Path> paths;
        do {
            paths.push_back(TRY(path()));
        } while (take_symbol(","));
        TRY(finish());
        return paths;
    }
};

}  // namespace

Outcome<std::vector<Path>> parse_projection(std::string_view text) {
    return ProjectionParser(text).parse();
}

CompiledProjection::CompiledProjection(const std::vector<Path>& paths, ExpressionUse use)
    : use_(use) {
    SlotBuilder slots;
    for (const auto& path : paths) paths_.push_back(slots.add(path));
    slots_ = slots.finish();
}

std::size_t CompiledProjection::bytes() const {
    return sizeof(*this) + slots_.bytes() + paths_.capacity() * sizeof(PathRef);
}

Outcome<std::shared_ptr<const CompiledProjection>> compile(const std::vector<Path>& paths,
                                                           ExpressionUse use) {
    for (const auto& path : paths) {
        if (path.steps.size() <= path_levels_max) continue;
        return refuse(use, "The document path has too many nesting levels; nesting levels: " +
                               std::to_string(path.steps.size()));
    }
    return std::make_shared<const CompiledProjection>(paths, use);
}

void PathTree::add(const BoundSlots& slots, const PathRef& path) {
    PathTree* at = this;
    for (std::uint32_t i = 0; i < path.count; ++i) {
        const auto& step = slots.steps(path)[i];
        Child child{step.is_index,
                    step.is_index ? step.value : 0,
                    step.is_index ? std::string_view() : slots.name(step.value),
                    {}};
        const auto before = [](const Child& a, const Child& b) {
            if (a.is_index != b.is_index) return a.is_index;
            return a.is_index ? a.index < b.index : a.name < b.name;
        };
        auto found = std::lower_bound(at->children_.begin(), at->children_.end(), child, before);
        const bool is_new = found == at->children_.end() || before(child, *found);
        if (is_new) {
            found = at->children_.insert(found, std::move(child));
        } else if (found->below.children_.empty()) {
            return;  // All of it is wanted already.
        }
        at = &found->below;
    }
    at->children_.clear();
}

Item PathTree::select(ItemView item) const {
    std::string bytes;
    select_map(item, bytes);
    return Item::from_encoded(std::move(bytes));
}

bool PathTree::select_value(const ValueView& value, std::string& out) const {
    if (children_.empty()) {
        out += value.encoded();
        return true;
    }
    std::string payload;
    if (value.kind() == Kind::list) {
        if (!select_list(value.list(), payload)) return false;
    } else if (value.kind() == Kind::map) {
        if (!select_map(value.map(), payload)) return false;
    } else {
        return false;
    }
    out += Value::make(value.kind(), payload).encoded();
    return true;
}

bool PathTree::select_map(ItemView map, std::string& out) const {
    auto wanted = std::ranges::find(children_, false, &Child::is_index);
    bool any = false;
    std::string value;
    for (const auto& field : map) {
        while (wanted != children_.end() && wanted->name < field.name) ++wanted;
        if (wanted == children_.end()) break;
        if (wanted->name != field.name) continue;
        value.clear();
        if (!wanted->below.select_value(field.value, value)) continue;
        append_length(out, field.name.size());
        out.append(field.name).append(value);
        any = true;
    }
    return any;
}

bool PathTree::select_list(ListView list, std::string& out) const {
    auto wanted = children_.begin();
    bool any = false;
    std::uint32_t index = 0;
    for (const auto& element : list) {
        if (wanted == children_.end() || !wanted->is_index) break;
        if (wanted->index == index++) {
            any |= wanted->below.select_value(element, out);
            ++wanted;
        }
    }
    return any;
}

BoundProjection::BoundProjection(std::shared_ptr<const CompiledProjection> compiled,
                                 BoundSlots slots)
    : compiled_(std::move(compiled)), slots_(std::move(slots)) {
    const auto& paths = compiled_->paths();
    nested_ = std::ranges::any_of(paths, [](const PathRef& path) { return path.count > 1; });
    for (const auto& path : paths) {
        if (nested_) tree_.add(slots_, path);
        top_level_.push_back(slots_.head(path));
    }
    std::ranges::sort(top_level_);
    top_level_.erase(std::unique(top_level_.begin(), top_level_.end()), top_level_.end());
}

Item BoundProjection::project(ItemView item) const {
    if (nested_) return tree_.select(item);
    std::string bytes;
    auto wanted = top_level_.begin();
    for (const auto& field : item) {
        while (wanted != top_level_.end() && *wanted < field.name) ++wanted;
        if (wanted == top_level_.end()) break;
        if (*wanted == field.name) append_field(bytes, field.name, field.value);
    }
    return Item::from_encoded(std::move(bytes));
}

bool BoundProjection::reads(std::string_view attribute) const {
    return std::ranges::binary_search(top_level_, attribute);
}

bool BoundProjection::reads_inside(std::string_view attribute) const {
    return std::ranges::any_of(compiled_->paths(), [&](const PathRef& path) {
        return path.count > 1 && slots_.head(path) == attribute;
    });
}

Outcome<BoundProjection> bind(std::shared_ptr<const CompiledProjection> projection,
                              const Bindings& bindings, BindingUse& use) {
    BoundSlots slots(projection->slots(), bindings, use);
    for (const auto& path : projection->paths()) {
        TRY(slots.check_path(path, projection->use()));
    }
    TRY(check_overlap(slots, projection->paths(), projection->use()));
    return BoundProjection(std::move(projection), std::move(slots));
}

}  // namespace mailroom::table
