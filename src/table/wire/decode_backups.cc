// Backups, restoring, and continuous backups.
#include "table/wire/decode_schemas.h"
#include "table/wire/decoding.h"

#include <algorithm>
#include <cmath>

namespace mailroom::table::wire {

namespace {

constexpr LengthRule arn_length = {37, 1024};
// What lies outside cannot be the time of a backup.
constexpr double seconds_max = 1e11;

enum class BackupType { user, system, aws_backup, all };
constexpr Choice<BackupType> backup_types[] = {{"USER", BackupType::user},
                                               {"SYSTEM", BackupType::system},
                                               {"AWS_BACKUP", BackupType::aws_backup},
                                               {"ALL", BackupType::all}};

std::string read_arn(Reader& reader, const Place& place) {
    reader.require(place);
    return std::string(reader.sized_text(place, arn_length).value_or(""));
}

std::optional<Time> read_time(Reader& reader, const Place& place) {
    const auto seconds = reader.decimal(place);
    if (!seconds) return std::nullopt;
    const auto bounded = std::isfinite(*seconds) ? std::clamp(*seconds, 0.0, seconds_max) : 0.0;
    return from_unix_ms(std::llround(bounded * 1000.0));
}

std::optional<std::vector<std::string>> read_index_names(Reader& reader, const Place& place) {
    if (!place) return std::nullopt;
    std::vector<std::string> names;
    reader.elements(place, [&](const Place& element) {
        const Structure in(reader.problems, element, "SecondaryIndex", Holder::collection);
        names.push_back(reader.name(in["IndexName"], Presence::required));
    });
    return names;
}

constexpr Choice<BillingMode> billing_modes[] = {{"PROVISIONED", BillingMode::provisioned},
                                                 {"PAY_PER_REQUEST", BillingMode::pay_per_request}};

RestoreOverrides read_overrides(Reader& reader, const Structure& in) {
    RestoreOverrides overrides;
    overrides.billing = reader.choice<BillingMode>(in["BillingModeOverride"], billing_modes);
    const auto throughput = in["ProvisionedThroughputOverride"];
    if (throughput) overrides.throughput = read_throughput(reader, throughput);
    overrides.global_indexes = read_index_names(reader, in["GlobalSecondaryIndexOverride"]);
    overrides.local_indexes = read_index_names(reader, in["LocalSecondaryIndexOverride"]);
    return overrides;
}

}  // namespace

Outcome<CreateBackup> Decoder::create_backup(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "CreateBackupInput");
    CreateBackup request;
    request.table = reader.table_name(in["TableName"], Presence::required, table_name_length_min);
    request.name = reader.name(in["BackupName"], Presence::required);
    REFUSE(reader.problems.failure());
    return request;
}

Outcome<std::string> Decoder::backup_arn(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "BackupInput");
    auto arn = read_arn(reader, in["BackupArn"]);
    REFUSE(reader.problems.failure());
    return arn;
}

Outcome<ListBackups> Decoder::list_backups(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ListBackupsInput");
    ListBackups request;
    const auto table = in["TableName"];
    if (table) request.table = reader.table_name(table, Presence::optional, table_name_length_min);
    const auto limit_place = in["Limit"];
    const auto limit = reader.integer_from(1, limit_place);
    if (limit && *limit > static_cast<std::int64_t>(ListBackups::limit_max)) {
        reader.problems.constraint(limit_place, std::to_string(*limit),
                                   "Member must have value less than or equal to 100");
    }
    request.from = read_time(reader, in["TimeRangeLowerBound"]);
    request.to = read_time(reader, in["TimeRangeUpperBound"]);
    request.after = reader.sized_text(in["ExclusiveStartBackupArn"], arn_length).value_or("");
    const auto type = reader.choice<BackupType>(in["BackupType"], backup_types);
    REFUSE(reader.problems.failure());
    if (limit) request.limit = static_cast<std::size_t>(*limit);
    request.made_by_users = type != BackupType::system && type != BackupType::aws_backup;
    return request;
}

Outcome<RestoreBackup> Decoder::restore_table_from_backup(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "RestoreTableFromBackupInput");
    RestoreBackup request;
    request.target = reader.name(in["TargetTableName"], Presence::required);
    request.arn = read_arn(reader, in["BackupArn"]);
    request.overrides = read_overrides(reader, in);
    REFUSE(reader.problems.failure());
    return request;
}

Outcome<RestoreToTime> Decoder::restore_table_to_point_in_time(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "RestoreTableToPointInTimeInput");
    RestoreToTime request;
    const auto name = in["SourceTableName"], arn = in["SourceTableArn"];
    request.source = reader.table_name(name ? name : arn, Presence::optional);
    request.target = reader.name(in["TargetTableName"], Presence::required);
    const bool latest = reader.flag(in["UseLatestRestorableTime"]).value_or(false);
    request.at = read_time(reader, in["RestoreDateTime"]);
    request.overrides = read_overrides(reader, in);
    REFUSE(reader.problems.failure());
    if (!name && !arn) {
        return invalid("Either SourceTableName or SourceTableArn must be specified.");
    }
    if (latest == request.at.has_value()) {
        return invalid("Either UseLatestRestorableTime or RestoreDateTime must be specified.");
    }
    return request;
}

Outcome<UpdateContinuousBackups> Decoder::update_continuous_backups(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "UpdateContinuousBackupsInput");
    UpdateContinuousBackups request;
    request.table = reader.table_name(in["TableName"], Presence::required, table_name_length_min);
    const auto place = in["PointInTimeRecoverySpecification"];
    reader.require(place);
    const Structure specification(reader.problems, place, "PointInTimeRecoverySpecification");
    const auto enabled = specification["PointInTimeRecoveryEnabled"];
    if (place) reader.require(enabled);
    request.setting.enabled = reader.flag(enabled).value_or(false);
    const auto days_place = specification["RecoveryPeriodInDays"];
    const auto days = reader.integer_from(1, days_place);
    if (days && *days > ContinuousSetting::days_max) {
        reader.problems.constraint(days_place, std::to_string(*days),
                                   "Member must have value less than or equal to 35");
    }
    REFUSE(reader.problems.failure());
    if (days) request.setting.days = static_cast<int>(*days);
    return request;
}

}  // namespace mailroom::table::wire
