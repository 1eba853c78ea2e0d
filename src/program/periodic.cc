#include "program/periodic.h"

#include <utility>

namespace mailroom::program {

Periodic::Periodic(std::chrono::milliseconds pause, std::function<void()> work)
    : pause_(pause), work_(std::move(work)), thread_([this] { run(); }) {}

Periodic::~Periodic() { stop(); }

void Periodic::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stop_asked_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Periodic::run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        lock.unlock();
        work_();
        lock.lock();
        stop_asked_.wait_for(lock, pause_, [this] { return stopping_; });
    }
}

}  // namespace mailroom::program
