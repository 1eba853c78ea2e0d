// Runs a compiled template and writes its output.
#pragma once

#include "liquid/evaluator.h"
#include "liquid/lists.h"
#include "liquid/program.h"
#include "liquid/template.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::liquid {

class Renderer {
public:
    Renderer(const Value& data, const RenderOptions& options);

    Result<Rendered, Failure> run(const Program& program);

private:
    // What to do after a node: go on, or leave the enclosing loop's body, or everything.
    enum class Flow { next, stop_loop, next_turn, failed };

    Flow nodes(const Program& program, Index begin, Index end);
    Flow node(const Program& program, Index at);
    Flow children(const Program& program, Index at);
    void output(const Program& program, Index chain);
    void write(const Value& value, bool raw);
    Flow capture(const Program& program, Index at);
    Flow choose(const Program& program, Index at);
    Flow match(const Program& program, Index at);
    bool applies(const Program& program, const Node& when, const Value& value);
    void count(const Program& program, const Node& node, int change);
    void cycle(const Program& program, const Cycle& cycle);

    Flow loop(const Program& program, Index at);
    Flow table_row(const Program& program, Index at);
    struct Turns;
    Flow turn(const Program& program, const Loop& loop, const Turns& turns, std::size_t index,
              Index block);

    Flow partial(const Program& program, Index at);
    // `at` is the node whose children make the name, if there are any.
    std::optional<std::string> partial_name(const Program& program, const PartialUse& use,
                                            Index at);
    std::optional<Template> find_partial(const std::string& name);

    // What a template puts into a block of its layout, or a finished text.
    struct Filling {
        const Program* program = nullptr;
        Index node = no_index;
        std::string partial;  // Where it stands, for messages.
        std::string_view text;
        bool operator==(const Filling& other) const {
            return program == other.program && node == other.node;
        }
    };
    struct Blocks {
        bool collects = false;  // Blocks are kept for the layout instead of written.
        // By name; the first of each is of the template that chose the layout.
        std::map<std::string, std::vector<Filling>, std::less<>> fillings;
        std::vector<Filling> open;
        // A break or continue outside of loops in what fills a layout. As in LiquidJS, the layout
        // then ends after its first node, unless a loop in it comes first.
        Flow unfinished = Flow::next;
    };
    Flow layout(const Program& program, Index at);
    Flow collect_blocks(const Program& program, Index rest);
    Flow slot(const Program& program, Index at);
    Flow fill(std::span<const Filling> fillings);
    Flow fill_with_super(const Filling& filling, std::span<const Filling> others);
    Flow render_partial(const Program& program, const PartialUse& use, std::string_view name,
                        const Template& part);
    Flow include_partial(const Program& program, const PartialUse& use, std::string_view name,
                         const Template& part);
    Flow partial_turns(const Program& part, const Value& items, const Name& alias);
    std::vector<Binding> partial_arguments(const Program& program, const PartialUse& use);

    Failure placed(Failure failure);
    void note_place(const Program& program, const Node& node);
    bool may_write();

    Evaluator evaluator_;
    const RenderOptions& options_;
    std::string out_;
    std::optional<Failure> place_;         // Line, column and text of the node that failed first.
    std::vector<Template> partials_used_;  // Kept alive: values may refer to their texts.
    std::vector<std::string> partial_names_;
    Blocks blocks_;
};

}  // namespace mailroom::liquid
