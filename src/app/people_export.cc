#include "app/people_export.h"

#include "api/call.h"
#include "http/download.h"
#include "people/lifecycle/export.h"
#include "people/people_routes.h"
#include "program/input.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mailroom::app {

namespace {

class Source final : public http::DownloadSource {
public:
    explicit Source(std::unique_ptr<people::PeopleFile> file) : file_(std::move(file)) {}
    Result<std::string> next(std::size_t) override { return file_->next(); }

private:
    const std::unique_ptr<people::PeopleFile> file_;
};

http::Response answer(const http::RoutedRequest& request, http::Authenticator& authenticator,
                      const people::Books& books, http::Workers& workers) {
    const auto key = authenticator.allow(request.request, people::scope::read);
    if (!key) return key.error();
    json::Parser parser;
    table::Reading reading;
    const program::Actor who{key->id, key->name, key->scopes};
    const program::Asked asked{request.parameters, request.target.parameters, {}, who};
    const auto wished = program::read_input<people::WishedExport>(
        asked, asked.query, program::Source::query, parser, reading);
    if (!wished) return api::response_of(program::render(wished.error()));
    auto file = people::export_people(books, wished->format);
    if (!file) return api::response_of(program::render(file.error()));
    const bool is_csv = wished->format == people::ExportFormat::csv;
    auto response =
        http::download(is_csv ? "text/csv; charset=utf-8" : "application/x-ndjson", std::nullopt,
                       std::make_unique<Source>(*std::move(file)), workers);
    response.headers = {{"Cache-Control", "no-store"},
                        {"Content-Disposition", is_csv ? "attachment; filename=\"people.csv\""
                                                       : "attachment; filename=\"people.jsonl\""}};
    return response;
}

}  // namespace

void serve_people_export(http::Router& router, http::Authenticator& authenticator,
                         const people::Books& books, http::Workers& workers) {
    router.add("GET", "/v1/people/export", [&](const http::RoutedRequest& request) {
        return answer(request, authenticator, books, workers);
    });
}

}  // namespace mailroom::app
