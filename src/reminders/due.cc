#include "reminders/due.h"

namespace mailroom::reminders {

Result<DuePage> list_due(Accounts& accounts, const Assessor& assessor, Which which,
                         std::size_t limit, const std::optional<std::string>& after) {
    auto overdue = TRY(accounts.overdue(limit, after));
    DuePage page;
    page.next = std::move(overdue.next);
    page.customers.reserve(overdue.customers.size());
    for (auto& customer : overdue.customers) {
        auto assessment = TRY(assessor.assess(customer, std::nullopt));
        const bool allowed = assessment.decision.allowed();
        if (which != Which::all && allowed != (which == Which::allowed)) continue;
        page.customers.push_back({std::move(customer), std::move(assessment.decision)});
    }
    return page;
}

}  // namespace mailroom::reminders
