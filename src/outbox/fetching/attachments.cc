#include "outbox/fetching/attachments.h"

#include "base/text.h"
#include "net/url.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <deque>
#include <utility>

namespace mailroom::outbox {

namespace {

constexpr int redirects_max = 3;
constexpr auto url_timeout = std::chrono::seconds(60);
// What is fetched and not yet in a message, of all mails together.
constexpr std::size_t fetched_bytes_max = 256 * 1024 * 1024;

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
        case net::HttpProblem::stopped:
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

std::string field_of(std::size_t index, AttachmentSource::Kind kind) {
    return "attachments[" + std::to_string(index) + "]." + std::string(name_of(kind));
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

AttachmentFetcher::AttachmentFetcher(net::Http& http,
                                     std::optional<std::filesystem::path> directory,
                                     std::size_t bytes_max)
    : http_(http),
      directory_(std::move(directory)),
      bytes_max_(bytes_max),
      budget_(std::max(fetched_bytes_max, bytes_max)) {}

// The URLs of one mail.
struct AttachmentFetcher::Round {
    struct Wanted {
        std::size_t index;
        net::Url url;
    };
    std::deque<Wanted> wanted;
    std::size_t room_bytes;
    FetchedUrls fetched;
    Fetched done;
};

void AttachmentFetcher::fetch_urls(const Request& request, Fetched done) {
    const auto round = std::make_shared<Round>();
    round->done = std::move(done);
    round->fetched.contents.resize(request.attachments.size());
    std::size_t given_bytes = 0;
    for (std::size_t i = 0; i < request.attachments.size(); ++i) {
        const auto& source = request.attachments[i];
        if (source.kind == AttachmentSource::Kind::content) given_bytes += source.value.size();
        if (source.kind != AttachmentSource::Kind::url) continue;
        auto url = net::Url::parse(source.value);
        if (!url) return round->done(FetchProblem{field_of(i, source.kind), url.error().message});
        round->wanted.push_back({i, *std::move(url)});
    }
    round->room_bytes = bytes_max_ - std::min(given_bytes, bytes_max_);
    fetch_next(round);
}

void AttachmentFetcher::fetch_next(const std::shared_ptr<Round>& round) {
    if (round->wanted.empty()) return round->done(std::move(round->fetched));
    auto [index, url] = std::move(round->wanted.front());
    round->wanted.pop_front();
    net::HttpRequest request{.url = std::move(url)};
    request.limits.total_timeout = url_timeout;
    request.limits.answer_bytes_max = round->room_bytes;
    request.limits.redirects_max = redirects_max;
    request.limits.budget = &budget_;
    http_.start(std::move(request),
                [this, round, index = index](Result<net::HttpAnswer, net::HttpFailure> answer) {
                    const auto taken = take(*round, index, std::move(answer));
                    if (!taken) return round->done(taken.error());
                    fetch_next(round);
                });
}

Result<Ok, FetchProblem> AttachmentFetcher::take(
    Round& round, std::size_t index, Result<net::HttpAnswer, net::HttpFailure> answer) const {
    const auto field = field_of(index, AttachmentSource::Kind::url);
    if (!answer) {
        const auto& [problem, message, arrived] = answer.error();
        if (problem == net::HttpProblem::too_large) {
            return FetchProblem{field, too_large(bytes_max_)};
        }
        return FetchProblem{field, message, may_pass(problem), problem};
    }
    if (answer->status != 200) {
        return FetchProblem{field, "the server answered " + std::to_string(answer->status),
                            may_pass(answer->status)};
    }
    round.room_bytes -= answer->body.size();
    round.fetched.contents[index] = std::move(answer->body);
    round.fetched.room.push_back(std::move(answer->room));
    return Ok{};
}

Result<Contents, FetchProblem> AttachmentFetcher::gather(const Request& request,
                                                         FetchedUrls fetched) const {
    auto contents = std::move(fetched.contents);
    assert(contents.size() == request.attachments.size());
    auto room_bytes = bytes_max_;
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const auto& source = request.attachments[i];
        const auto field = field_of(i, source.kind);
        if (source.kind == AttachmentSource::Kind::path) {
            contents[i] = TRY(fetch_file(source, field, room_bytes));
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

}  // namespace mailroom::outbox
