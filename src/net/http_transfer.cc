#include "net/http_transfer.h"

#include "base/text.h"
#include "net/answer_headers.h"

#include <curl/curl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>

namespace mailroom::net {

namespace {

// However busy, a connection does not outlive the address it was made to for long.
constexpr std::chrono::seconds lifetime_max{600};

struct FreeHandle {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Lines = std::unique_ptr<curl_slist, FreeList>;

void start_library() {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    assert(started == CURLE_OK);
}

void add(Lines& lines, const std::string& line) {
    curl_slist* longer = curl_slist_append(lines.get(), line.c_str());
    assert(longer);
    (void)lines.release();
    lines.reset(longer);
}

Lines lines_of(const Headers& headers) {
    Lines lines;
    for (const auto& [name, value] : headers) {
        const auto trimmed = trim(value);
        // After a colon and nothing else, libcurl would leave the header out.
        add(lines, trimmed.empty() ? name + ";" : name + ": " + std::string(trimmed));
    }
    // Would cost a round trip before every large body.
    add(lines, "Expect:");
    if (!find_header(headers, "Content-Type")) add(lines, "Content-Type:");
    return lines;
}

// "+" would let the entry time out and the name be resolved again in the middle of a transfer.
std::string resolved_line(const Url& url, const std::vector<IpAddress>& addresses) {
    std::string line = url.host() + ":" + std::to_string(url.port()) + ":";
    for (const auto& address : addresses) {
        if (line.back() != ':') line += ',';
        line += address.text_in_url();
    }
    return line;
}

HttpProblem problem_of(CURLcode code) {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_HOST:
            return HttpProblem::unresolved;
        case CURLE_COULDNT_CONNECT:
        case CURLE_SSL_CONNECT_ERROR:
            return HttpProblem::unreachable;
        case CURLE_OPERATION_TIMEDOUT:
            return HttpProblem::timed_out;
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_ISSUER_ERROR:
            return HttpProblem::untrusted;
        default:
            return HttpProblem::lost;
    }
}

template <class T>
void set(CURL* handle, CURLoption option, T value) {
    [[maybe_unused]] const auto code = curl_easy_setopt(handle, option, value);
    assert(code == CURLE_OK);
}

long count_ms(std::chrono::milliseconds duration) { return static_cast<long>(duration.count()); }

// Servers expect a length, be it 0, with these.
bool carries_body(std::string_view method) {
    return method == "POST" || method == "PUT" || method == "PATCH";
}

}  // namespace

class HttpConnection::Impl {
public:
    explicit Impl(const HttpClientOptions& options) : authorities_file_(options.authorities_file) {
        start_library();
        handle_.reset(curl_easy_init());
        assert(handle_);
    }

    CURL* begin(const Transfer& transfer, const std::vector<std::string>& forget) {
        transfer_ = &transfer;
        answer_ = {};
        answer_.room = ByteShare(transfer.limits.budget);
        answer_headers_ = AnswerHeaders(transfer.limits.header_bytes_max);
        too_large_ = no_room_ = refused_address_ = false;
        error_text_[0] = '\0';

        prepare();
        header_lines_ = lines_of(transfer.headers);
        set(get(), CURLOPT_HTTPHEADER, header_lines_.get());
        for (const auto& host : forget) add(resolved_, "-" + host);
        if (transfer.addresses && !transfer.url.address()) {
            add(resolved_, resolved_line(transfer.url, *transfer.addresses));
        }
        set(get(), CURLOPT_RESOLVE, resolved_.get());
        return get();
    }

