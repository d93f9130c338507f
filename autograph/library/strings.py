"""What methods of strings do, by length, slices and comparison."""

from __future__ import annotations

from typing import Any


def find(text: Any, wanted: Any, start: Any, stop: Any) -> Any:
    """The first place between two others where a string is, -1 if there is none."""
    size = len(wanted)
    for place in range(start, stop - size + 1):
        if text[place : place + size] == wanted:
            return place
    return -1


def find_last(text: Any, wanted: Any, start: Any, stop: Any) -> Any:
    """The last place between two others where a string is, -1 if there is none."""
    size = len(wanted)
    for place in range(stop - size, start - 1, -1):
        if text[place : place + size] == wanted:
            return place
    return -1


def check_found(place: Any) -> Any:
    """The place that was found; ValueError for none."""
    if place < 0:
        raise ValueError("substring not found")
    return place


def count(text: Any, wanted: Any, start: Any, stop: Any) -> Any:
    """How often a string is between two places of another, without overlaps."""
    size, number, place = len(wanted), 0, start
    if size == 0:
        return max(stop - start + 1, 0)
    while place + size <= stop:
        if text[place : place + size] == wanted:
            number += 1
            place += size
        else:
            place += 1
    return number


def split(text: Any, separator: Any, most: Any) -> Any:
    """`text.split(separator, most)`; all of them for a negative number."""
    size, place, start, left = len(separator), 0, 0, most
    if size == 0:
        raise ValueError("empty separator")
    found = []
    while place + size <= len(text) and left != 0:
        if text[place : place + size] == separator:
            found.append(text[start:place])
            place += size
            start = place
            left -= 1
        else:
            place += 1
    found.append(text[start:])
    return found


def split_at_spaces(text: Any, most: Any) -> Any:
    """`text.split(None, most)`."""
    found = []
    place, left = 0, most
    while place < len(text):
        while place < len(text) and text[place].isspace():
            place += 1
        start = place
        if place < len(text):
            if left == 0:
                found.append(text[start:].rstrip())
                place = len(text)
            else:
                while place < len(text) and not text[place].isspace():
                    place += 1
                found.append(text[start:place])
                left -= 1
    return found


def replaced(text: Any, old: Any, new: Any, most: Any) -> Any:
    """`text.replace(old, new, most)`."""
    if len(old) == 0:
        pieces = []
        left = most
        for character in text:
            if left != 0:
                pieces.append(new)
                left -= 1
            pieces.append(character)
        if left != 0:
            pieces.append(new)
        return "".join(pieces)
    return new.join(split(text, old, most))


def partition(text: Any, separator: Any) -> Any:
    """`text.partition(separator)`."""
    if len(separator) == 0:
        raise ValueError("empty separator")
    place = find(text, separator, 0, len(text))
    if place < 0:
        return text[:], "", ""
    return text[:place], separator, text[place + len(separator) :]


def partition_last(text: Any, separator: Any) -> Any:
    """`text.rpartition(separator)`."""
    if len(separator) == 0:
        raise ValueError("empty separator")
    place = find_last(text, separator, 0, len(text))
    if place < 0:
        return "", "", text[:]
    return text[:place], separator, text[place + len(separator) :]


def without_prefix(text: Any, prefix: Any) -> Any:
    """`text.removeprefix(prefix)`."""
    if text[: len(prefix)] == prefix:
        return text[len(prefix) :]
    return text[:]


def without_suffix(text: Any, suffix: Any) -> Any:
    """`text.removesuffix(suffix)`."""
    size = len(suffix)
    if size > 0 and text[-size:] == suffix:
        return text[:-size]
    return text[:]


def translated(text: Any, table: Any) -> Any:
    """`text.translate(table)`."""
    pieces = []
    for character in text:
        pieces.append(mapped(character, table))
    return "".join(pieces)


def mapped(character: Any, table: Any) -> Any:
    """What a table for `translate` puts in the place of a character."""
    try:
        found = table[ord(character)]
    except LookupError:
        return character
    if found is None:
        return ""
    if isinstance(found, str):
        return found
    if not isinstance(found, int):
        raise TypeError("character mapping must return integer, None or str")
    if found < 0 or found > 0x10FFFF:
        raise ValueError("character mapping must be in range(0x110000)")
    return chr(found)


