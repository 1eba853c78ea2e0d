#include "reminders/personal_accounts.h"

#include "base/log.h"
#include "base/time_format.h"
#include "net/sigv4.h"
#include "people/canonical.h"
#include "reminders/addresses.h"
#include "table/records/pages.h"

#include <algorithm>
#include <chrono>

namespace mailroom::reminders {

namespace {

constexpr std::size_t customers_at_once = 200;
// While a mail is under way.
constexpr std::chrono::minutes look_again_after{1};
constexpr std::string_view erased = "erased";

// An address at which nobody is (RFC 2606), the same for the same person.
std::string nobodys_address(std::string_view email) {
    const auto canonical = people::canonical_of(email);
    return net::sha256_hex(canonical ? *canonical : std::string(email)) + "@erased.invalid";
}

}  // namespace

Result<std::vector<Customer>> PersonalAccounts::customers_of(const std::string& person) const {
    std::vector<Customer> found;
    table::PageWish wish{.limit = customers_at_once, .after = {}};
    do {
        auto page = TRY(accounts_.customer_rows().page(wish));
        for (auto& customer : page.items) {
            const auto canonical = people::canonical_of(customer.email);
            if (canonical && *canonical == person) found.push_back(std::move(customer));
        }
        wish.after = std::move(page.next);
    } while (wish.after);
    return found;
}

Result<> PersonalAccounts::show(const std::string& person, json::Writer& writer) {
    writer.open_list();
    for (const auto& customer : TRY(customers_of(person))) {
        const auto known = privacy_.gather(customer.customer_id);
        if (!known) return Error(known.error());
        table::write_json(writer, *known);
    }
    writer.close_list();
    return Ok{};
}

Result<> PersonalAccounts::erase(const std::string& person) {
    return erase_until(person, books_.clock.now());
}

Result<> PersonalAccounts::erase_until(const std::string& person, Time until) {
    const auto at = std::min(until, books_.clock.now());
    schedule::Transaction transaction;
    books_.schedule.add(transaction, {.queue = std::string(forgetting_queue),
                                      .key = net::sha256_hex(person + " " + format_rfc3339(at)),
                                      .due = at,
                                      .data = {{"person", person}, {"until", to_unix_ms(at)}}});
    const auto added = books_.schedule.commit(transaction);
    if (added) return Ok{};
    const Error error = added.error();
    // It is asked again, and was written down before.
    return error.code == Errc::conflict ? Result<>(Ok{}) : Result<>(error);
}

void PersonalAccounts::run(schedule::JobInHand job) {
    const auto done = settle(*job);
    if (done) return;
    // The job is found again after a pause.
    log::warn("customers who were erased are looked at again", {{"why", done.error().message}});
}

Result<> PersonalAccounts::settle(schedule::Job& job) {
    const auto person = std::string(job.data().text("person").value_or(""));
    const auto until = from_unix_ms(job.data().integer("until").value_or(0));
    bool is_whole = true;
    for (const auto& customer : TRY(customers_of(person))) {
        if (customer.created > until) continue;
        const auto done =
            settled(books_.store.pauses(race_pauses), [&] { return forget(customer); });
        if (!done) return Error(done.error());
        is_whole = is_whole && *done;
    }
    schedule::Transaction transaction;
    if (is_whole) {
        job.finish(transaction);
    } else {
        job.move(transaction, books_.clock.now() + look_again_after);
    }
    TRY(books_.schedule.commit(transaction));
    return Ok{};
}

// The customer's row last: it says that there is something to be done.
Answer<bool> PersonalAccounts::forget(const Customer& found) {
    auto customer = TRY(accounts_.find(found.customer_id));
    if (!customer || customer->email != found.email) return true;
    if (customer->is_under_way()) return false;
    TRY(privacy_.erase_letters(customer->customer_id));
    schedule::Transaction transaction;
    forget_address(transaction, books_, TRY(read_address(books_, customer->email)));
    customer->email = nobodys_address(customer->email);
    customer->name = erased;
    customer->open_drafts.clear();
    // Nobody is reminded there, whatever is owed.
    customer->noted_opt_out = true;
    customer->noted_opt_out_reason = erased;
    accounts_.save(transaction, *customer);
    books_.audit.add(transaction, mailroom_itself(),
                     {.customer_id = customer->customer_id, .what = "pseudonymised"});
    TRY(books_.commit(transaction));
    return true;
}

}  // namespace mailroom::reminders
