// /v1/people/import: people from files.
#pragma once

#include "people/import/importer.h"
#include "program/api.h"

namespace mailroom::people {

// `importer` must outlive the routes.
void add_import_routes(program::Api& api, const Importer& importer);

}  // namespace mailroom::people
