"""python3 make_parts.py DIRECTORY: writes the texts and the file that messages are built from.

Always the same: KIND.txt, KIND.html (if it has one) and KIND.bin (if it has one) for each kind.
"""
import pathlib
import random
import sys

WORDS = ("order price delivery street Monday please thank invoice number customer blue size box "
         "paper return answer tomorrow question Größe café").split()


def text(source, size):
    made = ""
    while len(made) < size:
        line = ""
        while len(line) < 66:
            line += source.choice(WORDS) + " "
        made += line.rstrip() + "\n" + ("\n" if source.random() < 0.15 else "")
    return made


def page(source, size):
    made = "<html><head><style>td { font-size: 14px; color: #333 }</style></head><body><table>\n"
    while len(made) < size:
        cell = text(source, 200).replace("\n", " ")
        made += f'<tr style="background-color: #fff"><td align="left">{cell}</td></tr>\n'
    return made + "</table></body></html>\n"


def main():
    directory = pathlib.Path(sys.argv[1])
    source = random.Random(42)
    (directory / "plain.txt").write_text(text(source, 2700))
    (directory / "alternative.txt").write_text(text(source, 4500))
    (directory / "alternative.html").write_text(page(source, 15500))
    (directory / "attachment.txt").write_text(text(source, 900))
    (directory / "attachment.bin").write_bytes(source.randbytes(100 * 1024))


main()