    Result<HttpAnswer, HttpFailure> end(CURLcode code) {
        // Both belong to this transfer.
        set(get(), CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
        set(get(), CURLOPT_RESOLVE, static_cast<curl_slist*>(nullptr));
        header_lines_.reset();
        resolved_.reset();
        if (code != CURLE_OK) return failure(code);

        long status = 0;
        curl_easy_getinfo(get(), CURLINFO_RESPONSE_CODE, &status);
        answer_.status = static_cast<int>(status);
        answer_.headers = std::move(answer_headers_).take();
        return std::move(answer_);
    }

private:
    CURL* get() const { return handle_.get(); }

    // Sets what this transfer needs. Most are like the one before, and setting all options anew is
    // a good part of what a small request costs.
    void prepare() {
        const bool has_body = !transfer_->body.empty() || carries_body(transfer_->method);
        if (method_ != transfer_->method || has_body_ != has_body) {
            method_ = transfer_->method;
            has_body_ = has_body;
            url_text_.clear();
            curl_easy_reset(get());
            set_protocol();
            set_callbacks();
            set_method();
        }
        if (has_body) {
            const auto body = transfer_->body;
            set(get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
            // Without a pointer it would read the body from standard input.
            set(get(), CURLOPT_POSTFIELDS, body.empty() ? "" : body.data());
        }
        set(get(), CURLOPT_CONNECTTIMEOUT_MS, count_ms(transfer_->limits.connect_timeout));
        set(get(), CURLOPT_TIMEOUT_MS, count_ms(transfer_->total_timeout));
        if (url_text_ != transfer_->url.text()) {
            url_text_ = transfer_->url.text();
            set(get(), CURLOPT_URL, url_text_.c_str());
        }
    }

    void set_protocol() {
        set(get(), CURLOPT_NOSIGNAL, 1L);
        set(get(), CURLOPT_MAXAGE_CONN, static_cast<long>(idle_max.count()));
        set(get(), CURLOPT_MAXLIFETIME_CONN, static_cast<long>(lifetime_max.count()));
        set(get(), CURLOPT_MAXCONNECTS, 1L);
        set(get(), CURLOPT_TCP_KEEPALIVE, 1L);
        set(get(), CURLOPT_PROTOCOLS_STR, "http,https");
        set(get(), CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
        set(get(), CURLOPT_HTTP09_ALLOWED, 0L);
        set(get(), CURLOPT_FOLLOWLOCATION, 0L);
        set(get(), CURLOPT_PATH_AS_IS, 1L);
        set(get(), CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
        // An empty one, because without it the environment's is taken.
        set(get(), CURLOPT_PROXY, "");
        set(get(), CURLOPT_SSL_VERIFYPEER, 1L);
        set(get(), CURLOPT_SSL_VERIFYHOST, 2L);
        set(get(), CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
        if (authorities_file_) {
            set(get(), CURLOPT_CAINFO, authorities_file_->c_str());
            set(get(), CURLOPT_CAPATH, static_cast<char*>(nullptr));
        }
    }

    void set_callbacks() {
        set(get(), CURLOPT_ERRORBUFFER, error_text_);
        set(get(), CURLOPT_WRITEFUNCTION, &Impl::take_body);
        set(get(), CURLOPT_WRITEDATA, static_cast<void*>(this));
        set(get(), CURLOPT_HEADERFUNCTION, &Impl::take_header);
        set(get(), CURLOPT_HEADERDATA, static_cast<void*>(this));
        set(get(), CURLOPT_OPENSOCKETFUNCTION, &Impl::open_socket);
        set(get(), CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
    }

    void set_method() {
        if (method_ == "HEAD") {
            set(get(), CURLOPT_NOBODY, 1L);
            return;
        }
        if (has_body_) set(get(), CURLOPT_POST, 1L);
        set(get(), CURLOPT_CUSTOMREQUEST, method_.c_str());
    }

    HttpFailure failure(CURLcode code) const {
        // Counts what was written of the request, TLS set up or not.
        long request_bytes = 0;
        curl_easy_getinfo(get(), CURLINFO_REQUEST_SIZE, &request_bytes);
        const bool sent = request_bytes > 0;
        if (too_large_) return {HttpProblem::too_large, "the answer is too large", sent};
        if (no_room_) return {HttpProblem::busy, "there is no room for the answer now", sent};
        if (refused_address_ && code == CURLE_COULDNT_CONNECT) {
            return {HttpProblem::refused_by_guard, "the connection led to another address", sent};
        }
        return {problem_of(code), error_text_[0] ? error_text_ : curl_easy_strerror(code), sent};
    }

    static std::size_t take_body(char* bytes, std::size_t one, std::size_t count, void* self) {
        auto& impl = *static_cast<Impl*>(self);
        const std::size_t size = one * count;
        impl.too_large_ = size > impl.transfer_->limits.answer_bytes_max - impl.answer_.body.size();
        if (impl.too_large_) return 0;
        impl.no_room_ = !impl.answer_.room.grow_to(impl.answer_.body.size() + size);
        if (impl.no_room_) return 0;
        impl.answer_headers_.end();
        impl.answer_.body.append(bytes, size);
        return size;
    }

    static std::size_t take_header(char* bytes, std::size_t one, std::size_t count, void* self) {
        auto& impl = *static_cast<Impl*>(self);
        impl.too_large_ = !impl.answer_headers_.add(std::string_view(bytes, one * count));
        return impl.too_large_ ? 0 : one * count;
    }

    // The second wall: whatever libcurl made of the URL, it gets no socket to another address.
    static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* to) {
        auto& impl = *static_cast<Impl*>(self);
        if (const auto* allowed = impl.transfer_->addresses) {
            const auto address = IpAddress::from_socket(to->addr);
            if (!address || std::ranges::find(*allowed, *address) == allowed->end()) {
                impl.refused_address_ = true;
                return CURL_SOCKET_BAD;
            }
        }
        return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
    }

    const std::optional<std::string> authorities_file_;
    std::unique_ptr<CURL, FreeHandle> handle_;
    char error_text_[CURL_ERROR_SIZE] = {};
    // What the handle is set to; no method before the first transfer.
    std::string method_;
    bool has_body_ = false;
    std::string url_text_;
    const Transfer* transfer_ = nullptr;  // Of the run() in progress.
    AnswerHeaders answer_headers_{0};
    HttpAnswer answer_;
    Lines header_lines_, resolved_;
    bool too_large_ = false;
    bool no_room_ = false;
    bool refused_address_ = false;
};

HttpConnection::HttpConnection(const HttpClientOptions& options)
    : impl_(std::make_unique<Impl>(options)) {}
HttpConnection::~HttpConnection() = default;

Result<HttpAnswer, HttpFailure> HttpConnection::run(const Transfer& transfer) {
    return impl_->end(curl_easy_perform(impl_->begin(transfer, {})));
}
void* HttpConnection::begin(const Transfer& transfer, const std::vector<std::string>& forget) {
    return impl_->begin(transfer, forget);
}
Result<HttpAnswer, HttpFailure> HttpConnection::end(int code) {
    return impl_->end(static_cast<CURLcode>(code));
}

}  // namespace mailroom::net
