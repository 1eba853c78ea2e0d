#include "people/suppression_routes.h"

#include "base/text.h"
#include "mime/address.h"
#include "people/stream_form.h"
#include "table/records/record.h"

#include <utility>

namespace mailroom::table {

template <>
struct Record<people::Suppression> {
    using Suppression = people::Suppression;
    static constexpr std::string_view record_name = "Suppression";
    static constexpr auto fields = std::tuple{
        shown("address", &Suppression::address, "As it was given."),
        shown("stream", &Suppression::stream, "Null: every stream, or a topic."),
        shown_or_omitted("topic", &Suppression::topic, "Mails about it; else it is not there."),
        shown("reason", &Suppression::reason, "bounce, complaint, request: a word or a sentence."),
        shown_or_omitted("source", &Suppression::source, "Who says so: api, link, import, …"),
        shown("at", &Suppression::at)};
};

}  // namespace mailroom::table

namespace mailroom::people {

namespace {

using program::Actor;
using program::Created;
using program::Done;
using table::asked;
using table::PageWish;
using table::required;
using table::Slice;

constexpr std::size_t given_reason_bytes_max = 500;

// A reason that fits into a row.
struct Reason : table::Form<std::string> {
    static void read(const json::View& view, std::string& to, table::Reading& reading) {
        table::Form<std::string>::read(view, to, reading);
        if (to.size() > given_reason_bytes_max) reading.wrong("must be at most 500 bytes");
    }
};
// One that mails can have.
struct Address : table::Form<std::string> {
    static void read(const json::View& view, std::string& to, table::Reading& reading) {
        table::Form<std::string>::read(view, to, reading);
        if (view.type() != json::View::Type::text) return;
        const auto mailbox = mime::parse_address(trim(to));
        if (!mailbox) reading.wrong("is no e-mail address: " + mailbox.error().message);
    }
};

struct NewSuppression {
    std::string address;
    std::optional<Stream> stream;
    std::string reason = "request";

    static constexpr auto fields = std::tuple{
        table::spelled<Address>(required("address", &NewSuppression::address)),
        asked("stream", &NewSuppression::stream, "Every stream, if none is said."),
        table::spelled<Reason>(asked("reason", &NewSuppression::reason, "request unless given."))};
};
struct ByAddress {
    std::string address;

    static constexpr auto fields =
        std::tuple{required("address", &ByAddress::address, "An e-mail address.")};
};

Result<Slice<Suppression>> list(const PageWish& page, Suppressions& suppressions) {
    auto found = TRY(suppressions.list(page.limit, page.after));
    return Slice<Suppression>{std::move(found.items), std::move(found.next)};
}

Refusal not_suppressed(const std::string& address) {
    return Refusal::not_found(address + " is not suppressed");
}

Answer<Slice<Suppression>> show(const std::string& address, Suppressions& suppressions) {
    auto found = TRY(suppressions.find(address));
    if (found.empty()) return not_suppressed(address);
    return Slice<Suppression>{std::move(found), std::nullopt};
}

Result<Created<Suppression>> add(const NewSuppression& in, Suppressions& suppressions) {
    return Created<Suppression>{TRY(suppressions.add(in.address, in.stream, in.reason))};
}

Answer<Done> remove(const std::string& address, Suppressions& suppressions) {
    if (!TRY(suppressions.remove(address))) return not_suppressed(address);
    return Done{};
}

}  // namespace

void add_suppression_routes(program::Api& api, Suppressions& suppressions) {
    using program::scope::read, program::scope::send;
    api.group("Suppressions", "Addresses that must not be written to.");
    api.list("/v1/suppressions",
             {.name = "list_suppressions",
              .scope = read,
              .summary = "List suppressed addresses",
              .agents = program::Agents::may},
             [&suppressions](const program::Nothing&, const PageWish& page, const Actor&) {
                 return list(page, suppressions);
             });
    api.post(
        "/v1/suppressions",
        {.name = "suppress_address",
         .scope = send,
         .summary = "Suppress an address from now on",
         .more = "Replaces an earlier suppression of the same address and stream.",
         .once = program::Once::yes},
        [&suppressions](const NewSuppression& in, const Actor&) { return add(in, suppressions); });
    api.get("/v1/suppressions/{address}",
            {.name = "show_suppressions",
             .scope = read,
             .summary = "Show the suppressions of an address: one for each stream",
             .agents = program::Agents::may},
            [&suppressions](const ByAddress& in, const Actor&) {
                return show(in.address, suppressions);
            });
    api.remove("/v1/suppressions/{address}",
               {.name = "allow_address", .scope = send, .summary = "Allow an address again"},
               [&suppressions](const ByAddress& in, const Actor&) {
                   return remove(in.address, suppressions);
               });
}

}  // namespace mailroom::people
