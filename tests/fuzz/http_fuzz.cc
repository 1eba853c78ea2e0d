// Gives any bytes to an HTTP connection, once whole and once in slices. Both must bring the same
// requests to the handler and the same answers to the client; no request may be ambiguous or above
// its limits, and no answer malformed or a sign of a bug. The first byte chooses who answers: the
// native API, the tables, or the tables after the request was signed with a good key. Keys can only
// read, so that every input meets the same data.
#include "api/native_in_memory.h"
#include "base/log.h"
#include "base/text.h"
#include "dynamodb/endpoint.h"
#include "http/response_text.h"
#include "http_connection.h"
#include "json/json.h"
#include "net/sigv4.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::http {
namespace {

// Small, so that inputs reach them.
const Limits limits{.header_bytes_max = 1024, .header_fields_max = 16, .body_bytes_max = 512};
constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view read_key = "mr_a-key-that-is-known-to-all";

void check(bool holds) {
    if (!holds) std::abort();
}

bool is_named(const Header& header, std::string_view name) {
    return ascii_equal_ignoring_case(header.first, name);
}

std::size_t count_of(const Request& request, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::count_if(
        request.headers, [&](const Header& header) { return is_named(header, name); }));
}

bool is_one_line(std::string_view text) { return text.find_first_of({"\r\n\0", 3}) == text.npos; }

std::string text_of(const Request& request) {
    std::string text = request.method + " " + request.target + "\n";
    for (const auto& [name, value] : request.headers) text += name + ": " + value + "\n";
    return text + "\n" + request.body;
}

// The request as a client would write that leaves no choice to the reader.
std::string plain_form(const Request& request) {
    std::string text = request.method + " " + request.target + " HTTP/1.1\r\n";
    for (const auto& header : request.headers) text += header.first + ": " + header.second + "\r\n";
    return text + "\r\n" + request.body;
}

// Whether the request, as it was understood, is understood that way again.
void check_reads_alike(Request request, const Handler& handler) {
    std::erase_if(request.headers, [](const Header& header) {
        return is_named(header, "Transfer-Encoding") || is_named(header, "Content-Length");
    });
    request.headers.emplace_back("Content-Length", std::to_string(request.body.size()));
    if (count_of(request, "Host") == 0) request.headers.emplace_back("Host", "h");
    const Limits wide;
    RequestParser parser(wide, handler);
    const auto text = plain_form(request);
    std::size_t used = 0;
    check(parser.put(text, used) == RequestParser::Outcome::complete && used == text.size());
    check(text_of(parser.take()) == text_of(request));
}

void check_request(const Request& request) {
    check(!request.method.empty() && !request.target.empty());
    check(request.headers.size() <= limits.header_fields_max);
    check(request.body.size() <= limits.body_bytes_max);
    check(count_of(request, "Host") <= 1 && count_of(request, "Transfer-Encoding") <= 1);
    check(count_of(request, "Transfer-Encoding") == 0 || count_of(request, "Content-Length") == 0);
    for (const auto& [name, value] : request.headers) {
        check(!name.empty() && is_one_line(name) && is_one_line(value));
    }
}

void check_response(const Response& response) {
    // 501 is for a Transfer-Encoding that nobody has to know; others would be our fault.
    check(response.status < 500 || response.status == 501);
    check(has_only_safe_headers(response));
    if (!response.content_type.starts_with("application/")) return;
    json::Parser parser;
    check(static_cast<bool>(parser.parse(response.body)));
}

// Notes what passes.
class Watched final : public Handler {
public:
    explicit Watched(Handler& next) : next_(next) {}

    void handle(Request request, Reply reply) override {
        check_request(request);
        check_reads_alike(request, *this);
        seen += text_of(request) + "\n";
        methods.push_back(request.method);
        next_.handle(std::move(request), [reply = std::move(reply)](Response response) {
            check_response(response);
            // How long things took is another number each time.
            if (response.content_type == program::Metrics::content_type) response.body.clear();
            reply(std::move(response));
        });
    }
    Response refuse(int status, std::string_view why) const override {
        auto response = next_.refuse(status, why);
        check_response(response);
        // Of two mistakes, the one that is seen first is named.
        response.status = 400;
        response.body.clear();
        return response;
    }
    std::size_t body_bytes_max(const Request& head) const override {
        return next_.body_bytes_max(head);
    }

    std::string seen;
    std::vector<std::string> methods;

private:
    Handler& next_;
};

// Puts a good signature in the place of the one that came.
class Signing final : public Handler {
public:
    Signing(Handler& next, net::Signer& signer, const Clock& clock)
        : next_(next), signer_(signer), clock_(clock) {}

    void handle(Request request, Reply reply) override {
        std::erase_if(request.headers, [](const Header& header) {
            return is_named(header, "Authorization") || is_named(header, "X-Amz-Date");
        });
        const std::string_view target = request.target;
        const auto mark = std::min(target.find('?'), target.size());
        request.headers = signer_.sign({request.method, target.substr(0, mark),
                                        target.substr(std::min(mark + 1, target.size())),
                                        std::move(request.headers), request.body},
                                       clock_.now());
        next_.handle(std::move(request), std::move(reply));
    }
    Response refuse(int status, std::string_view why) const override {
        return next_.refuse(status, why);
    }

private:
    Handler& next_;
    net::Signer& signer_;
    const Clock& clock_;
};

