#include "http/web_socket.h"

#include "base/base64.h"

#include <array>
#include <utility>

namespace mailroom::http {

namespace {

constexpr char text_frame = '\x81', binary_frame = '\x82';  // Whole messages (RFC 6455, 5.2).

// A server's frames are not masked.
//   frame := opcode length bytes
//   length := u8 below 126, or 126 and u16, or 127 and u64, big-endian
std::string frame_of(char opcode, std::string_view bytes) {
    std::string frame(1, opcode);
    const auto append_number = [&](int number_bytes) {
        for (int shift = 8 * (number_bytes - 1); shift >= 0; shift -= 8) {
            frame += static_cast<char>(bytes.size() >> shift & 0xff);
        }
    };
    if (bytes.size() < 126) {
        append_number(1);
    } else if (bytes.size() <= 0xffff) {
        frame += '\x7e';
        append_number(2);
    } else {
        frame += '\x7f';
        append_number(8);
    }
    frame += bytes;
    return frame;
}

Response refusal(int status, std::string_view why) {
    auto response = error_response(status, error_code_for(status), why);
    response.headers.emplace_back("Sec-WebSocket-Version", "13");
    return response;
}

bool is_key(const std::string* text) {
    constexpr std::size_t key_bytes = 16;
    if (text == nullptr) return false;
    const auto bytes = base64_decode(*text);
    return bytes && bytes->size() == key_bytes;
}

}  // namespace

Message Message::text(std::string_view utf8) { return Message(frame_of(text_frame, utf8)); }
Message Message::binary(std::string_view bytes) { return Message(frame_of(binary_frame, bytes)); }

Response web_socket(Request request, WebSocketOptions options) {
    if (!wants_web_socket(request)) {
        auto response = refusal(426, "this is for WebSockets: ask with Upgrade: websocket");
        response.headers.emplace_back("Upgrade", "websocket");
        return response;
    }
    const auto* version = request.header("Sec-WebSocket-Version");
    if (version == nullptr || *version != "13") {
        return refusal(426, "Sec-WebSocket-Version must be 13");
    }
    if (!is_key(request.header("Sec-WebSocket-Key"))) {
        return refusal(400, "Sec-WebSocket-Key must be 16 bytes in base64");
    }
    Response response;
    response.status = 101;
    response.upgrade = std::make_shared<Upgrade>(Upgrade{std::move(request), std::move(options)});
    return response;
}

}  // namespace mailroom::http
