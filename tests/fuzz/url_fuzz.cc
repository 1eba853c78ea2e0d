// What the guard understood of a URL is what libcurl would connect to. The first byte chooses
// whether the text is a URL, one without its scheme, or the Location of a redirect.
#include "net/fake_resolver.h"
#include "net/guard.h"
#include "net/url.h"

#include <curl/curl.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;
using net::Url;

std::string curl_part(CURLU* url, CURLUPart part) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return "";
    std::string copy(text);
    curl_free(text);
    return copy;
}

// As libcurl reads the URL that is handed to it.
void compare_with_curl(const Url& url, const std::string& text) {
    CURLU* const curl = curl_url();
    const auto code = curl_url_set(curl, CURLUPART_URL, text.c_str(), CURLU_PATH_AS_IS);
    assert(code == CURLUE_OK);
    auto host = curl_part(curl, CURLUPART_HOST);
    for (auto& c : host) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (url.address()) {
        if (host.front() == '[') host = host.substr(1, host.size() - 2);
        const auto address = net::IpAddress::parse(host);
        assert(address && *address == *url.address());
    } else {
        if (host.back() == '.') host.pop_back();
        assert(host == url.host());
    }
    const auto scheme = curl_part(curl, CURLUPART_SCHEME);
    assert(scheme == (url.scheme() == net::Scheme::https ? "https" : "http"));
    assert(curl_part(curl, CURLUPART_PORT) == std::to_string(url.port()));
    assert(curl_part(curl, CURLUPART_PATH) == url.path());
    assert(curl_part(curl, CURLUPART_USER).empty() && curl_part(curl, CURLUPART_PASSWORD).empty());
    curl_url_cleanup(curl);
}

void check_guard(const Url& url) {
    net::FakeResolver resolver;
    resolver.set_addresses("example.com", {"10.0.0.1", "1.1.1.1"});
    const net::Guard guard(resolver, {});
    const auto checked = guard.check(url);
    if (!checked) return;
    assert(!checked->empty());
    for (const auto& address : *checked) assert(net::is_public(address));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const std::string rest(reinterpret_cast<const char*>(bytes + 1), size - 1);
    const bool is_location = bytes[0] % 4 == 0;
    const auto text = bytes[0] % 4 == 1 || is_location ? rest : "http://" + rest;
    const auto url = is_location ? Url::parse("https://example.com:8443/a/b?c")->resolve(text)
                                 : Url::parse(text);
    if (!url) {
        assert(url.error().code == Errc::invalid && !url.error().message.empty());
        return 0;
    }
    if (!is_location) compare_with_curl(*url, text);
    compare_with_curl(*url, url->text());
    const auto again = Url::parse(url->text());
    assert(again && *again == *url);
    check_guard(*url);
    return 0;
}
