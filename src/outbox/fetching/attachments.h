// Where the contents of attachments come from that are not in the request: files under one
// directory, and URLs.
#pragma once

#include "base/byte_budget.h"
#include "base/result.h"
#include "net/http_client.h"
#include "outbox/accept/compose.h"
#include "outbox/accept/request.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    // When it was a URL.
    std::optional<net::HttpProblem> problem = std::nullopt;
};

// Reads a regular file below `directory`. Symbolic links are followed as long as they stay below
// it. The error is for people, and names no path outside.
Result<std::string> read_confined(const std::filesystem::path& directory, std::string_view path,
                                  std::size_t bytes_max);

// The contents of a mail's attachments by URL, in their places; empty where an attachment is none.
struct FetchedUrls {
    Contents contents;
    std::vector<ByteShare> room;  // Of the memory for all that is fetched.
};

// Thread-safe.
class AttachmentFetcher {
public:
    // `http` must outlive this object. Without a directory there are no attachments by path.
    AttachmentFetcher(net::Http& http, std::optional<std::filesystem::path> directory,
                      std::size_t bytes_max);

    // Fetches what is given by URL, one after the other, without waiting: `done` is called once,
    // before this returns or later, on a thread that it must not block.
    using Fetched = std::function<void(Result<FetchedUrls, FetchProblem>)>;
    void fetch_urls(const Request& request, Fetched done);

    // For compose(): with what is in files, which may block for the disk. The limit is for all of
    // one mail together, those in the request included.
    Result<Contents, FetchProblem> gather(const Request& request, FetchedUrls fetched) const;

private:
    struct Round;

    void fetch_next(const std::shared_ptr<Round>& round);
    Result<Ok, FetchProblem> take(Round& round, std::size_t index,
                                  Result<net::HttpAnswer, net::HttpFailure> answer) const;
    Result<std::string, FetchProblem> fetch_file(const AttachmentSource& source,
                                                 const std::string& field,
                                                 std::size_t room_bytes) const;

    net::Http& http_;
    const std::optional<std::filesystem::path> directory_;
    const std::size_t bytes_max_;
    ByteBudget budget_;
};

}  // namespace mailroom::outbox
