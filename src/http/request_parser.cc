#include "http/request_parser.h"

#include "base/text.h"

#include <boost/beast/core/error.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace mailroom::http {
namespace {

namespace beast = boost::beast;
namespace wire = boost::beast::http;

// A stated length is only a promise: memory beyond this is taken as the bytes arrive.
constexpr std::size_t body_reserve_bytes_max = 64 * 1024;
constexpr std::size_t header_fields_usual = 12;
// Whose body is smaller is looked at when it is there.
constexpr std::uint64_t large_body_bytes_min = 64 * 1024;
// The shortest end of a chunked body, "0 CRLF CRLF". Beast asserts that it sees all of it at once.
constexpr std::size_t chunked_end_bytes = 5;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

bool has_bare_line_feed(std::string_view text) {
    for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
        if (at == 0 || text[at - 1] != '\r') return true;
    }
    return false;
}

struct Refusal {
    int status = 0;
    std::string why;
    std::optional<Response> answer = std::nullopt;  // The handler's own.
};

// Beast's state machine, writing straight into a Request.
class Parser final : public wire::basic_parser<true> {
public:
    Parser(const Limits& limits, const Handler& handler)
        : limits_(limits), handler_(handler), room_(limits.bodies) {
        eager(true);
        header_limit(static_cast<std::uint32_t>(std::min<std::size_t>(
            limits.header_bytes_max, std::numeric_limits<std::uint32_t>::max())));
        // The limit depends on the request; see allow_body().
        body_limit(boost::none);
    }

    Request request;
    std::optional<Refusal> refusal;
    bool header_accepted = false;
    bool http_1_0 = false;
    bool head = false;
    bool expects_continue = false;
    std::size_t header_bytes = 0;

private:
    void refuse(int status, std::string why, beast::error_code& error) {
        refusal = Refusal{status, std::move(why)};
        error = wire::error::bad_value;
    }

    void allow_body(std::uint64_t bytes, beast::error_code& error) {
        if (bytes <= body_bytes_max_) return;
        refuse(413, "the body is larger than " + std::to_string(body_bytes_max_) + " bytes", error);
    }

    void take_room(std::uint64_t bytes, beast::error_code& error) {
        if (room_.grow_to(static_cast<std::size_t>(bytes))) return;
        room_.release();
        refuse(503, "too many large requests are in hand; try again", error);
    }

    void on_request_impl(wire::verb, beast::string_view method, beast::string_view target,
                         int version, beast::error_code&) override {
        request.method = view(method);
        request.target = view(target);
        request.headers.reserve(header_fields_usual);
        http_1_0 = version == 10;
        head = request.method == "HEAD";
    }

    void on_field_impl(wire::field name, beast::string_view name_text, beast::string_view value,
                       beast::error_code& error) override {
        // Trailers are dropped: nothing after the body may change what the header said.
        if (header_accepted) return;
        if (request.headers.size() >= limits_.header_fields_max) {
            return refuse(431, "the request has too many header fields", error);
        }
        if (name == wire::field::host && std::exchange(has_host_, true)) {
            return refuse(400, "the request has more than one Host", error);
        }
        if (name == wire::field::transfer_encoding) check_transfer_encoding(view(value), error);
        if (name == wire::field::expect) check_expect(view(value), error);
        request.headers.emplace_back(view(name_text), view(value));
    }

    void check_transfer_encoding(std::string_view value, beast::error_code& error) {
        if (http_1_0) return refuse(400, "HTTP/1.0 has no Transfer-Encoding", error);
        if (ascii_equal_ignoring_case(trim(value), "chunked")) return;
        refuse(501, "chunked is the only Transfer-Encoding understood here", error);
    }

    void check_expect(std::string_view value, beast::error_code& error) {
        if (!ascii_equal_ignoring_case(trim(value), "100-continue")) {
            return refuse(417, "100-continue is the only expectation understood here", error);
        }
        expects_continue = !http_1_0;
    }

    void on_header_impl(beast::error_code& error) override {
        if (!has_host_ && !http_1_0) return refuse(400, "the request has no Host", error);
        const auto length = content_length().value_or(0);
        if (chunked() || length >= large_body_bytes_min) {
            if (auto answer = handler_.refuse_head(request)) {
                refusal = Refusal{answer->status, "", *std::move(answer)};
                error = wire::error::bad_value;
                return;
            }
        }
        if (chunked() || length > 0) {
            body_bytes_max_ = std::min(limits_.body_bytes_max, handler_.body_bytes_max(request));
            allow_body(length, error);
            if (!error) take_room(length, error);
        }
        header_accepted = !error;
    }

    void on_body_init_impl(const boost::optional<std::uint64_t>& length,
                           beast::error_code&) override {
        // Where all bodies together are limited the promise is counted already, and a body that
        // grows step by step takes up to twice its size.
        const auto most =
            limits_.bodies != nullptr ? limits_.body_bytes_max : body_reserve_bytes_max;
        request.body.reserve(
            static_cast<std::size_t>(std::min<std::uint64_t>(length.value_or(0), most)));
    }

