// A large answer that is read from a source while the client takes it: memory holds a few pieces of
// it, however large it is.
#pragma once

#include "base/result.h"
#include "http/stream.h"
#include "http/workers.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace mailroom::http {

// Read by one thread at a time; may block.
class DownloadSource {
public:
    virtual ~DownloadSource() = default;
    // The next bytes, that many at most; empty: there are no more. After a failure the answer is
    // cut, so that the client sees that it is not whole.
    virtual Result<std::string> next(std::size_t bytes_max) = 0;
};

// `bytes` if it is known how long it is. The workers must outlive the server; while they are busy
// the answer waits for them.
Response download(std::string content_type, std::optional<std::size_t> bytes,
                  std::unique_ptr<DownloadSource> source, Workers& workers);

}  // namespace mailroom::http
