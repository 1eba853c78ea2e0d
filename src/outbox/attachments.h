// Where the contents of attachments come from that are not in the request: files under one
// directory, and URLs.
#pragma once

#include "base/result.h"
#include "net/http_client.h"
#include "outbox/compose.h"
#include "outbox/request.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// The path as it is below the base directory. "a/b.pdf", "/a/b.pdf" and "file:///a/b.pdf" are the
// same. `invalid`, with words that complete "attachments[0].path …", for what names no file there
// can be: an empty path, "..", NUL, a host.
Result<std::string> confined_path(std::string_view given);

// The name that an attachment without one gets: the last part of its path or URL; empty if there is
// none.
std::string filename_of(const AttachmentSource& source);

struct FetchProblem {
    std::string field;      // "attachments[0].url"
    std::string why;        // "no such file": stands after "FIELD: ".
    bool may_pass = false;  // A later try may succeed.
};

// Reads a regular file below `directory`. Symbolic links are followed as long as they stay below
// it. The error is for people, and names no path outside.
Result<std::string> read_confined(const std::filesystem::path& directory, std::string_view path,
                                  std::size_t bytes_max);

// Thread-safe.
class AttachmentFetcher {
public:
    // `http` must outlive this object. Without a directory there are no attachments by path.
    AttachmentFetcher(net::HttpClient& http, std::optional<std::filesystem::path> directory,
                      std::size_t bytes_max);

    // For compose(). `bytes_max` is for all of one mail together, those in the request included.
    Result<Contents, FetchProblem> fetch(const Request& request) const;

private:
    Result<std::string, FetchProblem> fetch_file(const AttachmentSource& source,
                                                 const std::string& field,
                                                 std::size_t room_bytes) const;
    Result<std::string, FetchProblem> fetch_url(const AttachmentSource& source,
                                                const std::string& field,
                                                std::size_t room_bytes) const;

    net::HttpClient& http_;
    const std::optional<std::filesystem::path> directory_;
    const std::size_t bytes_max_;
};

}  // namespace mailroom::outbox
