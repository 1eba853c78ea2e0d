#include "outbox/attachments.h"

#include "base/text.h"
#include "net/url.h"

#include <chrono>

namespace mailroom::outbox {

namespace {

constexpr int redirects_max = 3;
// Several of them, one after the other, stay within a job's lease, which is prolonged.
constexpr auto url_timeout = std::chrono::seconds(60);

constexpr std::string_view file_scheme = "file://";

bool may_pass(int status) {
    return status >= 500 || status == 408 || status == 425 || status == 429;
}

bool may_pass(net::HttpProblem problem) {
    switch (problem) {
        case net::HttpProblem::bad_request:
        case net::HttpProblem::refused_by_guard:
        case net::HttpProblem::untrusted:
        case net::HttpProblem::too_large:
        case net::HttpProblem::too_many_redirects:
            return false;
        case net::HttpProblem::unresolved:
        case net::HttpProblem::unreachable:
        case net::HttpProblem::busy:
        case net::HttpProblem::timed_out:
        case net::HttpProblem::lost:
            break;
    }
    return true;
}

std::string too_large(std::size_t bytes_max) {
    return "the attachments of this mail are larger than " +
           std::to_string(bytes_max / (1024 * 1024)) + " MB";
}

}  // namespace

Result<std::string> confined_path(std::string_view given) {
    if (given.find('\0') != given.npos) return Error{Errc::invalid, "has a NUL character"};
    auto path = given;
    if (path.starts_with(file_scheme)) {
        path.remove_prefix(file_scheme.size());
        if (!path.starts_with('/')) {
            return Error{Errc::invalid, "must have three slashes after file:, and no host"};
        }
    }
    std::string made;
    while (!path.empty()) {
        const auto slash = std::min(path.find('/'), path.size());
        const auto part = path.substr(0, slash);
        path.remove_prefix(std::min(slash + 1, path.size()));
        if (part == "..") return Error{Errc::invalid, "must not have \"..\" in it"};
        if (part.empty() || part == ".") continue;
        if (!made.empty()) made += '/';
        made += part;
    }
    if (made.empty() || given.ends_with('/')) return Error{Errc::invalid, "must name a file"};
    return made;
}

std::string filename_of(const AttachmentSource& source) {
    if (source.kind == AttachmentSource::Kind::content) return "";
    std::string path = source.value;
    if (source.kind == AttachmentSource::Kind::url) {
        const auto url = net::Url::parse(source.value);
        path = url ? url->path() : "";
    }
    path.erase(0, path.rfind('/') + 1);
    return std::string(truncate_utf8(path, filename_bytes_max));
}

AttachmentFetcher::AttachmentFetcher(net::HttpClient& http,
                                     std::optional<std::filesystem::path> directory,
                                     std::size_t bytes_max)
    : http_(http), directory_(std::move(directory)), bytes_max_(bytes_max) {}

Result<Contents, FetchProblem> AttachmentFetcher::fetch(const Request& request) const {
    Contents contents(request.attachments.size());
    auto room_bytes = bytes_max_;
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const auto& source = request.attachments[i];
        const auto field =
            "attachments[" + std::to_string(i) + "]." + std::string(name_of(source.kind));
        if (source.kind == AttachmentSource::Kind::path) {
            contents[i] = TRY(fetch_file(source, field, room_bytes));
        } else if (source.kind == AttachmentSource::Kind::url) {
            contents[i] = TRY(fetch_url(source, field, room_bytes));
        }
        const auto bytes =
            std::max(contents[i].size(),
                     source.kind == AttachmentSource::Kind::content ? source.value.size() : 0);
        if (bytes > room_bytes) return FetchProblem{field, too_large(bytes_max_)};
        room_bytes -= bytes;
    }
    return contents;
}

Result<std::string, FetchProblem> AttachmentFetcher::fetch_file(const AttachmentSource& source,
                                                                const std::string& field,
                                                                std::size_t room_bytes) const {
    if (!directory_) {
        return FetchProblem{field, "this server has no directory for attachments"};
    }
    auto bytes = read_confined(*directory_, source.value, room_bytes);
    if (bytes) return std::move(*bytes);
    const auto& error = bytes.error();
    if (error.code == Errc::throttled) return FetchProblem{field, too_large(bytes_max_)};
    return FetchProblem{field, error.message, error.code == Errc::unavailable};
}

Result<std::string, FetchProblem> AttachmentFetcher::fetch_url(const AttachmentSource& source,
                                                               const std::string& field,
                                                               std::size_t room_bytes) const {
    const auto url = net::Url::parse(source.value);
    if (!url) return FetchProblem{field, url.error().message};
    net::HttpRequest request{.url = *url};
    request.limits.total_timeout = url_timeout;
    request.limits.answer_bytes_max = room_bytes;
    request.limits.redirects_max = redirects_max;
    auto answer = http_.send(request);
    if (!answer) {
        const auto& failure = answer.error();
        if (failure.problem == net::HttpProblem::too_large) {
            return FetchProblem{field, too_large(bytes_max_)};
        }
        return FetchProblem{field, failure.message, may_pass(failure.problem)};
    }
    if (answer->status != 200) {
        return FetchProblem{field, "the server answered " + std::to_string(answer->status),
                            may_pass(answer->status)};
    }
    return std::move(answer->body);
}

}  // namespace mailroom::outbox
