#include "reminders/opt_outs.h"

#include <utility>
#include <vector>

namespace mailroom::reminders {

namespace {

constexpr std::string_view source = "reminders";

std::string with_reason(std::string words, const std::string& reason) {
    return reason.empty() ? words : std::move(words) + ": " + reason;
}

people::Change said(people::TopicState state, const std::string& reason,
                    const program::Actor& person) {
    people::Change change;
    change.topics[std::string(topic_id)] = state;
    change.reason = reason;
    // Who is asked to pay is no reader of news by saying so.
    change.makes_nobody = true;
    change.evidence = {.source = std::string(source), .by = person.name};
    return change;
}

people::TopicDetails details() {
    return {.name = "Payment reminders",
            .description = "Mails about invoices that are overdue",
            .texts = {{"de", "Zahlungserinnerungen", "Mails zu überfälligen Rechnungen"},
                      {"fr", "Rappels de paiement", "Messages sur les factures en retard"},
                      {"es", "Recordatorios de pago", "Mensajes sobre facturas vencidas"},
                      {"it", "Solleciti di pagamento", "Messaggi sulle fatture scadute"},
                      {"pt", "Lembretes de pagamento", "Mensagens sobre faturas vencidas"},
                      {"nl", "Betalingsherinneringen", "Berichten over openstaande facturen"}},
            .double_opt_in = false,
            .hidden = true};
}

}  // namespace

people::MailKind mail_kind() {
    return {people::Stream::transactional, std::string(topic_id), people::TopicCounts::always};
}

Answer<> add_topic(const people::TopicCatalog& topics) {
    const std::string id(topic_id);
    if (TRY(topics.find(id))) return Ok{};
    TRY(topics.save(id, details()));
    return Ok{};
}

Result<bool> OptOuts::said_yes(const std::string& email) const {
    const auto state = TRY(suppressions_.topic_state(std::string(topic_id), email));
    return state == people::TopicState::in;
}

// What is older than topics is overruled by whoever says yes to this one.
Result<bool> OptOuts::is_noted(const Customer& customer) const {
    if (!customer.noted_opt_out) return false;
    return customer.noted_opt_out_reason == complaint_reason || !TRY(said_yes(customer.email));
}

Result<std::optional<std::string>> OptOuts::refusal(const Customer& customer,
                                                    const AddressRow& address) const {
    if (TRY(is_noted(customer))) {
        return std::optional(with_reason("opted out", customer.noted_opt_out_reason));
    }
    auto refused = TRY(suppressions_.refusal(mail_kind(), customer.email));
    if (refused) {
        const auto about = "topic " + std::string(topic_id);
        if (refused->starts_with(about)) refused = "opted out" + refused->substr(about.size());
        return refused;
    }
    if (address.opt_out.empty() || TRY(said_yes(customer.email))) {
        return std::optional<std::string>();
    }
    return std::optional(with_reason("opted out at this address", address.opt_out));
}

Result<std::optional<std::string>> OptOuts::of(const std::string& email) const {
    auto found = TRY(suppressions_.refusals_of_topic(std::string(topic_id), {email}));
    if (found.empty()) return std::optional<std::string>();
    return std::optional(std::move(found.begin()->second));
}

Result<> OptOuts::note_in(std::span<Customer> customers) const {
    std::vector<std::string> emails;
    for (const auto& customer : customers) emails.push_back(customer.email);
    const auto found =
        TRY(suppressions_.refusals_of_topic(std::string(topic_id), std::move(emails)));
    for (auto& customer : customers) {
        const auto why = found.find(customer.email);
        const bool is_said = why != found.end();
        customer.opt_out = is_said || TRY(is_noted(customer));
        if (!customer.opt_out) continue;
        customer.opt_out_reason = is_said ? why->second : customer.noted_opt_out_reason;
    }
    return Ok{};
}

Result<> OptOuts::begin(schedule::Transaction& transaction, const std::string& email,
                        const std::string& reason, const program::Actor& person) const {
    return suppressions_.add_to(transaction, email, said(people::TopicState::out, reason, person));
}

Result<> OptOuts::end(schedule::Transaction& transaction, const std::string& email,
                      const program::Actor& person) const {
    return suppressions_.add_to(transaction, email, said(people::TopicState::in, "", person));
}

Result<> OptOuts::complain(schedule::Transaction& transaction, const std::string& email) const {
    auto change = said(people::TopicState::out, std::string(complaint_reason), program::Actor{});
    change.suppressed = true;
    change.makes_nobody = false;
    change.evidence = {.source = "mail"};
    return suppressions_.add_to(transaction, email, std::move(change));
}

}  // namespace mailroom::reminders
