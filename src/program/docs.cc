#include "program/docs.h"

#include "program/docs_page.h"
#include "program/openapi.h"
#include "program/page.h"

#include <memory>
#include <string>

namespace mailroom::program {

namespace {

constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

}  // namespace

void add_docs(Api& api) {
    api.group("Description", "What this page says, for programs, too.");
    add_page_part(api, {"/v1/docs", "docs_page", "text/html; charset=utf-8", docs_html},
                  "The page that shows these routes", content_policy);
    add_page_part(api, {"/v1/docs.css", "docs_styles", "text/css; charset=utf-8", docs_css},
                  "Its styles", content_policy);
    add_page_part(api, {"/v1/docs.js", "docs_script", "text/javascript; charset=utf-8", docs_js},
                  "Its script", content_policy);
    auto& route = api.declare<Nothing, File>(
        "GET", "/v1/openapi.json",
        {.name = "openapi", .scope = "", .summary = "All routes, as OpenAPI 3.1 has them"},
        Source::query);
    route.answers = {{200, "application/json", R"({"type":"object"})"}};
    route.act =
        [text = std::make_shared<const std::string>(openapi_json(api, api_version))](const Asked&) {
            return Rendered{200, "application/json", *text, {{"Cache-Control", "no-cache"}}};
        };
}

}  // namespace mailroom::program
