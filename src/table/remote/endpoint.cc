#include "table/remote/endpoint.h"

#include <string>

namespace mailroom::table::remote {

namespace {

constexpr std::size_t shown_chars_max = 253;  // Of a refused endpoint, in a message.

Error refusal(std::string_view url, std::string_view why) {
    return {Errc::invalid, "the endpoint of a remote DynamoDB is http(s)://host[:port], not \"" +
                               std::string(url.substr(0, shown_chars_max)) +
                               "\": " + std::string(why)};
}

}  // namespace

Result<net::Url> parse_endpoint(std::string_view url) {
    auto parsed = net::Url::parse(url);
    if (!parsed) return refusal(url, parsed.error().message);
    if (parsed->path() != "/" || parsed->query() || url.find('#') != url.npos) {
        return refusal(url, "nothing comes after the port");
    }
    return parsed;
}

}  // namespace mailroom::table::remote
