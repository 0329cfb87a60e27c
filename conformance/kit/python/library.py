"""What the adapter asks of your library: replace every body by a call to it. Only eight bytes are looked at here.

Owns the names and the exceptions that adapter.py knows. The suite finds this stub incomplete, and says where.
"""

NAME = "my-library"
VERSION = "0"
TYPES = ["float32"]  # every element type, layout and quantization scheme that it reads, by the specification's names
LAYOUTS = ["row_major"]
QUANTIZATION = []


class Rejected(Exception):
    """The library's verdict that the bytes are at fault: let no other exception become this one."""


class NotFound(Exception):
    """The file is fine and has no tensor of that name."""


def open_file(source):
    """Opens `source.path`, or `source.size` bytes behind `source.read_at(offset, length)`, which returns fewer only where
    the file has become shorter."""
    if source.read_at(0, 8) != b"HRRYFILE":
        raise Rejected("no magic")
    return File()


class File:
    def names(self):
        """The names of the tensors, as bytes."""
        raise NotImplementedError("library.py: ask your library for the names")

    def entries(self):
        """The key-value entries: (key as bytes, (kind, value)); see kv_value in support.py."""
        raise NotImplementedError("library.py: ask your library for the key-value entries")

    def tensor(self, name):
        """The tensor of that name, with `type`, `layout`, `shape`, and `buffers()` that reads its bytes."""
        raise NotImplementedError("library.py: ask your library for a tensor")
