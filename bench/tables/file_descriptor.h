// A file descriptor that is closed once, by its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace mailroom::bench {

class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int number) : number_(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~FileDescriptor() { close(); }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    void close() {
        if (is_open()) ::close(std::exchange(number_, -1));
    }

private:
    int number_ = -1;
};

}  // namespace mailroom::bench
