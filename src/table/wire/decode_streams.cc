// ListStreams, DescribeStream, GetShardIterator, GetRecords.
#include "table/wire/decoding.h"

namespace mailroom::table::wire {

namespace {

constexpr LengthRule arn_length = {37, 1024};
constexpr LengthRule shard_length = {28, 65};
constexpr LengthRule sequence_length = {21, 40};
constexpr LengthRule iterator_length = {1, 2048};

constexpr Choice<StreamStart> starts[] = {{"AFTER_SEQUENCE_NUMBER", StreamStart::after_sequence},
                                          {"LATEST", StreamStart::latest},
                                          {"AT_SEQUENCE_NUMBER", StreamStart::at_sequence},
                                          {"TRIM_HORIZON", StreamStart::trim_horizon}};

std::string required_text(Reader& reader, const Place& place, LengthRule rule) {
    reader.require(place);
    return std::string(reader.sized_text(place, rule).value_or(""));
}

// An ARN that names no stream is malformed, unlike one of a stream that is not there.
std::optional<Failure> check_form(const std::string& arn) {
    if (arn.starts_with("arn:") && table_of_stream(arn)) return std::nullopt;
    return invalid("Invalid StreamArn: " + arn);
}

// `max` when nothing is given.
std::size_t read_limit(Reader& reader, const Place& place, std::size_t max) {
    const auto limit = reader.integer_from(1, place);
    if (!limit || *limit < 1) return max;
    if (static_cast<std::uint64_t>(*limit) > max) {
        reader.problems.constraint(
            place, std::to_string(*limit),
            "Member must have value less than or equal to " + std::to_string(max));
    }
    return static_cast<std::size_t>(*limit);
}

}  // namespace

Outcome<ListStreams> Decoder::list_streams(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ListStreamsInput");
    ListStreams request;
    const auto table = in["TableName"];
    if (table) request.table = reader.table_name(table, Presence::optional, table_name_length_min);
    request.limit = read_limit(reader, in["Limit"], Streams::list_max);
    request.after = reader.sized_text(in["ExclusiveStartStreamArn"], arn_length).value_or("");
    REFUSE(reader.problems.failure());
    if (!request.after.empty()) REFUSE(check_form(request.after));
    return request;
}

Outcome<DescribeStream> Decoder::describe_stream(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "DescribeStreamInput");
    DescribeStream request;
    request.arn = required_text(reader, in["StreamArn"], arn_length);
    read_limit(reader, in["Limit"], Streams::list_max);
    request.after_shard = reader.sized_text(in["ExclusiveStartShardId"], shard_length);
    REFUSE(reader.problems.failure());
    REFUSE(check_form(request.arn));
    return request;
}

Outcome<GetShardIterator> Decoder::get_shard_iterator(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "GetShardIteratorInput");
    GetShardIterator request;
    request.arn = required_text(reader, in["StreamArn"], arn_length);
    request.shard = required_text(reader, in["ShardId"], shard_length);
    reader.require(in["ShardIteratorType"]);
    const auto start = reader.choice<StreamStart>(in["ShardIteratorType"], starts);
    const auto sequence = reader.sized_text(in["SequenceNumber"], sequence_length);
    REFUSE(reader.problems.failure());
    REFUSE(check_form(request.arn));
    request.start = *start;
    const bool needs_sequence =
        *start == StreamStart::at_sequence || *start == StreamStart::after_sequence;
    if (needs_sequence != sequence.has_value()) {
        return invalid(std::string("SequenceNumber must ") + (sequence ? "not " : "") +
                       "be specified for ShardIteratorType " +
                       std::string(*reader.text(in["ShardIteratorType"])));
    }
    request.sequence = sequence.value_or("");
    return request;
}

Outcome<GetRecords> Decoder::get_records(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "GetRecordsInput");
    GetRecords request;
    request.iterator = required_text(reader, in["ShardIterator"], iterator_length);
    request.limit = read_limit(reader, in["Limit"], Streams::records_max);
    REFUSE(reader.problems.failure());
    return request;
}

}  // namespace mailroom::table::wire
