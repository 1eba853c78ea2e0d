// Runs the real program, and talks to it as others would. For tests.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mailroom::app {

class TestProcess {
public:
    using Variables = std::map<std::string, std::string>;

    // Starts `mailroom` with these arguments and with no environment but these variables, and
    // what the sanitizers are told by theirs.
    explicit TestProcess(const std::vector<std::string>& arguments,
                         const Variables& environment = {});
    ~TestProcess();  // Kills it if it still runs.
    TestProcess(const TestProcess&) = delete;
    TestProcess& operator=(const TestProcess&) = delete;

    // The next line of its standard output, without the line end; empty at the end.
    std::string read_line();
    void send(int signal) const;
    // Waits for its end. 128 plus the signal if it was killed.
    int exit_code();
    // All it has written, once it has ended.
    std::string rest_of_out();
    std::string rest_of_err();
    pid_t id() const { return id_; }

private:
    pid_t id_ = -1;
    int out_ = -1, err_ = -1;
    int status_ = -1;
    bool ended_ = false;
};

// "127.0.0.1:8025" of "mailroom ready http=127.0.0.1:8025 …"; empty if there is no such listener.
std::string listener_in(const std::string& ready_line, const std::string& name);

// Sends the bytes to HOST:PORT and returns all that comes back until the peer closes.
std::string ask(const std::string& address, const std::string& bytes);

}  // namespace mailroom::app
