// A route as data: what it takes, what it answers, who may ask, and what it does. Doors (HTTP,
// agents) and descriptions are made from the list of routes.
#pragma once

#include "base/refusal.h"
#include "program/actor.h"
#include "table/records/form.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mailroom::table::write {
class Transaction;
}  // namespace mailroom::table::write

namespace mailroom::program {

// Of a body, in bytes: far more than any settings or list need.
constexpr std::size_t small_body_bytes_max = 1024 * 1024;

using Pairs = std::vector<std::pair<std::string, std::string>>;

// A request, as far as a route can see it. Lives as long as the call.
struct Asked {
    const Pairs& path;   // Decoded.
    const Pairs& query;  // As often as they were given.
    std::string_view body;
    const Actor& actor;
    std::string_view content_type = {};  // Empty: none was given.
    std::string_view method = {};        // HEAD, where a GET is asked for no body.
    std::string_view peer = {};          // The client's address.
    const Pairs* headers = nullptr;

    // The first of that name (any case), or none.
    std::optional<std::string_view> header(std::string_view name) const;
};

// An answer as it goes out.
struct Rendered {
    int status = 200;
    std::string content_type = "application/json";  // Empty: no content.
    std::string body = {};
    Pairs headers = {};
};

// How an action is begun that answers when its write is durable, on the thread that reads requests:
// it must not wait for anything.
struct AnswersLater {};  // `later` will be called, once, by any thread.
struct MustWait {};      // Nothing was done: the route's `act` is to run, where it may wait.
using Start = std::variant<Rendered, AnswersLater, MustWait>;
using Later = std::function<void(std::variant<Rendered, MustWait>)>;
// Adds the answer to the transaction that is the request's effect; for a request that is to have
// one effect, so that the same again gets the same answer. A refused condition of that transaction
// is MustWait. Empty for any other request.
using Keep = std::function<void(table::write::Transaction&, const Rendered&)>;
using QuickAction = std::function<Start(const Asked&, const Keep&, const Later&)>;

enum class Once { no, yes };         // Whether a repeated request can be told by its key.
enum class Agents { may_not, may };  // Whether a machine that writes text may call it unasked.
// Of one that anybody may call: whether `act` is run by the thread that reads requests.
enum class Pace { quick, may_wait };

// What is said of a route besides its types.
struct About {
    std::string_view name;   // "approve_draft": operation and tool.
    std::string_view scope;  // Empty: anybody may, without a key; see `pace`.
    std::string_view summary;
    std::string_view more = "";  // For people who read on.
    Once once = Once::no;
    Agents agents = Agents::may_not;
    std::vector<Refusal::Kind> refuses = {};  // Besides what any route of its form may answer.
    std::size_t body_bytes_max = small_body_bytes_max;
    Pace pace = Pace::quick;
};

struct Parameter {
    enum class Place { path, query };
    Place place;
    std::string name;
    bool is_required = false;
    std::string about;
    std::string schema;  // JSON text.
};

struct Content {
    int status = 200;
    std::string content_type;  // Empty: none.
    std::string schema;        // JSON text.
};

struct Route {
    std::string method, path;  // "/v1/reminders/drafts/{id}"
    std::string group;         // "Reminders"
    About about;
    std::vector<Parameter> parameters;
    std::vector<Content> body;  // What it takes; none: no body.
    bool needs_body = false;
    std::vector<Content> answers;               // When it goes well.
    std::function<Rendered(const Asked&)> act;  // None: it is served elsewhere.
    QuickAction start;                          // Tried before `act`, if there is one.

    std::string text() const { return method + " " + path; }
};

// The form of every failure: {"error":{"code":…,"message":…,"details":{…}}}. What is wrong inside
// is written to the log, not told.
Rendered render(const Refusal& refusal);
// The same for one of many: {"code":…,"message":…,"details":…}.
void write_refusal(json::Writer& writer, const Refusal& refusal);

}  // namespace mailroom::program