// The data that every input meets.
struct World {
    World() {
        log::configure(log::Level::off, log::Format::text);
        native.open({});
        native.taken(native.keys_.adopt("reader", read_key, {"read"}));
        native.key_ = native.new_key({"admin"});
        for (const auto* address : {"a@example.com", "b@example.com", "c@example.com"}) {
            make("/v1/suppressions", std::string(R"({"address":")") + address + R"("})");
        }
        table::CreateTable orders;
        orders.name = "Orders";
        orders.attributes = {{"pk", table::Kind::string}};
        orders.keys.hash = "pk";
        native.taken(native.engine_->create_table(orders));
        for (const auto* key : {"a", "b", "c"}) {
            table::PutItem item;
            item.table = "Orders";
            item.item = {{"pk", key}};
            native.taken(native.engine_->put(item));
        }
        const auto pair = native.taken(
            native.access_keys_->create("reader", {table::TableAccess::read, {"Orders"}}));
        signatures.emplace(*native.access_keys_, native.clock_);
        signer.emplace(net::Credentials{pair.id, pair.secret, {}}, "eu-west-1", "dynamodb");
    }

    void make(std::string target, std::string body) {
        const auto response = native.ask("POST", std::move(target), std::move(body));
        check(response.status / 100 == 2);
    }

    api::NativeInMemory native;
    std::optional<dynamodb::RequestSignatures> signatures;
    std::optional<net::Signer> signer;
};

// Brings any header and any body that is allowed to its end: what is wrong with one that is not
// complete may be told at once or when it is.
const std::string& ending() {
    static const std::string text = [] {
        std::string lines;
        while (lines.size() < limits.body_bytes_max + 16) lines += "\r\n";
        return lines;
    }();
    return text;
}

// What came of all the bytes of one client.
struct Heard {
    std::string requests, answers;
    bool operator==(const Heard&) const = default;
};

// One answer after another, each as long as it says. A refusal, which ends the connection, may
// follow the answers to all requests.
void check_answers(std::string_view text, const std::vector<std::string>& methods) {
    std::size_t count = 0;
    for (; !text.empty(); ++count) {
        check(text.starts_with("HTTP/1.1 ") && text.size() > 12);
        const auto status = std::atoi(std::string(text.substr(9, 3)).c_str());
        const auto end = text.find("\r\n\r\n");
        check(end != text.npos);
        const auto head = text.substr(0, end + 2);
        text.remove_prefix(end + 4);
        const auto length_at = head.find("\r\nContent-Length: ");
        check((length_at == head.npos) == (status == 204));
        if (length_at == head.npos) continue;
        const auto length = std::stoul(std::string(head.substr(length_at + 18, 20)));
        const bool refusal = count == methods.size();
        const bool without_body = refusal ? text.empty() : methods[count] == "HEAD";
        if (without_body) continue;
        check(length <= text.size());
        text.remove_prefix(length);
    }
    check(count == methods.size() || count == methods.size() + 1);
}

// Whether the word to go on is sent depends on how much has arrived.
std::string without_continue(std::string text) {
    for (auto at = text.find(continue_line); at != text.npos; at = text.find(continue_line, at)) {
        text.erase(at, continue_line.size());
    }
    return text;
}

// Gives `bytes` to a new connection in slices as long as `next_slice` says.
template <class NextSlice>
Heard talk(World& world, std::uint8_t choice, std::string_view bytes, NextSlice next_slice) {
    // Numbers its answers, so it begins anew.
    SeededRandom random(1);
    dynamodb::Endpoint endpoint(*world.native.engine_, table::OwnTables(), world.native.workers_,
                                random, &*world.signatures);
    HealthFirst tables(endpoint);
    Signing signing(tables, *world.signer, world.native.clock_);
    Handler* const handlers[] = {&*world.native.router_, &tables, &signing};
    Watched watched(*handlers[choice % std::size(handlers)]);
    Connection connection(limits, watched);
    while (!bytes.empty()) {
        const auto slice = bytes.substr(0, next_slice());
        bytes.remove_prefix(slice.size());
        connection.send(slice);
    }
    auto answers = without_continue(connection.finish());
    check_answers(answers, watched.methods);
    return {std::move(watched.seen), std::move(answers)};
}

}  // namespace
}  // namespace mailroom::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mailroom::http;
    static World world;
    if (size == 0) return 0;
    const std::string bytes(data + 1, data + size);
    const auto whole = talk(world, data[0], bytes + ending(), [] { return SIZE_MAX; });

    std::minstd_rand chance(static_cast<unsigned>(std::hash<std::string>()(bytes)));
    const auto slice_bytes_max = 1 + chance() % (1 + bytes.size());
    auto left = bytes.size();
    const auto cut = talk(world, data[0], bytes + ending(), [&] {
        if (left == 0) return SIZE_MAX;
        const auto slice_bytes = std::min(left, 1 + chance() % slice_bytes_max);
        left -= slice_bytes;
        return slice_bytes;
    });
    check(whole == cut);
    return 0;
}
