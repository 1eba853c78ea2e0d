"""Document paths: ["a", "x", 0] is a.x[0]."""

from values import invalid


def find(item, path):
    """The value at the path, or None."""
    value = ("M", item)
    for step in path:
        value = _child(value, step)
        if value is None:
            return None
    return value


def _child(value, step):
    kind, content = value
    if isinstance(step, str):
        return content.get(step) if kind == "M" else None
    return content[step] if kind == "L" and step < len(content) else None


def refuse_overlap(paths):
    """Refuses two paths of which one leads through the other, and two that want one place to be a
    map and a list."""
    for at, one in enumerate(paths):
        for other in paths[:at]:
            if _collide(one, other):
                raise invalid()


def _collide(one, other):
    for left, right in zip(one, other):
        if isinstance(left, str) != isinstance(right, str):
            return True
        if left != right:
            return False
    return True


def project(item, paths):
    """What a projection leaves of an item: list elements keep their order and close the gaps."""
    kept = _project(("M", item), [path for path in paths])
    return kept[1] if kept else {}


def _project(value, paths):
    if any(not path for path in paths):
        return value
    steps = {}
    for path in paths:
        steps.setdefault(path[0], []).append(path[1:])
    kept = {}
    for step, rest in steps.items():
        child = _child(value, step)
        below = _project(child, rest) if child else None
        if below:
            kept[step] = below
    if not kept:
        return None
    if value[0] == "M":
        return "M", kept
    return "L", [kept[step] for step in sorted(kept)]
