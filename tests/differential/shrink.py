"""Makes a program that fails as short as it gets while it fails in the same way."""

ATTEMPTS_MAX = 3000


def shrink(program, fails, attempts=ATTEMPTS_MAX):
    """A part of the program for which `fails` holds and of which no simpler part was found.

    First whole steps go, many at a time; then everything inside of steps that can be left out or
    replaced by a part of itself. `fails` is never asked about the program itself."""
    search = _Search(fails, attempts)
    while True:
        before = search.asked_well
        program = _without_steps(program, search)
        program = _simpler_steps(program, search)
        if search.asked_well == before or search.left <= 0:
            return program


class _Search:
    def __init__(self, fails, attempts):
        self.fails = fails
        self.left = attempts
        self.asked_well = 0  # How many candidates were taken.

    def takes(self, candidate):
        if self.left <= 0:
            return False
        self.left -= 1
        taken = self.fails(candidate)
        self.asked_well += taken
        return taken


def _without_steps(program, search):
    length = len(program) // 2
    while length >= 1:
        at = 0
        while at < len(program):
            candidate = program[:at] + program[at + length:]
            if candidate and search.takes(candidate):
                program = candidate
            else:
                at += length
        length //= 2
    return program


def _simpler_steps(program, search):
    for at in range(len(program)):
        taken = True
        while taken:
            taken = False
            for simpler in _simpler(program[at]):
                candidate = program[:at] + [simpler] + program[at + 1:]
                if search.takes(candidate):
                    program, taken = candidate, True
                    break
    return program


def _simpler(node):
    """Every tree that is one simplification away, the boldest first."""
    parts = list(_parts(node))
    for place, _ in parts:
        yield _replaced(node, place)
    for _, part in parts:
        if isinstance(part, type(node)) and isinstance(part, (dict, list)):
            yield part
    for place, part in parts:
        for simpler in _simpler(part):
            yield _replaced(node, place, simpler)


def _parts(node):
    """(place, part) of what a dict or list holds."""
    if isinstance(node, dict):
        return node.items()
    return enumerate(node) if isinstance(node, list) else ()


def _replaced(node, place, *part):
    """The node with another part at the place, or none."""
    if isinstance(node, dict):
        kept = {name: value for name, value in node.items() if name != place or part}
        if part:
            kept[place] = part[0]
        return kept
    return node[:place] + list(part) + node[place + 1:]
