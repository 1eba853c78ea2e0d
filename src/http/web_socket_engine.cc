#include "http/web_socket_engine.h"

#include "http/web_socket_layer.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/error.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <utility>

namespace mailroom::http {

namespace websocket = beast::websocket;

namespace {

using UpgradeHeader = beast::http::request<beast::http::empty_body>;

UpgradeHeader header_of(const Request& request) {
    UpgradeHeader header;
    header.method_string(request.method);
    header.target(request.target);
    header.version(11);
    for (const auto& [name, value] : request.headers) header.insert(name, value);
    return header;
}

}  // namespace

class WebSocketSteps::Impl {
public:
    void run() {
        while (context.poll() > 0) {
        }
    }

    asio::io_context context{1};  // One thread.

private:
    asio::executor_work_guard<asio::io_context::executor_type> guard_{context.get_executor()};
};

WebSocketSteps::WebSocketSteps() : impl_(std::make_unique<Impl>()) {}
WebSocketSteps::~WebSocketSteps() = default;

class WebSocketEngine::Impl {
public:
    Impl(WebSocketSteps::Impl& steps, const Upgrade& upgrade)
        : steps_(steps), header_(header_of(upgrade.request)), stream_(steps.context) {
        stream_.read_message_max(upgrade.options.message_bytes_max);
        stream_.set_option(websocket::stream_base::decorator(
            [protocol = upgrade.options.protocol](websocket::response_type& answer) {
                answer.erase(beast::http::field::server);
                if (protocol.empty()) return;
                answer.set(beast::http::field::sec_websocket_protocol, protocol);
            }));
    }

    bool accept(std::string& output) {
        run(output, [this] {
            stream_.async_accept(header_,
                                 [this](beast::error_code error) { over_ = error.failed(); });
        });
        return !over_;
    }

    void listen(WebSocketListener& listener, std::string& output) {
        listener_ = &listener;
        run(output, [this] { read(); });
    }

    void feed(std::string_view bytes, std::string& output) {
        run(output, [&] { stream_.next_layer().feed(bytes); });
    }

    void close(std::uint16_t code, std::string_view reason, std::string& output) {
        if (!is_open()) return;
        closing_ = true;
        const websocket::close_reason why(static_cast<websocket::close_code>(code),
                                          beast::string_view(reason.data(), reason.size()));
        run(output, [&] { stream_.async_close(why, [this](beast::error_code) { over_ = true; }); });
    }

    bool is_open() const { return !closing_ && !over_ && stream_.is_open(); }
    bool is_over() const { return over_; }

private:
    template <class Step>
    void run(std::string& output, const Step& step) {
        stream_.next_layer().write_to(&output);
        step();
        steps_.run();
        stream_.next_layer().write_to(nullptr);
    }

    void read() {
        stream_.async_read(buffer_, [this](beast::error_code error, std::size_t) {
            if (error) {
                // One that closes goes on reading by itself.
                over_ = over_ || !closing_;
                return;
            }
            const auto bytes = buffer_.cdata();
            listener_->on_message({static_cast<const char*>(bytes.data()), bytes.size()},
                                  stream_.got_text());
            buffer_.consume(buffer_.size());
            read();
        });
    }

    WebSocketSteps::Impl& steps_;
    const UpgradeHeader header_;
    websocket::stream<WebSocketLayer, false> stream_;  // Without compression.
    beast::flat_buffer buffer_;
    WebSocketListener* listener_ = nullptr;
    bool closing_ = false, over_ = false;
};

WebSocketEngine::WebSocketEngine(WebSocketSteps& steps, const Upgrade& upgrade)
    : impl_(std::make_unique<Impl>(*steps.impl_, upgrade)) {}
WebSocketEngine::~WebSocketEngine() = default;

bool WebSocketEngine::accept(std::string& output) { return impl_->accept(output); }
void WebSocketEngine::listen(WebSocketListener& listener, std::string& output) {
    impl_->listen(listener, output);
}
void WebSocketEngine::feed(std::string_view bytes, std::string& output) {
    impl_->feed(bytes, output);
}
void WebSocketEngine::close(std::uint16_t code, std::string_view reason, std::string& output) {
    impl_->close(code, reason, output);
}
bool WebSocketEngine::is_open() const { return impl_->is_open(); }
bool WebSocketEngine::is_over() const { return impl_->is_over(); }

std::string_view ping_frame() { return {"\x89\0", 2}; }

bool wants_web_socket(const Request& request) {
    return request.method == "GET" && websocket::is_upgrade(header_of(request));
}

}  // namespace mailroom::http
