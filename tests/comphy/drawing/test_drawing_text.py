"""Letters that exist, and lines that fit."""

from comphy.drawing.text import font, text_width, wrapped


def test_fonts_have_the_signs_that_are_used():
    missing = font(20).getmask("\U0010ffff").getbbox(), bytes(font(20).getmask("\U0010ffff"))
    for sign in "−·×–…":
        for bold in (False, True):
            mask = font(20, bold).getmask(sign)
            assert (mask.getbbox(), bytes(mask)) != missing


def test_long_lines_are_wrapped_and_then_cut():
    words = "the green metal sphere and the purple metal cylinder would collide"
    lines = wrapped(words, 12, 200, lines=9)
    assert " ".join(lines) == words and len(lines) > 2 and all(text_width(line, 12) <= 200 for line in lines)
    assert wrapped(words, 12, 200, lines=2) == [lines[0], f"{lines[1]} …"]
    assert wrapped("", 12, 200, lines=2) == [""]
