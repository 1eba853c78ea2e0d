"""python3 make_entities.py > entities_table.cc

Writes the named character references of the HTML standard (13.5), which Python has as a table.
"""
from html.entities import html5

ITEMS = sorted(html5.items(), key=lambda item: item[0].encode())


def literal(text):
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def main():
    print("// Made by make_entities.py. Do not edit.")
    print('#include "mime/html/entities.h"\n\nnamespace mailroom::mime::html {\n')
    print("// clang-format off")
    print("const NamedReference named_references[] = {")
    line = "   "
    for name, text in ITEMS:
        piece = f' {{"{name}", "{literal(text)}"}},'
        if len(line) + len(piece) > 100:
            print(line)
            line = "   "
        line += piece
    print(line)
    print("};\n// clang-format on")
    print(f"const std::size_t named_reference_count = {len(ITEMS)};")
    print("\n}  // namespace mailroom::mime::html")


main()
