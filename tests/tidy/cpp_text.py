"""Just enough C++ for the tidy rules: what is code, and where functions are."""

import re
from dataclasses import dataclass
from functools import lru_cache

_MARK = re.compile(r"""["'/R]""")  # Where a comment or a literal may begin.
_RAW_STRING = re.compile(r'R"([^()\\\s]{0,16})\(')
_CO_WORD = re.compile(r"\bco_(?:await|return|yield)\b")


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def _is_digit_separator(text, at):
    """Whether the quote at `at` is inside a number, as in 1'000."""
    start = at
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "'_."):
        start -= 1
    return start < at and text[start].isdigit()


def _end_of_literal(text, at):
    """One past the closing quote of the literal that opens at `at`."""
    quote, end = text[at], at + 1
    while end < len(text) and text[end] != quote and text[end] != "\n":
        end += 2 if text[end] == "\\" else 1
    return min(end + 1, len(text))


@lru_cache(maxsize=1)  # Several rules ask in turn about the same file.
def code_only(text):
    """The text with comments and the insides of literals as blanks: same length, same lines."""
    out, at = [], 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            out.append(_blank(text[at:end]))
        elif text.startswith("/*", at):
            end = text.find("*/", at)
            end = len(text) if end < 0 else end + 2
            out.append(_blank(text[at:end]))
        elif (raw := _RAW_STRING.match(text, at)) and not text[at - 1 : at].isalnum():
            end = text.find(")" + raw.group(1) + '"', at)
            end = len(text) if end < 0 else end + len(raw.group(1)) + 2
            out.append('""' + _blank(text[at + 2 : end]))
        elif text[at] == '"' or (text[at] == "'" and not _is_digit_separator(text, at)):
            end = _end_of_literal(text, at)
            out.append(text[at] + _blank(text[at + 1 : end - 1]) + text[at])
        else:
            found = _MARK.search(text, at + 1)
            end = found.start() if found else len(text)
            out.append(text[at:end])
        at = end
    return "".join(out)


def without_directives(code):
    """The code with preprocessor lines as blanks, continuation lines included."""
    return re.sub(r"(?m)^[ \t]*#(?:.*\\\n)*.*$", lambda found: _blank(found.group()), code)


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def closing_brace(code, opening):
    """Where the brace at `opening` closes; the end of the text if it does not."""
    depth = 0
    for found in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return found.start()
    return len(code)


@dataclass
class Function:
    name: str
    first_line: int  # Of the opening brace.
    last_line: int  # Of the closing one.


_NOT_FUNCTION = re.compile(
    r"^(?:template\s*<.*>\s*)?(?:class|struct|union|enum|namespace|extern)\b", re.S
)
_NAME = re.compile(r"([\w~:]+(?:\s*operator\s*\S+?)?)\s*\(")


def _opens_function(head):
    head = head.strip()
    if "(" not in head or head.endswith(("=", ",", "(", "return")):
        return False
    return not (_NOT_FUNCTION.match(head) and not head.endswith(")"))


def _opens_member_initializer(head):
    """Whether the head is a constructor up to `: member_` or `, member_`: its brace is no body."""
    in_initializers = re.search(r"\)\s*(?:noexcept\s*)?:[^:]", head)
    return in_initializers and re.search(r"[:,]\s*[\w:]+(?:<[^{}]*>)?\s*$", head)


def functions(text):
    """The outermost functions: nested blocks and lambdas belong to the function around them."""
    code = without_directives(code_only(text))
    found, at, head_from = [], 0, 0
    for_brace = re.compile(r"[{};]")
    while mark := for_brace.search(code, at):
        at = mark.end()
        if mark.group() != "{":
            head_from = at
            continue
        head = code[head_from : mark.start()]
        if _opens_member_initializer(head):
            at = closing_brace(code, mark.start()) + 1
            continue
        if not _opens_function(head):
            head_from = at
            continue
        end = closing_brace(code, mark.start())
        name = _NAME.search(head)
        found.append(
            Function(
                name.group(1) if name else "lambda",
                line_of(code, mark.start()),
                line_of(code, end),
            )
        )
        at = head_from = end + 1
    return found


# A capture list that holds something, parameters, and what may stand before the body.
_LAMBDA = re.compile(
    r"(?<![\w\])\[])\[(?!\[)(?P<captures>[^\[\]]*\S[^\[\]]*)\]\s*"
    r"(?:\((?:[^()]|\([^()]*\))*\))?\s*(?:mutable\b|noexcept\b|->[^{};]+)?\s*\{"
)
_ANY_LAMBDA = re.compile(_LAMBDA.pattern.replace(r"[^\[\]]*\S[^\[\]]*", r"[^\[\]]*"))


def _without_lambdas(body):
    while nested := _ANY_LAMBDA.search(body):
        end = closing_brace(body, nested.end() - 1) + 1
        body = body[: nested.start()] + "0" + body[end:]
    return body


def capturing_coroutine_lambdas(text):
    """The lines of lambdas that capture something and suspend."""
    code = code_only(text)
    lines = []
    for found in _LAMBDA.finditer(code):
        opening = found.end() - 1
        body = code[opening + 1 : closing_brace(code, opening)]
        if _CO_WORD.search(_without_lambdas(body)):
            lines.append(line_of(code, found.start()))
    return lines
