// Drafts that are asked for, one or many.
#pragma once

#include "api/reminder_services.h"
#include "api/routes.h"

namespace mailroom::api {

constexpr std::size_t bulk_customers_max = 1000;

// {"customer_id", "reminder_type"?, "writer"?: "template"|"ai", "template_id"?, "fallback"?,
//  "email_subject"?, "email_content"?, "override"?: {"reason"}}
//   201 the draft
// {"customer_ids": […], …the same but texts of one's own…, "dry_run"?}
//   200 {"drafted","refused","results":[{"customer_id","draft_id"|"decision"|"error"}]}
Response post_drafts(const Call& call, ReminderServices services);

}  // namespace mailroom::api
