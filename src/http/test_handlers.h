// Handlers for tests of the server.
#pragma once

#include "http/http.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::http {

// Answers at once with `METHOD target body`. /empty answers 204.
class EchoHandler : public Handler {
public:
    void handle(Request request, Reply reply) override {
        Response response;
        response.content_type = "text/plain";
        response.body = request.method + " " + request.target + " " + request.body;
        if (request.target == "/empty") response.status = 204;
        reply(std::move(response));
    }
};

// Calls a function.
class CallHandler : public Handler {
public:
    explicit CallHandler(std::function<void(Request, Reply)> call) : call_(std::move(call)) {}
    void handle(Request request, Reply reply) override {
        call_(std::move(request), std::move(reply));
    }

private:
    std::function<void(Request, Reply)> call_;
};

// Keeps requests until the test answers them.
class ParkingHandler : public Handler {
public:
    void handle(Request request, Reply reply) override {
        const std::lock_guard lock(mutex_);
        parked_.emplace_back(std::move(request), std::move(reply));
        changed_.notify_all();
    }

    // The requests so far, as soon as there are `count`; fewer if they do not come.
    std::vector<std::pair<Request, Reply>> take(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::seconds(10), [&] { return parked_.size() >= count; });
        return std::exchange(parked_, {});
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::pair<Request, Reply>> parked_;
};

inline Response text_response(std::string body) {
    Response response;
    response.content_type = "text/plain";
    response.body = std::move(body);
    return response;
}

}  // namespace mailroom::http
