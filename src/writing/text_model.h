// A language model that writes texts, and how it is asked.
#pragma once

#include "base/refusal.h"

#include <atomic>
#include <string>
#include <string_view>

namespace mailroom::writing {

// What a language model is told: what to do, and apart from it what to do it with.
struct Prompt {
    std::string instructions, data;
};

// A language model. Thread-safe.
class TextModel {
public:
    virtual ~TextModel() = default;
    // Plain text, or why there is none: never a text that tells of a failure.
    virtual Result<std::string> write(const Prompt& prompt) = 0;
};

// `json` between two marks of that name, so written that nothing in it can end the data: no name
// or text of a customer's can be taken for an instruction.
std::string fenced(std::string_view name, std::string json);
// What the instructions say of it; `about` completes "JSON: …".
std::string about_fenced(std::string_view name, std::string_view about);

// The door to a model, for all who ask at one time. Thread-safe.
class ModelDesk {
public:
    // As many texts a model may be writing at one time. Whoever asks waits for theirs, on a thread
    // that others need, too: the rest is sent away.
    static constexpr int texts_max = 8;

    // `model` must outlive this object; null: there is none, and `setting` would name it.
    ModelDesk(TextModel* model, std::string_view setting) : model_(model), setting_(setting) {}

    // `provider` with the code ai_unavailable when the model does not help; `unavailable` with the
    // code ai_busy when it has too much to do.
    Answer<std::string> write(const Prompt& prompt);

private:
    TextModel* const model_;
    const std::string setting_;
    std::atomic<int> texts_{0};  // Being written now.
};

// The refusal when a model does not help.
Refusal model_does_not_help(const std::string& why);

}  // namespace mailroom::writing
