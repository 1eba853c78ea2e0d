#include "table/remote/http_connection.h"

#include "base/text.h"

#include <curl/curl.h>

#include <cassert>
#include <charconv>

namespace mailroom::table::remote {

namespace {

// Servers commonly close a connection after 60 idle seconds; ours must be the first to do so, or
// requests would be sent into connections that are about to end.
constexpr long idle_seconds_max = 50;
constexpr std::string_view crc32_header = "x-amz-crc32";

struct FreeHandle {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderLines = std::unique_ptr<curl_slist, FreeList>;

void start_library() {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    assert(started == CURLE_OK);
}

void add(HeaderLines& lines, const std::string& line) {
    curl_slist* longer = curl_slist_append(lines.get(), line.c_str());
    assert(longer);
    (void)lines.release();
    lines.reset(longer);
}

HeaderLines lines_of(const Headers& headers) {
    HeaderLines lines;
    for (const auto& [name, value] : headers) add(lines, name + ": " + value);
    // Would cost a round trip before every large body.
    add(lines, "Expect:");
    return lines;
}

NoAnswer reason_of(CURLcode code) {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_CONNECT:
        case CURLE_SSL_CONNECT_ERROR:
            return NoAnswer::unreachable;
        case CURLE_OPERATION_TIMEDOUT:
            return NoAnswer::timed_out;
        case CURLE_WRITE_ERROR:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_ISSUER_ERROR:
            return NoAnswer::refused;
        default:
            return NoAnswer::lost;
    }
}

template <class T>
void set(CURL* handle, CURLoption option, T value) {
    const auto code = curl_easy_setopt(handle, option, value);
    assert(code == CURLE_OK);
}

}  // namespace

class HttpConnection::Impl {
public:
    Impl(const Endpoint& endpoint, const HttpOptions& options)
        : bytes_max_(options.answer_bytes_max) {
        start_library();
        handle_.reset(curl_easy_init());
        assert(handle_);
        set_address(endpoint, options);
        set(get(), CURLOPT_NOSIGNAL, 1L);
        set(get(), CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
        set(get(), CURLOPT_TIMEOUT_MS, static_cast<long>(options.total_timeout.count()));
        set(get(), CURLOPT_MAXAGE_CONN, idle_seconds_max);
        set(get(), CURLOPT_MAXCONNECTS, 1L);
        set(get(), CURLOPT_TCP_KEEPALIVE, 1L);
        set(get(), CURLOPT_ERRORBUFFER, error_text_);
        set(get(), CURLOPT_WRITEFUNCTION, &Impl::take_body);
        set(get(), CURLOPT_WRITEDATA, static_cast<void*>(this));
        set(get(), CURLOPT_HEADERFUNCTION, &Impl::take_header);
        set(get(), CURLOPT_HEADERDATA, static_cast<void*>(this));
    }

    Result<HttpAnswer, TransportFailure> post(const Headers& headers, std::string_view body) {
        answer_ = {};
        too_large_ = false;
        error_text_[0] = '\0';
        const auto lines = lines_of(headers);
        set(get(), CURLOPT_HTTPHEADER, lines.get());
        set(get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        // Without a pointer it would read the body from standard input.
        set(get(), CURLOPT_POSTFIELDS, body.empty() ? "" : body.data());
        const auto code = curl_easy_perform(get());
        set(get(), CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
        if (code != CURLE_OK) return failure(code);

        long status = 0;
        curl_easy_getinfo(get(), CURLINFO_RESPONSE_CODE, &status);
        answer_.status = static_cast<int>(status);
        return std::move(answer_);
    }

private:
    CURL* get() const { return handle_.get(); }

    void set_address(const Endpoint& endpoint, const HttpOptions& options) {
        set(get(), CURLOPT_URL, endpoint.url().c_str());
        set(get(), CURLOPT_PROTOCOLS_STR, "http,https");
        set(get(), CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
        set(get(), CURLOPT_HTTP09_ALLOWED, 0L);
        set(get(), CURLOPT_FOLLOWLOCATION, 0L);
        // An empty one, because without it the environment's is taken.
        set(get(), CURLOPT_PROXY, "");
        set(get(), CURLOPT_POST, 1L);
        set(get(), CURLOPT_SSL_VERIFYPEER, 1L);
        set(get(), CURLOPT_SSL_VERIFYHOST, 2L);
        set(get(), CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
        if (options.authorities_file) {
            set(get(), CURLOPT_CAINFO, options.authorities_file->c_str());
            set(get(), CURLOPT_CAPATH, static_cast<char*>(nullptr));
        }
    }

    TransportFailure failure(CURLcode code) const {
        if (too_large_) return {NoAnswer::refused, "the answer is too large"};
        return {reason_of(code), error_text_[0] ? error_text_ : curl_easy_strerror(code)};
    }

    static std::size_t take_body(char* bytes, std::size_t one, std::size_t count, void* self) {
        auto& impl = *static_cast<Impl*>(self);
        impl.too_large_ = count * one > impl.bytes_max_ - impl.answer_.body.size();
        if (impl.too_large_) return 0;
        impl.answer_.body.append(bytes, count * one);
        return count * one;
    }

    static std::size_t take_header(char* bytes, std::size_t one, std::size_t count, void* self) {
        const std::string_view line(bytes, count * one);
        const auto colon = line.find(':');
        if (colon != line.npos && ascii_equal_ignoring_case(line.substr(0, colon), crc32_header)) {
            const auto text = trim(line.substr(colon + 1));
            std::uint32_t crc = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), crc);
            if (error == std::errc() && end == text.data() + text.size()) {
                static_cast<Impl*>(self)->answer_.crc32 = crc;
            }
        }
        return line.size();
    }

    const std::size_t bytes_max_;
    std::unique_ptr<CURL, FreeHandle> handle_;
    char error_text_[CURL_ERROR_SIZE] = {};
    HttpAnswer answer_;
    bool too_large_ = false;
};

HttpConnection::HttpConnection(const Endpoint& endpoint, const HttpOptions& options)
    : impl_(std::make_unique<Impl>(endpoint, options)) {}
HttpConnection::~HttpConnection() = default;

Result<HttpAnswer, TransportFailure> HttpConnection::post(const Headers& headers,
                                                          std::string_view body) {
    return impl_->post(headers, body);
}

}  // namespace mailroom::table::remote