    std::size_t on_body_impl(beast::string_view piece, beast::error_code&) override {
        request.body += view(piece);
        return piece.size();
    }

    void on_chunk_header_impl(std::uint64_t size, beast::string_view,
                              beast::error_code& error) override {
        // Without a sum, which `size` could make overflow.
        if (size > body_bytes_max_ - request.body.size()) return allow_body(UINT64_MAX, error);
        take_room(request.body.size() + size, error);
    }

    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view piece,
                                   beast::error_code&) override {
        request.body += view(piece);
        return piece.size();
    }

    void on_response_impl(int, beast::string_view, int, beast::error_code&) override {}
    void on_finish_impl(beast::error_code&) override {}

    const Limits& limits_;
    const Handler& handler_;
    std::size_t body_bytes_max_ = 0;
    ByteShare room_;  // Of all bodies, until the request is answered.
    bool has_host_ = false;
};

Refusal refusal_for(const beast::error_code& error) {
    if (error == wire::error::header_limit) return {431, "the request's header is too large"};
    return {400, "the request is not valid HTTP: " + error.message()};
}

}  // namespace

class RequestParser::Impl {
public:
    Impl(const Limits& limits, const Handler& handler) : limits_(limits), handler_(handler) {
        reset();
    }

    void reset() { parser.emplace(limits_, handler_); }

    Outcome put(std::string_view bytes, std::size_t& used) {
        assert(!parser->is_done() && !parser->refusal);
        used = 0;
        const bool in_header = !parser->is_header_done();
        if (in_header && !parser->got_some()) used = empty_lines(bytes);
        const auto rest = bytes.substr(used);
        if (rest.empty() || (!parser->got_some() && rest == "\r")) return Outcome::need_more;
        if (!in_header && parser->chunked() && bytes.size() < chunked_end_bytes) {
            return Outcome::need_more;
        }
        return put_on(bytes, used);
    }

    std::optional<Parser> parser;

private:
    // Some clients send an empty line after a body (RFC 9112, 2.2).
    static std::size_t empty_lines(std::string_view bytes) {
        std::size_t count = 0;
        while (bytes.substr(count).starts_with("\r\n")) count += 2;
        return count;
    }

    Outcome put_on(std::string_view bytes, std::size_t& used) {
        const bool in_header = !parser->is_header_done();
        const auto rest = bytes.substr(used);
        beast::error_code error;
        const auto taken = parser->put({rest.data(), rest.size()}, error);
        used += taken;
        if (in_header && !parser->is_header_done()) parser->header_bytes += taken;

        if (parser->refusal) return Outcome::refused;
        if (error && error != wire::error::need_more) return refuse(refusal_for(error));
        if (parser->is_done()) return Outcome::complete;
        const auto untaken = bytes.substr(used);
        if (held_too_long(untaken.size())) {
            return refuse({431, "the request's header is too large"});
        }
        // Beast would wait for a proper line end until the client's time is up.
        if (has_bare_line_feed(untaken)) {
            return refuse({400, "the request is not valid HTTP: a line ends without CR"});
        }
        return Outcome::need_more;
    }

    // Beast bounds what it has not yet taken, field by field; this bounds the whole header, and the
    // lines between chunks.
    bool held_too_long(std::size_t untaken) const {
        const auto header_bytes = parser->is_header_done() ? 0 : parser->header_bytes;
        return header_bytes + untaken > limits_.header_bytes_max;
    }

    Outcome refuse(Refusal refusal) {
        parser->refusal = std::move(refusal);
        return Outcome::refused;
    }

    const Limits& limits_;
    const Handler& handler_;
};

RequestParser::RequestParser(const Limits& limits, const Handler& handler)
    : impl_(std::make_unique<Impl>(limits, handler)) {}
RequestParser::~RequestParser() = default;
RequestParser::RequestParser(RequestParser&&) noexcept = default;

void RequestParser::reset() { impl_->reset(); }
RequestParser::Outcome RequestParser::put(std::string_view bytes, std::size_t& used) {
    return impl_->put(bytes, used);
}

bool RequestParser::started() const { return impl_->parser->got_some(); }
bool RequestParser::header_done() const { return impl_->parser->header_accepted; }
std::size_t RequestParser::body_bytes() const { return impl_->parser->request.body.size(); }
bool RequestParser::expects_continue() const { return impl_->parser->expects_continue; }
bool RequestParser::keep_alive() const {
    return impl_->parser->is_header_done() && impl_->parser->keep_alive();
}
bool RequestParser::is_http_1_0() const { return impl_->parser->http_1_0; }
bool RequestParser::is_head() const { return impl_->parser->head; }
Request RequestParser::take() { return std::move(impl_->parser->request); }

int RequestParser::refused_status() const { return impl_->parser->refusal->status; }
const std::string& RequestParser::refused_why() const { return impl_->parser->refusal->why; }
std::optional<Response> RequestParser::take_refusal() {
    return std::exchange(impl_->parser->refusal->answer, std::nullopt);
}

}  // namespace mailroom::http
