#include "engagement/settings.h"

#include "program/setting_forms.h"

namespace mailroom::engagement {

using program::Whole;

// clang-format off
void add_settings(program::Settings& list, Settings& values) {
    list.section("tables");
    list.add("email_events", program::table_name(), values.tables.events, "What became of mails, and what people did with them.");
    list.section("engagement");
    list.add("data_ttl_days", Whole{0, 36500, "; 0 keeps them for ever"}, values.data_ttl_days,
        "How many days events and the log of sent mails are kept.");
    list.add("soft_bounces", Whole{1, 1000}, values.soft_bounces_max,
        "After so many mails in a row that did not arrive, and none that did, a person is suppressed.");
    list.add("policy_faults", Whole{0, 1'000'000, "; 0 is never"}, values.policy_faults_max,
        "After so many mails within an hour that servers refused because of us, the stream is paused.");
}
// clang-format on

}  // namespace mailroom::engagement
