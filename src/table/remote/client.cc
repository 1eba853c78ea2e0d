#include "table/remote/client.h"

#include "table/wire/answer_decoder.h"

#include <zlib.h>

#include <utility>

namespace mailroom::table::remote {

namespace {

constexpr std::string_view content_type = "application/x-amz-json-1.0";
constexpr std::string_view target_prefix = "DynamoDB_20120810.";
constexpr int status_too_many_requests = 429;

bool is_retried_status(int status) { return status >= 500 && status <= 504 && status != 501; }

bool is_retried_fault(Fault fault) {
    return fault == Fault::throttling || fault == Fault::transaction_in_progress;
}

bool is_intact(const HttpAnswer& answer) {
    if (!answer.crc32) return true;
    const auto* bytes = reinterpret_cast<const Bytef*>(answer.body.data());
    return crc32_z(0, bytes, answer.body.size()) == *answer.crc32;
}

Failure refusal_of(const HttpAnswer& answer) {
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
      connections_(options_.endpoint, options_.http, options_.connections_max) {}

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
    const auto connection = connections_.take(options_.http.total_timeout);
    if (!connection) {
        return {Failure{Fault::throttling, "All connections to the remote DynamoDB are in use"}};
    }
    auto answer = (*connection)->post(headers_for(operation, body), body);
    if (!answer) {
        const auto& [reason, message] = answer.error();
        const Failure failure{Fault::internal, "The remote DynamoDB at " + options_.endpoint.url() +
                                                   " did not answer: " + message};
        if (reason == NoAnswer::refused) return {failure};
        return {failure, reason == NoAnswer::timed_out ? RetryBudget::timeout_cost
                                                       : RetryBudget::retry_cost};
    }
    if (!is_intact(*answer)) {
        return {Failure{Fault::internal, "The answer of the remote DynamoDB was damaged"},
                RetryBudget::retry_cost};
    }
    if (answer->status == 200) return {std::move(answer->body)};
    auto failure = refusal_of(*answer);
    const bool again = is_retried_status(answer->status) || is_retried_fault(failure.fault);
    return {std::move(failure), again ? RetryBudget::retry_cost : 0};
}

Headers Client::headers_for(std::string_view operation, std::string_view body) {
    Headers headers = {{"Host", options_.endpoint.authority},
                       {"Content-Type", std::string(content_type)},
                       {"X-Amz-Target", std::string(target_prefix) + std::string(operation)}};
    return signer_.sign(std::move(headers), body, clock_.now());
}

}  // namespace mailroom::table::remote
