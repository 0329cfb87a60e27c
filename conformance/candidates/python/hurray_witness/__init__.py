"""A second implementation of the Hurray tensor file format, written from the specification alone.

Owns the version of the package. Must know nothing else: import the module you need.

The format in one paragraph. A file is a header of 64 bytes, tensors one after the other, an optional section of
key-value metadata, an index of names, and a trailer of 40 bytes that says where the index is. A tensor is a
descriptor, which says everything about its meaning, followed by the bytes of its buffers. `container` and `kv` read
the frame, `descriptor` and what it imports read one tensor, `composite` joins several, `meaning` finds and decodes
elements, `validate` looks for every fault, `reader` and `writer` tie the parts together without any input or output
of their own.
"""

__version__ = "0.1.0"
