#include "engagement/tracking/tracking_routes.h"

#include "base/text.h"

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace mailroom::engagement {

namespace {

using program::Asked;
using program::Rendered;
using program::Start;

// A picture of one transparent point.
constexpr std::string_view picture_bytes(
    "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,"
    "\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02"
    "D\x01\x00;",
    43);

struct LinkInMail {
    std::string token;
    static constexpr auto fields =
        std::tuple{table::asked("token", &LinkInMail::token, "As it stands in the mail.")};
};

struct Picture {};
struct Redirect {};
constexpr const char* picture_type = "image/gif";
constexpr const char* plain_type = "text/plain";

const std::pair<std::string, std::string> never_kept = {"Cache-Control", "no-store, private"};
const std::pair<std::string, std::string> no_referrer = {"Referrer-Policy", "no-referrer"};
const std::pair<std::string, std::string> no_index = {"X-Robots-Tag", "noindex"};

Rendered picture() {
    return {200,
            picture_type,
            std::string(picture_bytes),
            {never_kept, {"Cross-Origin-Resource-Policy", "cross-origin"}}};
}

Rendered redirect(const std::string& url) {
    return {302, "", "", {{"Location", url}, never_kept, no_referrer, no_index}};
}

Rendered no_such_picture() {
    return {404, "text/plain; charset=utf-8", "This link is not valid.\n", {never_kept, no_index}};
}

bool is_ahead(const Asked& asked) {
    for (const std::string_view name : {"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"}) {
        const auto value = ascii_lower(asked.header(name).value_or(""));
        if (value.find("prefetch") != value.npos || value.find("preview") != value.npos) {
            return true;
        }
    }
    return false;
}

Hit hit_of(const Asked& asked, Time now) {
    Hit hit;
    hit.at = now;
    hit.is_head = asked.method == "HEAD";
    hit.is_prefetch = is_ahead(asked);
    hit.user_agent = truncate_utf8(asked.header("User-Agent").value_or(""), agent_bytes_max);
    return hit;
}

class Endpoint {
public:
    explicit Endpoint(const TrackingDesk& desk) : desk_(desk) {}

    Start open(const Asked& asked, const program::Later& later) const {
        auto token = desk_.tokens.read_as<OpenToken>(asked.path.front().second);
        if (!token) return no_such_picture();
        if (!desk_.settings.opens) return picture();
        auto hit = hit_of(asked, desk_.clock.now());
        hit.kind = Hit::Kind::open;
        hit.mail_id = std::move(token->mail_id);
        desk_.journal.add(std::move(hit), [later](HitJournal::Kept) { later(picture()); });
        return program::AnswersLater{};
    }

    Start click(const Asked& asked, const program::Later& later) const {
        auto token = desk_.tokens.read_as<ClickToken>(asked.path.front().second);
        if (!token) return desk_.bad_link(asked);
        auto there = redirect(token->url);
        if (!desk_.settings.clicks) return there;
        auto hit = hit_of(asked, desk_.clock.now());
        hit.kind = Hit::Kind::click;
        hit.mail_id = std::move(token->mail_id);
        hit.link = token->link;
        hit.url = std::move(token->url);
        desk_.journal.add(std::move(hit),
                          [later, there = std::move(there)](HitJournal::Kept) { later(there); });
        return program::AnswersLater{};
    }

private:
    const TrackingDesk desk_;
};

using Begin = Start (Endpoint::*)(const Asked&, const program::Later&) const;

// For who may wait.
Rendered answer(const Endpoint& endpoint, Begin begin, const Asked& asked) {
    const auto answered = std::make_shared<std::promise<Rendered>>();
    auto start =
        (endpoint.*begin)(asked, [answered](std::variant<Rendered, program::MustWait> found) {
            answered->set_value(std::get<Rendered>(std::move(found)));
        });
    if (auto* rendered = std::get_if<Rendered>(&start)) return std::move(*rendered);
    return answered->get_future().get();
}

void serve(program::Route& route, const TrackingDesk& desk, Begin begin) {
    const Endpoint endpoint(desk);
    route.act = [endpoint, begin](const Asked& asked) { return answer(endpoint, begin, asked); };
    route.start = [endpoint, begin](const Asked& asked, const program::Keep&,
                                    const program::Later& later) {
        return (endpoint.*begin)(asked, later);
    };
}

}  // namespace

}  // namespace mailroom::engagement

namespace mailroom::program {

template <>
struct Output<engagement::Picture> {
    static std::vector<Content> contents(table::Schemas&) {
        return {{200, engagement::picture_type, ""}, {404, engagement::plain_type, ""}};
    }
};
template <>
struct Output<engagement::Redirect> {
    static std::vector<Content> contents(table::Schemas&) {
        return {{302, "", ""}, {404, "text/html", ""}};
    }
};

}  // namespace mailroom::program

namespace mailroom::engagement {

void add_tracking_routes(program::Api& api, const TrackingDesk& desk) {
    api.group("Tracking", "Where the links lead that mails are given: for anybody who has one.");
    serve(api.declare<LinkInMail, Picture>(
              "GET", "/t/o/{token}",
              {.name = "open_mail",
               .scope = "",
               .summary = "The picture in a mail",
               .more = "Notes that the mail was opened, durably, before it answers.",
               .refuses = {Refusal::Kind::not_found}},
              program::Source::query),
          desk, &Endpoint::open);
    serve(api.declare<LinkInMail, Redirect>(
              "GET", "/t/c/{token}",
              {.name = "follow_link",
               .scope = "",
               .summary = "A link in a mail",
               .more = "Notes that it was followed, durably, and leads to where it was to lead.",
               .refuses = {Refusal::Kind::not_found}},
              program::Source::query),
          desk, &Endpoint::click);
}

}  // namespace mailroom::engagement
