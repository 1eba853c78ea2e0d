// /u/{token} and /unsubscribe?token=: a GET asks, with one button; a POST unsubscribes, be it that
// button's or the one click of a mail program (RFC 8058). For anybody who has the link.
#pragma once

#include "engagement/pages/leaving.h"
#include "engagement/pages/reception.h"
#include "engagement/tracking/links.h"
#include "program/api.h"

namespace mailroom::engagement {

// All must outlive the routes.
void add_unsubscribe_routes(program::Api& api, const Reception& reception, Leaving& leaving,
                            const Links& links);

}  // namespace mailroom::engagement
