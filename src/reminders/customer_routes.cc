#include "program/as_of.h"
#include "reminders/import.h"
#include "reminders/routes.h"

#include <utility>

namespace mailroom::reminders {

namespace {

using program::act;
using program::Actor;
using program::as_of_now;
using program::created;

using Import = Answer<ImportResult> (*)(Accounts&, std::string_view, ImportMode, const Actor&);

template <Import import_file>
auto importing(Desk desk) {
    return [desk](const program::ImportFile& in, const Actor& who) {
        return import_answer(import_file(desk.accounts, in.body.bytes, in.mode(), who), in.mode());
    };
}

void add_import_routes(program::Api& api, Desk desk) {
    auto about = decided("import_customers", "Add or change customers from a file");
    about.more = program::import_columns;
    about.body_bytes_max = program::import_body_bytes_max;
    api.post("/v1/reminders/customers/import", about, importing<import_customers>(desk));
    about.name = "import_invoices";
    about.summary = "Add or change invoices from a file";
    api.post("/v1/reminders/invoices/import", about, importing<import_invoices>(desk));
}

void add_privacy_routes(program::Api& api, Desk desk) {
    api.remove("/v1/reminders/customers/{id}",
               {.name = "erase_customer",
                .scope = scope::admin,
                .summary = "Erase all that is known about a customer"},
               act(desk.privacy, &Privacy::erase));
    api.get("/v1/reminders/customers/{id}/export",
            {.name = "export_customer",
             .scope = scope::admin,
             .summary = "All that is known about a customer"},
            act(desk.privacy, &Privacy::gather));
}

}  // namespace

void add_customer_routes(program::Api& api, Desk desk) {
    auto& accounts = desk.accounts;
    const auto& clock = desk.books().clock;
    api.list("/v1/reminders/customers", seen("list_customers", "Customers, in no order"),
             as_of_now(clock, act(accounts, &Accounts::list)));
    api.post("/v1/reminders/customers", added("add_customer", "Add a customer"),
             created(as_of_now(clock, act(accounts, &Accounts::create))));
    api.get("/v1/reminders/customers/{id}",
            seen("show_customer", "One customer, what it owes and what was written to it"),
            as_of_now(clock, act(accounts, &Accounts::show)));
    api.patch("/v1/reminders/customers/{id}",
              decided("change_customer", "Change a name or an address, or note an opt-out"),
              as_of_now(clock, act(accounts, &Accounts::change)));
    api.post("/v1/reminders/customers/{id}/promise",
             decided("note_promise", "Note when the customer promised to pay",
                     "It hears nothing until then, and is reminded again after that."),
             as_of_now(clock, act(accounts, &Accounts::promise)));
    api.remove("/v1/reminders/customers/{id}/promise",
               decided("end_promise", "The promise no longer counts"),
               as_of_now(clock, act(accounts, &Accounts::end_promise)));
    add_privacy_routes(api, desk);
    add_import_routes(api, desk);
}

}  // namespace mailroom::reminders
