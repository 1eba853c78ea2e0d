// Gives any bytes to a WebSocket, once whole and once in slices. Both must bring the same messages
// and the same bytes back; no message may be above its limit, and text must be UTF-8. The first
// byte seeds the slices.
#include "base/text.h"
#include "http/web_socket_engine.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

namespace mailroom::http {
namespace {

constexpr std::size_t message_bytes_max = 200;

void check(bool holds) {
    if (!holds) std::abort();
}

class Heard final : public WebSocketListener {
public:
    explicit Heard(std::string& said) : said_(said) {}
    void on_message(std::string_view bytes, bool is_text) override {
        check(bytes.size() <= message_bytes_max);
        check(!is_text || is_utf8(bytes));
        said_ += is_text ? "t" : "b";
        said_ += std::to_string(bytes.size()) + ":";
        said_ += bytes;
    }

private:
    std::string& said_;
};

Upgrade upgrade() {
    Upgrade made;
    made.request.method = "GET";
    made.request.target = "/";
    made.request.headers = {{"Host", "h"},
                            {"Upgrade", "websocket"},
                            {"Connection", "Upgrade"},
                            {"Sec-WebSocket-Version", "13"},
                            {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
    made.options.message_bytes_max = message_bytes_max;
    return made;
}

// What was heard, and what was sent back.
std::string talk(std::string_view bytes, std::uint8_t seed, std::size_t slice_max) {
    std::string heard, sent;
    Heard listener(heard);
    WebSocketSteps steps;
    const auto asked = upgrade();
    WebSocketEngine engine(steps, asked);
    check(engine.accept(sent));
    engine.listen(listener, sent);
    std::minstd_rand random(seed + 1u);
    while (!bytes.empty() && !engine.is_over()) {
        const auto slice = bytes.substr(0, 1 + random() % slice_max);
        engine.feed(slice, sent);
        bytes.remove_prefix(slice.size());
    }
    return heard + "\n" + sent;
}

}  // namespace
}  // namespace mailroom::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace mailroom::http;
    if (size == 0) return 0;
    const std::string_view rest(reinterpret_cast<const char*>(bytes + 1), size - 1);
    check(talk(rest, bytes[0], size) == talk(rest, bytes[0], 3));
    return 0;
}
