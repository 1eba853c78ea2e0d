// A raw HTTP client for tests: sends any bytes, and shows the answers as they came.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::http {

// A server under test that says nothing for this long has hung.
inline constexpr int patience_ms = 10'000;

class TestClient {
public:
    // To 127.0.0.1. `receive_buffer_bytes` makes the client slow to take what is sent to it.
    explicit TestClient(std::uint16_t port, std::optional<int> receive_buffer_bytes = {});
    ~TestClient();
    TestClient(TestClient&& other) noexcept;
    TestClient(const TestClient&) = delete;
    TestClient& operator=(const TestClient&) = delete;

    bool connected() const { return socket_ >= 0; }
    // False if the server has gone.
    bool send(std::string_view bytes);
    void finish();  // No more will be sent.
    void reset();   // Vanishes without a word.

    // The next answer: header and as much body as Content-Length says, without its Date line. None
    // if the server closed first, or said nothing for ten seconds.
    std::optional<std::string> answer();
    // The value of the Date field of the last answer().
    const std::string& date() const { return date_; }
    // What has come up to and with `end`, without Date lines; none if it does not come.
    std::optional<std::string> until(std::string_view end);
    // Everything until the server closes, without Date lines. None if it does not close.
    std::optional<std::string> rest();

private:
    enum class Read { some, end, nothing };
    Read read();
    std::optional<std::string> header();

    int socket_ = -1;
    std::string received_;
    std::string date_;
};

// The three digits, or 0.
int status_of(const std::optional<std::string>& answer);
// What follows the header.
std::string body_of(const std::optional<std::string>& answer);
// Waits until it holds. False if it does not come about.
bool eventually(const std::function<bool()>& holds);

inline std::string without_date(std::string text) {
    for (auto at = text.find("Date: "); at != std::string::npos; at = text.find("Date: ", at)) {
        text.erase(at, text.find("\r\n", at) + 2 - at);
    }
    return text;
}

inline std::size_t content_length(std::string_view header) {
    const auto at = header.find("Content-Length: ");
    return at == std::string_view::npos ? 0 : std::stoul(std::string(header.substr(at + 16, 20)));
}

inline TestClient::TestClient(std::uint16_t port, std::optional<int> receive_buffer_bytes)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer_bytes) {
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &*receive_buffer_bytes, sizeof(int));
    }
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        ::close(std::exchange(socket_, -1));
    }
}

inline TestClient::~TestClient() {
    if (socket_ >= 0) ::close(socket_);
}

inline TestClient::TestClient(TestClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}

inline bool TestClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

inline void TestClient::finish() { ::shutdown(socket_, SHUT_WR); }

inline void TestClient::reset() {
    const linger at_once = {.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::close(std::exchange(socket_, -1));
}

inline TestClient::Read TestClient::read() {
    pollfd poll_for = {.fd = socket_, .events = POLLIN, .revents = 0};
    if (::poll(&poll_for, 1, patience_ms) <= 0) return Read::nothing;
    char buffer[64 * 1024];
    const auto count = ::recv(socket_, buffer, sizeof buffer, 0);
    if (count <= 0) return Read::end;
    received_.append(buffer, static_cast<std::size_t>(count));
    return Read::some;
}

inline std::optional<std::string> TestClient::header() {
    auto end = received_.find("\r\n\r\n");
    while (end == std::string::npos) {
        if (read() != Read::some) return std::nullopt;
        end = received_.find("\r\n\r\n");
    }
    auto text = received_.substr(0, end + 4);
    received_.erase(0, end + 4);
    return text;
}

inline std::optional<std::string> TestClient::answer() {
    auto text = header();
    if (!text) return std::nullopt;
    const auto length = content_length(*text);
    if (const auto at = text->find("Date: "); at != std::string::npos) {
        date_ = text->substr(at + 6, text->find("\r\n", at) - at - 6);
    }
    while (received_.size() < length) {
        if (read() != Read::some) return std::nullopt;
    }
    auto result = without_date(*std::move(text)) + received_.substr(0, length);
    received_.erase(0, length);
    return result;
}

inline std::optional<std::string> TestClient::until(std::string_view end) {
    auto at = received_.find(end);
    while (at == std::string::npos) {
        if (read() != Read::some) return std::nullopt;
        at = received_.find(end);
    }
    auto text = received_.substr(0, at + end.size());
    received_.erase(0, at + end.size());
    return without_date(std::move(text));
}

inline std::optional<std::string> TestClient::rest() {
    for (;;) {
        const auto got = read();
        if (got == Read::nothing) return std::nullopt;
        if (got == Read::end) return without_date(std::exchange(received_, {}));
    }
}

inline int status_of(const std::optional<std::string>& answer) {
    return answer && answer->size() > 12 ? std::stoi(answer->substr(9, 3)) : 0;
}

inline std::string body_of(const std::optional<std::string>& answer) {
    if (!answer) return {};
    const auto end = answer->find("\r\n\r\n");
    return end == std::string::npos ? std::string() : answer->substr(end + 4);
}

inline bool eventually(const std::function<bool()>& holds) {
    for (int waited_ms = 0; waited_ms < patience_ms; ++waited_ms) {
        if (holds()) return true;
        ::poll(nullptr, 0, 1);
    }
    return holds();
}

}  // namespace mailroom::http
