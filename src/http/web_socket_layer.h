// For web_socket_engine.cc alone: what Beast takes for a connection. What was fed is read from it,
// and what is written to it is appended to an output.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/core/stream_traits.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::http {

namespace asio = boost::asio;
namespace beast = boost::beast;

// An AsyncStream as Beast defines it. Its steps run when the context is polled.
class WebSocketLayer {
public:
    using executor_type = asio::io_context::executor_type;

    explicit WebSocketLayer(asio::io_context& context) : executor_(context.get_executor()) {}

    executor_type get_executor() const { return executor_; }

    // What is written goes there, until told otherwise.
    void write_to(std::string* output) { output_ = output; }
    void feed(std::string_view bytes) {
        input_ += bytes;
        serve();
    }
    // No read gets anything any more.
    void end() {
        ended_ = true;
        serve();
    }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token) {
        return asio::async_initiate<Token, void(beast::error_code, std::size_t)>(
            [this](auto handler, const Buffers& into) {
                using Taker = decltype(handler);
                waiting_ = std::make_unique<Read<Taker, Buffers>>(std::move(handler), into);
                serve();
            },
            token, buffers);
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        return asio::async_initiate<Token, void(beast::error_code, std::size_t)>(
            [this](auto handler, const Buffers& from) {
                const auto bytes = beast::buffers_to_string(from);
                if (output_ != nullptr) *output_ += bytes;
                asio::post(executor_, beast::bind_front_handler(std::move(handler),
                                                                beast::error_code(), bytes.size()));
            },
            token, buffers);
    }

private:
    // A read that waits for bytes.
    class Waiting {
    public:
        virtual ~Waiting() = default;
        virtual void finish(executor_type& executor, std::string& input) = 0;
    };
    template <class Handler, class Buffers>
    class Read final : public Waiting {
    public:
        Read(Handler handler, const Buffers& into) : handler_(std::move(handler)), into_(into) {}
        void finish(executor_type& executor, std::string& input) override {
            const auto count = asio::buffer_copy(into_, asio::buffer(input));
            const auto error =
                input.empty() ? beast::error_code(asio::error::eof) : beast::error_code();
            input.erase(0, count);
            asio::post(executor, beast::bind_front_handler(std::move(handler_), error, count));
        }

    private:
        Handler handler_;
        Buffers into_;
    };

    void serve() {
        if (!waiting_ || (input_.empty() && !ended_)) return;
        const auto read = std::exchange(waiting_, nullptr);
        read->finish(executor_, input_);
    }

    executor_type executor_;
    std::string input_;
    std::string* output_ = nullptr;
    std::unique_ptr<Waiting> waiting_;
    bool ended_ = false;
};

// The session closes the socket when the engine is over.
inline void beast_close_socket(WebSocketLayer& layer) { layer.end(); }
inline void teardown(beast::role_type, WebSocketLayer&, beast::error_code& error) { error = {}; }
template <class Handler>
void async_teardown(beast::role_type, WebSocketLayer& layer, Handler&& handler) {
    asio::post(layer.get_executor(),
               beast::bind_front_handler(std::forward<Handler>(handler), beast::error_code()));
}

}  // namespace mailroom::http
