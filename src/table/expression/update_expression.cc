#include "table/expression/update_expression.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace mailroom::table {

UpdateValue UpdateValue::at(Path path) {
    UpdateValue value;
    value.path = std::move(path);
    return value;
}
UpdateValue UpdateValue::slot(std::string placeholder) {
    UpdateValue value;
    value.kind = Kind::placeholder;
    value.placeholder = std::move(placeholder);
    return value;
}
UpdateValue UpdateValue::constant(Value constant) {
    UpdateValue value;
    value.kind = Kind::constant;
    value.value = std::move(constant);
    return value;
}

namespace {

UpdateValue call(UpdateValue::Kind kind, UpdateValue a, UpdateValue b) {
    UpdateValue value;
    value.kind = kind;
    value.arguments.push_back(std::move(a));
    value.arguments.push_back(std::move(b));
    return value;
}

}  // namespace

UpdateValue UpdateValue::sum(UpdateValue a, UpdateValue b) {
    return call(Kind::sum, std::move(a), std::move(b));
}
UpdateValue UpdateValue::difference(UpdateValue a, UpdateValue b) {
    return call(Kind::difference, std::move(a), std::move(b));
}
UpdateValue UpdateValue::if_not_exists(Path path, UpdateValue otherwise) {
    return call(Kind::if_not_exists, at(std::move(path)), std::move(otherwise));
}
UpdateValue UpdateValue::list_append(UpdateValue front, UpdateValue back) {
    return call(Kind::list_append, std::move(front), std::move(back));
}

UpdateAction UpdateAction::set(Path path, UpdateValue value) {
    return {Kind::set, std::move(path), std::move(value)};
}
UpdateAction UpdateAction::remove(Path path) {
    return {Kind::remove, std::move(path), std::nullopt};
}
UpdateAction UpdateAction::add(Path path, UpdateValue value) {
    return {Kind::add, std::move(path), std::move(value)};
}
UpdateAction UpdateAction::erase(Path path, UpdateValue value) {
    return {Kind::erase, std::move(path), std::move(value)};
}

class UpdateCompiler {
public:
    explicit UpdateCompiler(ExpressionUse use) { compiled_.use_ = use; }

    Outcome<std::shared_ptr<const CompiledUpdate>> compile(const Update& update) {
        assert(!update.actions.empty());
        for (const auto& action : update.actions) {
            TRY(check_levels(action.path));
            compiled_.targets_.push_back(slots_.add(action.path));
            compiled_.nested_ |= action.path.steps.size() > 1;
            CompiledUpdate::Action compiled{action.kind, 0};
            if (action.value) compiled.value = TRY(add(*action.value, 0));
            compiled_.actions_.push_back(compiled);
        }
        compiled_.slots_ = slots_.finish();
        return std::make_shared<const CompiledUpdate>(std::move(compiled_));
    }

private:
    Outcome<std::uint32_t> add(const UpdateValue& value, std::size_t depth) {
        if (depth > expression_depth_max) {
            return refuse(compiled_.use_,
                          "The expression contains too many operators; operator count: " +
                              std::to_string(expression_operators_max + 1));
        }
        const auto number = static_cast<std::uint32_t>(compiled_.nodes_.size());
        CompiledUpdate::Node node;
        node.kind = value.kind;
        if (value.kind == UpdateValue::Kind::path) {
            TRY(check_levels(value.path));
            node.path = slots_.add(value.path);
        } else if (value.kind == UpdateValue::Kind::placeholder) {
            node.slot = slots_.add_placeholder(value.placeholder);
        } else if (value.kind == UpdateValue::Kind::constant) {
            assert(value.value);
            node.slot = slots_.add_constant(*value.value);
        }
        compiled_.nodes_.push_back(node);
        if (!value.arguments.empty()) {
            assert(value.arguments.size() == 2);
            TRY(add(value.arguments[0], depth + 1));
            compiled_.nodes_[number].second = TRY(add(value.arguments[1], depth + 1));
        }
        return number;
    }

    Outcome<> check_levels(const Path& path) const {
        if (path.steps.size() <= path_levels_max) return Ok{};
        return refuse(compiled_.use_,
                      "The document path has too many nesting levels; nesting levels: " +
                          std::to_string(path.steps.size()));
    }

    CompiledUpdate compiled_;
    SlotBuilder slots_;
};

Outcome<std::shared_ptr<const CompiledUpdate>> compile(const Update& update, ExpressionUse use) {
    return UpdateCompiler(use).compile(update);
}

std::size_t CompiledUpdate::bytes() const {
    return sizeof(*this) + slots_.bytes() + actions_.capacity() * sizeof(Action) +
           targets_.capacity() * sizeof(PathRef) + nodes_.capacity() * sizeof(Node);
}

BoundUpdate::BoundUpdate(std::shared_ptr<const CompiledUpdate> compiled, BoundSlots slots)
    : compiled_(std::move(compiled)),
      slots_(std::move(slots)),
      by_name_(compiled_->actions().size()) {
    std::iota(by_name_.begin(), by_name_.end(), 0u);
    const auto& targets = compiled_->targets();
    std::sort(by_name_.begin(), by_name_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return slots_.head(targets[a]) < slots_.head(targets[b]);
    });
}

bool BoundUpdate::writes(std::string_view attribute) const {
    return std::ranges::any_of(compiled_->targets(), [&](const PathRef& target) {
        return slots_.head(target) == attribute;
    });
}

bool BoundUpdate::writes_inside(std::string_view attribute) const {
    return std::ranges::any_of(compiled_->targets(), [&](const PathRef& target) {
        return target.count > 1 && slots_.head(target) == attribute;
    });
}

bool BoundUpdate::only_removes() const {
    return std::ranges::all_of(compiled_->actions(), [](const CompiledUpdate::Action& action) {
        return action.kind == UpdateAction::Kind::remove ||
               action.kind == UpdateAction::Kind::erase;
    });
}

bool BoundUpdate::reads_inside(std::string_view attribute) const {
    for (std::uint32_t i = 0; i < compiled_->node_count(); ++i) {
        const auto& path = compiled_->node(i).path;
        if (path.count > 1 && slots_.head(path) == attribute) return true;
    }
    return false;
}

std::vector<std::string_view> BoundUpdate::attributes() const {
    std::vector<std::string_view> attributes;
    for (const auto& target : compiled_->targets()) {
        const auto head = slots_.head(target);
        if (std::ranges::find(attributes, head) == attributes.end()) attributes.push_back(head);
    }
    return attributes;
}

}  // namespace mailroom::table
