#include "campaigns/sequences/json_path.h"

#include <charconv>
#include <utility>

namespace mailroom::campaigns {

namespace {

using table::Kind;
using table::Value;
using table::ValueView;

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

}  // namespace

class PathReader {
public:
    explicit PathReader(std::string_view text) : rest_(text) {}

    std::optional<JsonPath> read() {
        if (rest_.size() > JsonPath::bytes_max || !takes("$")) return std::nullopt;
        while (!rest_.empty()) {
            if (!part()) return std::nullopt;
        }
        return std::move(path_);
    }

private:
    bool takes(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }
    bool part() {
        if (takes(".*") || takes("[*]")) {
            path_.has_each_ = true;
            path_.parts_.emplace_back(JsonPath::Each());
            return true;
        }
        if (takes("['")) return quoted();
        if (takes("[")) return index();
        return takes(".") && name();
    }
    bool name() {
        std::size_t size = 0;
        while (size < rest_.size() && is_name_char(rest_[size])) ++size;
        path_.parts_.emplace_back(std::string(rest_.substr(0, size)));
        rest_.remove_prefix(size);
        return size > 0;
    }
    bool quoted() {
        const auto end = rest_.find("']");
        if (end == rest_.npos || end == 0) return false;
        path_.parts_.emplace_back(std::string(rest_.substr(0, end)));
        rest_.remove_prefix(end + 2);
        return true;
    }
    bool index() {
        std::size_t number = 0;
        const auto [end, error] =
            std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
        if (error != std::errc()) return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        path_.parts_.emplace_back(number);
        return takes("]");
    }

    std::string_view rest_;
    JsonPath path_;
};

std::optional<JsonPath> JsonPath::parse(std::string_view text) { return PathReader(text).read(); }

std::optional<std::vector<Value>> JsonPath::reach(const ValueView& from,
                                                  const std::vector<Part>& parts,
                                                  std::size_t part) {
    if (part == parts.size()) return std::vector{Value(from)};
    if (const auto* const name = std::get_if<std::string>(&parts[part])) {
        const auto inner = from.kind() == Kind::map ? from.map().find(*name) : std::nullopt;
        return inner ? reach(*inner, parts, part + 1) : std::nullopt;
    }
    if (const auto* const index = std::get_if<std::size_t>(&parts[part])) {
        const auto inner = from.kind() == Kind::list ? from.list().at(*index) : std::nullopt;
        return inner ? reach(*inner, parts, part + 1) : std::nullopt;
    }
    std::vector<Value> all;
    const auto take = [&](const ValueView& inner) {
        auto reached = reach(inner, parts, part + 1);
        for (auto& one : reached.value_or(std::vector<Value>())) all.push_back(std::move(one));
    };
    if (from.kind() == Kind::list) {
        for (const auto element : from.list()) take(element);
    } else if (from.kind() == Kind::map) {
        for (const auto field : from.map()) take(field.value);
    }
    return all;
}

std::optional<Value> JsonPath::find(const ValueView& root) const {
    auto found = reach(root, parts_, 0);
    if (!found) return std::nullopt;
    if (has_each_) return Value::list(*found);
    return std::move(found->front());
}

std::optional<Value> find_by_path(std::string_view path, const ValueView& root) {
    const auto parsed = JsonPath::parse(path);
    return parsed ? parsed->find(root) : std::nullopt;
}

std::string text_by_path(std::string_view path, const ValueView& root) {
    const auto found = find_by_path(path, root);
    if (!found || found->view().kind() != Kind::string) return {};
    return std::string(found->view().text());
}

}  // namespace mailroom::campaigns
