#include "app/commands.h"
#include "app/input.h"
#include "app/partial_files.h"
#include "base/clock.h"
#include "liquid/json_value.h"
#include "liquid/template.h"

#include <CLI/CLI.hpp>

#include <ostream>

namespace mailroom::app {

namespace {

constexpr std::size_t template_bytes_max = 1024 * 1024;   // What compiling accepts.
constexpr std::size_t data_bytes_max = 16 * 1024 * 1024;  // As a request to the API.

Result<liquid::OwnedValue> read_data(const std::string& file, std::istream& in) {
    if (file.empty()) return liquid::OwnedValue::object();
    const auto text = TRY(read_input(file, in, data_bytes_max));
    auto data = liquid::value_from_json(text);
    if (!data) return Error{Errc::invalid, file + " is " + data.error().message};
    if (!data->view().is(liquid::Kind::object)) {
        return Error{Errc::invalid, file + " must be a JSON object: its keys are the variables"};
    }
    return data;
}

}  // namespace

RenderCommand::RenderCommand(CLI::App& parser, Invocation& invocation) : invocation_(invocation) {
    auto* command = parser.add_subcommand("render", "Print what a template renders to.");
    command->add_option("TEMPLATE", template_file_, "Liquid template; - for standard input")
        ->required();
    command->add_option("DATA", data_file_, "JSON object with the variables; - for standard input");
    command->add_option("--escape", escape_, "html: escape values that are not marked raw")
        ->check(CLI::IsMember({"html", "none"}))
        ->capture_default_str();
    command->add_flag("--strict", strict_, "Fail when a variable has no value, naming all of them");
    command->add_option("--partials", partials_directory_,
                        "Directory of NAME.liquid files for {% render %} and {% include %}");
    command->add_option("--time-zone", time_zone_, "In which dates are written")
        ->capture_default_str();
    command->callback([this] { invocation_.chosen = [this] { return run(); }; });
}

int RenderCommand::run() {
    if (template_file_ == "-" && data_file_ == "-") {
        return invocation_.fail("only one of TEMPLATE and DATA can be standard input", exit_usage);
    }
    const auto text = render();
    if (!text) return invocation_.fail(text.error().message, exit_failure);
    invocation_.surroundings.out << *text << std::flush;
    return exit_ok;
}

Result<std::string> RenderCommand::render() const {
    auto& in = invocation_.surroundings.in;
    const auto text = TRY(read_input(template_file_, in, template_bytes_max));
    const auto data = TRY(read_data(data_file_, in));
    std::optional<PartialFiles> partials;
    if (!partials_directory_.empty()) partials = TRY(PartialFiles::read(partials_directory_));

    const auto named = [this](const liquid::Failure& failure) {
        return Error{failure.code, template_file_ + ": " + Error(failure).message};
    };
    const auto compiled = liquid::Template::compile(text);
    if (!compiled) return named(compiled.error());
    const SystemClock clock;
    const liquid::TimeZones zones;
    liquid::RenderOptions options{.clock = clock, .time_zones = &zones, .time_zone = time_zone_};
    if (escape_ == "html") options.escape = liquid::Escape::html;
    if (strict_) options.missing = liquid::Missing::report_nil;
    if (partials) options.partials = &*partials;
    auto rendered = compiled->render(data.view(), options);
    if (!rendered) return named(rendered.error());
    return std::move(rendered->text);
}

}  // namespace mailroom::app
