// How certificates are fetched, and subscriptions confirmed.
#pragma once

#include "engagement/notifications/certificates.h"
#include "net/http_client.h"

namespace mailroom::engagement::notifications {

// Guarded, without redirects, small and soon. `http` must outlive the result.
Fetch fetch_through(net::HttpClient& http);

}  // namespace mailroom::engagement::notifications
