// What tests of the SMTP server share: one that listens, with a receiver that keeps what it takes.
#pragma once

#include "base/scratch_directory.h"
#include "smtp/server.h"
#include "smtp/server_client_for_tests.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::smtp {

// Keeps what it takes; with `hold`, only when told to.
class Shelf final : public Receiver {
public:
    void authenticate(const Peer&, const Credentials& credentials, Answer answer) override {
        ++login_count;
        if (credentials.password == "secret") return answer.accept();
        auto refusal = Decision::refuse(535, {5, 7, 8}, "No");
        refusal.delay = login_delay;
        answer(std::move(refusal));
    }
    void take(Message message, Answer answer) override {
        const std::lock_guard lock(mutex_);
        messages_.push_back(std::move(message));
        if (hold) {
            held_.push_back(std::move(answer));
        } else {
            answer.accept();
        }
    }
    void ended(const Peer&) override { ++ended_count; }

    std::size_t count() const {
        const std::lock_guard lock(mutex_);
        return messages_.size();
    }
    Message message(std::size_t index) const {
        const std::lock_guard lock(mutex_);
        return messages_[index];
    }
    std::deque<Answer> take_held() {
        const std::lock_guard lock(mutex_);
        return std::exchange(held_, {});
    }
    // Answers everything held, once there are so many.
    void release(std::size_t count) {
        std::deque<Answer> all;
        while (all.size() < count) {
            for (auto& answer : take_held()) all.push_back(std::move(answer));
            std::this_thread::yield();
        }
        for (auto& answer : all) answer.accept();
    }

    std::chrono::milliseconds login_delay{0};  // Of a refusal. Set before use.
    std::atomic<bool> hold = false;
    std::atomic<int> ended_count = 0, login_count = 0;

private:
    mutable std::mutex mutex_;
    std::vector<Message> messages_;
    std::deque<Answer> held_;
};

class ServerTest : public testing::Test {
protected:
    void start(ServerSettings settings = {}) {
        settings.limits.sweep_interval = std::chrono::milliseconds(10);
        settings.limits.linger_max = std::chrono::milliseconds(200);
        Server::Options options{.settings = std::move(settings)};
        if (options.settings.tls != TlsPolicy::off) {
            const auto certificate = directory_ / "certificate.pem";
            const auto key = directory_ / "key.pem";
            write_certificate(certificate, key);
            auto context = net::TlsServerContext::create(
                {.certificate_file = certificate.string(), .key_file = key.string()});
            ASSERT_TRUE(context) << context.error().message;
            options.tls = *context;
        }
        auto server = Server::listen(std::move(options), shelf_, clock_, random_);
        ASSERT_TRUE(server) << server.error().message;
        server_ = *std::move(server);
    }
    void wait_until(const std::function<bool()>& condition) {
        for (int i = 0; i < 2000; ++i) {
            if (condition()) return;
            timespec pause = {0, 5'000'000};
            ::nanosleep(&pause, nullptr);
        }
        FAIL() << "it did not happen";
    }
    std::string send_mail(RawClient& client,
                          std::string_view body = "Subject: x\r\n\r\nhello\r\n") {
        client.send("MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n");
        client.reply();
        client.reply();
        const auto go_on = client.reply();
        if (!go_on.starts_with("354")) return go_on;
        client.send(body);
        return client.ask(".");
    }

    const ScratchDirectory directory_;
    const SystemClock clock_;
    SystemRandom random_;
    Shelf shelf_;
    std::unique_ptr<Server> server_;
};

}  // namespace mailroom::smtp