def translation_table(first: Any, *others: Any) -> Any:
    """`str.maketrans(first, *others)`."""
    if others:
        return characters_to_characters(first, *others)
    if not isinstance(first, dict):
        raise TypeError("if you give only one argument to maketrans it must be a dict")
    table = {}
    for key, value in first.items():
        if isinstance(key, str):
            if len(key) != 1:
                raise ValueError("string keys in translate table must be of length 1")
            table[ord(key)] = value
        elif isinstance(key, int):
            table[key] = value
        else:
            raise TypeError("keys in translate table must be strings or integers")
    return table


def characters_to_characters(old: Any, new: Any, removed: Any = "") -> Any:
    """The table for `translate` that puts the characters of one string for those of another."""
    if len(old) != len(new):
        raise ValueError("the first two maketrans arguments must have equal length")
    table: dict[Any, Any] = {}
    for before, after in zip(old, new):
        table[ord(before)] = ord(after)
    for character in removed:
        table[ord(character)] = None
    return table


def joined_with(separator: Any, strings: Any) -> Any:
    """`separator.join(strings)` of a separator with staged parts."""
    text = ""
    later = False
    for one in strings:
        if later:
            text = text + separator
        later = True
        text = text + one
    return text


def digit_value(code: Any) -> Any:
    """What a digit or letter of ASCII stands for; 99 for what is none."""
    if 48 <= code <= 57:
        return code - 48
    if 97 <= code <= 122:
        return code - 87
    if 65 <= code <= 90:
        return code - 55
    return 99


def is_number(codes: Any, start: Any, base: Any) -> Any:
    """Whether these are digits of a base, with single underscores between them."""
    digit_before = False
    for place in range(start, len(codes)):
        code = codes[place]
        if code == 95:
            if not digit_before:
                return False
            digit_before = False
        else:
            if digit_value(code) >= base:
                return False
            digit_before = True
    return digit_before


def refuse_literal(codes: Any, text: Any, base: Any) -> None:
    """What `int(text, base)` raises for what is no number."""
    for code in codes:
        if code > 127:
            raise NotImplementedError(
                "int() of a staged string meets a character beyond ASCII, which may be a digit"
            )
    raise ValueError(f"invalid literal for int() with base {base}: {text!r}")


def refuse_several(found: Any, name: Any) -> None:
    """No character may have another form that is several characters."""
    if found:
        raise NotImplementedError(
            f"str.{name} of a staged string meets a character whose other form is no character"
        )


def digit_of(code: Any, text: Any) -> Any:
    """`int(text)` of one character."""
    if code < 48 or code > 57:
        refuse_literal([code], text, 10)
    return code - 48


def parsed(codes: Any, text: Any, base: Any) -> Any:
    """`int(text, base)` of the code points of a string without spaces around it."""
    given = base
    start, negative = 0, False
    if len(codes) > 0 and (codes[0] == 43 or codes[0] == 45):
        negative = codes[0] == 45
        start = 1
    if len(codes) > start + 1 and codes[start] == 48:
        kind = codes[start + 1] | 32
        marked = 16 if kind == 120 else 8 if kind == 111 else 2 if kind == 98 else 0
        if marked > 0 and (given == marked or given == 0):
            base = marked
            start += 2
            if len(codes) > start and codes[start] == 95:
                start += 1
    if base == 0:
        base = 10
        if len(codes) > start and codes[start] == 48:
            for place in range(start, len(codes)):
                if codes[place] != 48 and codes[place] != 95:
                    refuse_literal(codes, text, given)
    if not is_number(codes, start, base):
        refuse_literal(codes, text, given)
    total = 0
    for place in range(start, len(codes)):
        if codes[place] != 95:
            digit = digit_value(codes[place])
            total = total * base - digit if negative else total * base + digit
    return total


def check_base(base: Any) -> None:
    """What `int(text, base)` raises for a base that it does not know."""
    if base != 0 and (base < 2 or base > 36):
        raise ValueError("int() base must be >= 2 and <= 36, or 0")


def check_single(length: Any) -> None:
    """What `ord(text)` raises for a string of another length."""
    if length != 1:
        raise TypeError(f"ord() expected a character, but string of length {length} found")
