#include "http/download.h"

#include "base/log.h"

#include <utility>

namespace mailroom::http {

namespace {

constexpr std::size_t piece_bytes = 64 * 1024;
// So many wait for the client while the next are read.
constexpr std::size_t ahead_bytes_max = 4 * piece_bytes;

// Keeps itself while there is more to read.
class Download : public std::enable_shared_from_this<Download> {
public:
    Download(std::unique_ptr<DownloadSource> source, Workers& workers)
        : source_(std::move(source)), workers_(workers) {}

    void begin(std::shared_ptr<Stream> stream) {
        stream_ = std::move(stream);
        go_on();
    }

private:
    void go_on() {
        if (!workers_.post([self = shared_from_this()] { self->read(); })) stream_->cut();
    }

    void read() {
        while (stream_->is_open() && stream_->waiting_bytes() < ahead_bytes_max) {
            auto bytes = source_->next(piece_bytes);
            if (!bytes) {
                log::warn("an answer was cut", {{"reason", bytes.error().message}});
                return stream_->cut();
            }
            if (bytes->empty()) return stream_->end();
            stream_->write(*std::move(bytes));
        }
        if (!stream_->is_open()) return;
        stream_->when_waiting_at_most(ahead_bytes_max / 2,
                                      [self = shared_from_this()] { self->go_on(); });
    }

    const std::unique_ptr<DownloadSource> source_;
    Workers& workers_;
    std::shared_ptr<Stream> stream_;
};

}  // namespace

Response download(std::string content_type, std::optional<std::size_t> bytes,
                  std::unique_ptr<DownloadSource> source, Workers& workers) {
    Response response;
    response.content_type = std::move(content_type);
    auto work = std::make_shared<Download>(std::move(source), workers);
    response.streamed = std::make_shared<Streamed>(Streamed{
        .begin = [work](std::shared_ptr<Stream> stream) { work->begin(stream); }, .bytes = bytes});
    return response;
}

}  // namespace mailroom::http
