#include "table/remote/client.h"

#include "table/wire/answer_decoder.h"

#include <zlib.h>

#include <charconv>
#include <cstdint>
#include <utility>

namespace mailroom::table::remote {

namespace {

constexpr std::string_view method = "POST";
constexpr std::string_view content_type = "application/x-amz-json-1.0";
constexpr std::string_view target_prefix = "DynamoDB_20120810.";
constexpr int status_too_many_requests = 429;

bool is_retried_status(int status) { return status >= 500 && status <= 504 && status != 501; }

// A transaction that was cancelled did not happen, and what was in its way may be gone.
bool is_passing(const Failure& failure) {
    return failure.fault == Fault::throttling || failure.fault == Fault::transaction_in_progress ||
           (failure.fault == Fault::transaction_canceled && Error(failure).code == Errc::throttled);
}

// What the server says is the checksum of the body.
std::optional<std::uint32_t> said_checksum(const net::HttpAnswer& answer) {
    const auto text = net::find_header(answer.headers, "X-Amz-Crc32").value_or("");
    std::uint32_t checksum = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), checksum);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return checksum;
}

bool is_intact(const net::HttpAnswer& answer) {
    // Cut off in its header: whoever has nothing to say says so with a length.
    if (answer.body.empty() && !net::find_header(answer.headers, "Content-Length")) return false;
    const auto checksum = said_checksum(answer);
    if (!checksum) return true;
    const auto* bytes = reinterpret_cast<const Bytef*>(answer.body.data());
    return crc32_z(0, bytes, answer.body.size()) == *checksum;
}

// What another attempt costs, or 0 where it would not help.
int retry_cost_of(net::HttpProblem problem) {
    switch (problem) {
        case net::HttpProblem::timed_out:
            return RetryBudget::timeout_cost;
        case net::HttpProblem::unresolved:
        case net::HttpProblem::unreachable:
        case net::HttpProblem::lost:
            return RetryBudget::retry_cost;
        default:
            return 0;
    }
}

Failure refusal_of(const net::HttpAnswer& answer) {
    // Refusals are small and rare: a decoder for each is cheap enough.
    auto failure = wire::AnswerDecoder().failure(answer.status, answer.body);
    if (answer.status == status_too_many_requests) failure.fault = Fault::throttling;
    return failure;
}

}  // namespace

// What came of one attempt.
struct Client::Attempt {
    Outcome<std::string> outcome;
    int retry_cost = 0;  // 0: another attempt would not help.
};

Client::Client(Options options, const Clock& clock, Random& random, Sleeper& sleeper)
    : options_(std::move(options)),
      clock_(clock),
      random_(random),
      sleeper_(sleeper),
      signer_(options_.credentials, options_.region, "dynamodb"),
      http_({.connections_max = options_.connections_max,
             .authorities_file = options_.http.authorities_file}) {}

Outcome<std::string> Client::call(std::string_view operation, std::string_view body) {
    int last_cost = 0;
    for (int attempts = 1;; ++attempts) {
        auto [outcome, retry_cost] = attempt(operation, body);
        if (outcome) {
            budget_.refund(last_cost > 0 ? last_cost : RetryBudget::success_refund);
            return std::move(outcome);
        }
        if (retry_cost == 0 || attempts >= options_.retry.attempts_max) return std::move(outcome);
        if (!budget_.spend(retry_cost)) return std::move(outcome);
        last_cost = retry_cost;
        if (!sleeper_.sleep(backoff(options_.retry, attempts, random_))) return std::move(outcome);
    }
}

Client::Attempt Client::attempt(std::string_view operation, std::string_view body) {
    auto answer = http_.send({.method = method,
                              .url = options_.endpoint,
                              .headers = headers_for(operation, body),
                              .body = body,
                              .reach = net::Reach::trusted,
                              .limits = {.connect_timeout = options_.http.connect_timeout,
                                         .total_timeout = options_.http.total_timeout,
                                         .answer_bytes_max = options_.http.answer_bytes_max}});
    if (!answer) {
        const auto& failure = answer.error();
        if (failure.problem == net::HttpProblem::busy) {
            return {
                Failure{Fault::throttling, "All connections to the remote DynamoDB are in use"}};
        }
        return {Failure{Fault::internal, "The remote DynamoDB at " + options_.endpoint.text() +
                                             " did not answer: " + failure.message},
                retry_cost_of(failure.problem)};
    }
    if (!is_intact(*answer)) {
        return {Failure{Fault::internal, "The answer of the remote DynamoDB was damaged"},
                RetryBudget::retry_cost};
    }
    if (answer->status == 200) return {std::move(answer->body)};
    auto failure = refusal_of(*answer);
    const bool again = is_retried_status(answer->status) || is_passing(failure);
    return {std::move(failure), again ? RetryBudget::retry_cost : 0};
}

net::Headers Client::headers_for(std::string_view operation, std::string_view body) {
    net::Headers headers = {{"Host", options_.endpoint.authority()},
                            {"Content-Type", std::string(content_type)},
                            {"X-Amz-Target", std::string(target_prefix) + std::string(operation)}};
    return signer_.sign({method, options_.endpoint.path(), "", std::move(headers), body},
                        clock_.now());
}

}  // namespace mailroom::table::remote
