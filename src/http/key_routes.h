// /v1/keys: API keys, while serving.
#pragma once

#include "http/keys.h"
#include "program/api.h"
#include "table/records/form.h"

#include <string>

namespace mailroom::http {

// How the name of a key is read.
struct KeyName : table::Form<std::string> {
    static void read(const json::View& view, std::string& to, table::Reading& reading) {
        table::Form<std::string>::read(view, to, reading);
        if (view.type() != json::View::Type::text) return;
        if (!is_key_name(to)) reading.wrong(std::string(key_name_wanted));
    }
};

// `keys` must outlive the routes. A new key is shown in the answer to its POST only, and so that
// answer is not kept for an Idempotency-Key.
void add_key_routes(program::Api& api, Keys& keys);

}  // namespace mailroom::http
