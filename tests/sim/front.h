// How those outside reach the nodes, and read what they say.
#pragma once

#include "http/http.h"
#include "sim/events.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::sim {

class Front {
public:
    virtual ~Front() = default;
    // None: it, or the question, was lost, the node was killed, or it took too long.
    using Told = std::function<void(const std::optional<http::Response>&)>;
    virtual void ask(http::Request request, Told told) = 0;
};

http::Request request_of(std::string method, std::string target, std::string body = {},
                         std::vector<http::Header> headers = {});

// The texts and numbers of an object; none of what cannot be read.
struct Fields {
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, std::int64_t, std::less<>> numbers;

    std::string text(std::string_view name) const;
    std::int64_t number(std::string_view name) const;
};
Fields fields_of(std::string_view json);
// Of the objects in its list: {"items":[…]}, {"results":[…]}.
std::vector<Fields> items_of(std::string_view json, std::string_view list = "items");

std::string random_uuid(Chance& chance);

}  // namespace mailroom::sim
