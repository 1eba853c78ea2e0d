// Everybody as a file, which is made while the client takes it.
#pragma once

#include "http/authenticator.h"
#include "http/router.h"
#include "http/workers.h"
#include "people/books.h"

namespace mailroom::app {

// GET /v1/people/export, as people/lifecycle/lifecycle_routes.h declares it. All must outlive the
// router's use.
void serve_people_export(http::Router& router, http::Authenticator& authenticator,
                         const people::Books& books, http::Workers& workers);

}  // namespace mailroom::app
