// When a failed request is sent again: the standard mode of the AWS SDKs, with the short waits that
// they use for DynamoDB.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
#pragma once

#include "base/random.h"

#include <chrono>
#include <mutex>

namespace mailroom::table::remote {

struct RetryOptions {
    int attempts_max = 3;  // The first one included.
    std::chrono::milliseconds backoff_base = std::chrono::milliseconds(50);
    // No single wait is longer, however many attempts are allowed.
    std::chrono::milliseconds backoff_max = std::chrono::seconds(20);
};

// The wait before the attempt after `attempts` failed ones (at least 1): evenly anywhere from
// nothing to base × 2^(attempts-1), so that clients that failed together do not return together.
std::chrono::milliseconds backoff(const RetryOptions& options, int attempts, Random& random);

// What a retry costs out of the budget all requests of a client share. A server that is down gets
// few retries once it is spent; those that succeed fill it again. Thread-safe.
class RetryBudget {
public:
    static constexpr int capacity = 500;
    static constexpr int retry_cost = 5;
    static constexpr int timeout_cost = 10;  // It has already cost the server more.
    static constexpr int success_refund = 1;

    // False if there is not enough left.
    bool spend(int cost);
    void refund(int amount);

private:
    std::mutex mutex_;
    int left_ = capacity;
};

}  // namespace mailroom::table::remote
