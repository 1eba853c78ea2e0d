// Paths into what an event or an execution holds, as Amazon EventBridge writes them.
//
//   path := "$" part*
//   part := "." name | "['" name "']" | "[" number "]" | ".*" | "[*]"     * is each of them
//   name := letters, digits, "_" and "-"; in quotes anything
#pragma once

#include "table/value.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mailroom::campaigns {

class JsonPath {
public:
    static constexpr std::size_t bytes_max = 256;

    static std::optional<JsonPath> parse(std::string_view text);

    // What it leads to; none if that is not there. With a *, a list of all that are.
    std::optional<table::Value> find(const table::ValueView& root) const;

private:
    struct Each {};
    using Part = std::variant<std::string, std::size_t, Each>;

    static std::optional<std::vector<table::Value>> reach(const table::ValueView& from,
                                                          const std::vector<Part>& parts,
                                                          std::size_t part);

    std::vector<Part> parts_;
    bool has_each_ = false;

    friend class PathReader;
};

// The same of a text; none also if it is no path.
std::optional<table::Value> find_by_path(std::string_view path, const table::ValueView& root);
// Of a path that leads to text, else nothing.
std::string text_by_path(std::string_view path, const table::ValueView& root);

}  // namespace mailroom::campaigns
