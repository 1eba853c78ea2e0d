#include "campaigns/templates/uses.h"

#include <algorithm>
#include <utility>

namespace mailroom::campaigns {

namespace {

// Of all that one template names and what that names: they are looked at in one transaction.
constexpr std::size_t used_max = 60;

std::string text_of(const std::vector<std::string>& path, const std::string& last) {
    std::string text;
    for (const auto& key : path) text += key + " > ";
    return text + last;
}

Refusal refused(std::string code, std::string message) {
    return {Refusal::Kind::unprocessable, std::move(code), std::move(message)};
}

}  // namespace

Answer<std::vector<TemplateHead>> Uses::all(const std::vector<std::string>& named) {
    found_.clear();
    Path path{key_};
    TRY(follow(named, path));
    return found_;
}

Answer<> Uses::add_to(schedule::Transaction& together, const std::vector<std::string>& named) {
    for (const auto& head : TRY(all(named))) {
        const auto key = rows::template_head(head.key);
        const bool is_named = std::ranges::find(named, head.key) != named.end();
        if (is_named) {
            together.update(heads_.table(), key).add("version", 1).when("version", head.version);
        } else {
            together.check(heads_.table(), key).when("version", head.version);
        }
    }
    return Ok{};
}

Answer<> Uses::follow(const std::vector<std::string>& named, Path& path) {
    for (const auto& key : named) {
        if (std::ranges::find(path, key) != path.end()) {
            return refused("template_cycle",
                           "a template must not name itself: " + text_of(path, key));
        }
        const auto is_it = [&](const TemplateHead& head) { return head.key == key; };
        if (std::ranges::none_of(found_, is_it)) TRY(visit(key, path));
    }
    return Ok{};
}

Answer<> Uses::visit(const std::string& key, Path& path) {
    const auto head = TRY(heads_.find(rows::template_head(key)));
    if (!head || !head->is_there()) {
        return refused("template_missing",
                       "there is no template " + key + ": " + text_of(path, key));
    }
    if (found_.size() == used_max) {
        return refused("too_many_templates",
                       "template " + key_ + " needs more than 60 others: " + text_of(path, key));
    }
    found_.push_back(*head);
    path.push_back(key);
    TRY(follow(head->uses, path));
    path.pop_back();
    return Ok{};
}

}  // namespace mailroom::campaigns
