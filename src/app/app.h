// Every object of the server, built in one place, in the order in which they need each other.
#pragma once

#include "app/config.h"
#include "app/data_directory.h"
#include "base/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mailroom::dynamodb {
class AccessKeys;
}
namespace mailroom::http {
class Keys;
}

namespace mailroom::app {

class App {
public:
    // Opens the data, starts the listeners and serves. `wanted_admin_key` is registered if there is
    // no key yet. Fails with a sentence that says what could not be opened or listened on; nothing
    // is left running then.
    static Result<std::unique_ptr<App>> start(Config config,
                                              const std::optional<std::string>& wanted_admin_key);
    ~App();  // As stop().
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    // The admin key made by this first start, to be shown once; none otherwise.
    const std::optional<std::string>& new_admin_key() const;
    // "mailroom ready http=127.0.0.1:8025 …": the listeners that are on, with their real ports.
    std::string ready_line() const;
    // Reads certificates and DKIM keys anew; says in the log what cannot be read.
    void reload();
    // Takes nothing new, finishes what is in hand, and closes the data. Later calls do nothing.
    void stop();

private:
    class Impl;
    explicit App(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Opens the data just to use the keys: for the command line.
Result<> with_keys(const Config& config, DataDirectory::Absent absent,
                   const std::function<Result<>(http::Keys&, dynamodb::AccessKeys&)>& use);

}  // namespace mailroom::app
