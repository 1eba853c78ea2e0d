#include "app/backup_routes.h"

#include "app/data_backup.h"
#include "base/log.h"
#include "table/records/record.h"

#include <algorithm>
#include <utility>

namespace mailroom::app {

namespace {

using program::Actor;
using program::Created;
using table::required;
using table::shown;

constexpr std::size_t name_bytes_max = 100;

// A name becomes the name of a directory: nothing that could lead anywhere else.
bool is_backup_name(std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    };
    return !name.empty() && name.size() <= name_bytes_max && name.front() != '.' &&
           std::ranges::all_of(name, fits);
}

struct BackupName : table::Form<std::string> {
    static void read(const json::View& view, std::string& to, table::Reading& reading) {
        table::Form<std::string>::read(view, to, reading);
        if (view.type() != json::View::Type::text || is_backup_name(to)) return;
        reading.wrong("must be 1 to 100 letters, digits, _, - or ., and not begin with a dot");
    }
};

struct NewBackup {
    std::string name;

    static constexpr auto fields = std::tuple{table::spelled<BackupName>(
        required("name", &NewBackup::name, "Of the directory: letters, digits, _, - and dots."))};
};
struct Backup {
    std::string name, directory;

    static constexpr std::string_view record_name = "Backup";
    static constexpr auto fields =
        std::tuple{shown("name", &Backup::name),
                   shown("directory", &Backup::directory, "On the server's machine.")};
};

Answer<Created<Backup>> create(const NewBackup& in, const BackUp& back_up) {
    auto directory = back_up(in.name);
    if (directory) return Created<Backup>{{in.name, *std::move(directory)}};
    // Who asks this has to know which file it is.
    const bool is_damage = directory.error().code == Errc::corrupt;
    if (is_damage) return Refusal(Refusal::Kind::internal, "damaged", directory.error().message);
    return Refusal(directory.error());
}

}  // namespace

BackUp backing_up(const kv::Store& rows, std::filesystem::path data) {
    return [&rows, data = std::move(data)](const std::string& name) -> Result<std::string> {
        const auto target = data / "backups" / name;
        TRY(back_up_data(rows, target));
        log::info("backed up", {{"directory", target.string()}});
        return std::filesystem::absolute(target).string();
    };
}

void add_backup_routes(program::Api& api, BackUp back_up) {
    api.group("Server", "For operators and their programs.");
    api.post("/v1/backups",
             {.name = "back_up",
              .scope = program::scope::admin,
              .summary = "Copy all data while the server works",
              .more = "The copy is made inside the data directory. `mailroom backup` asks for one "
                      "and moves it away; `mailroom restore` brings it back.",
              .once = program::Once::yes,
              .refuses = {Refusal::Kind::conflict}},
             [back_up = std::move(back_up)](const NewBackup& in, const Actor&) {
                 return create(in, back_up);
             });
}

}  // namespace mailroom::app
