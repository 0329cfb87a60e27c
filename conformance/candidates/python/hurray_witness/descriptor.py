"""The tensor descriptor: everything there is to know about one tensor before its bytes are looked at.

Owns the fixed header, the order of the parts, and encoding. The parts themselves are `layout_fields`, `handles`,
`quantization` and `sections`; whether they fit together is `demands`. Must not know the file around it, except for
the offset it is at.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from . import demands, handles, layout_fields, quantization, sections
from .cursor import Cursor, Packer
from .elements import BY_TAG, ElementType, is_private, private_type, unknown_type
from .faults import Judge
from .handles import Handle
from .layouts import CompositeHead, Layout, Unknown
from .quantization import Scheme
from .sections import ExtensionType, Member, Shard, Statistics

MAGIC = b"HRRY"
HEADER_SIZE = 20
MAX_RANK = 64
QUANTIZATION, SHARD, EXTENSION, STATISTICS, MEMBER = (1 << bit for bit in range(5))
_KNOWN_FLAGS = QUANTIZATION | SHARD | EXTENSION | STATISTICS | MEMBER


@dataclass(frozen=True)
class Agreement:
    """What a reader has agreed on with the writer: private layouts by their id, private schemes by their tag."""

    layouts: frozenset[int] = frozenset()
    schemes: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Descriptor:
    element: ElementType
    layout: Layout
    shape: tuple[int, ...]
    handles: tuple[Handle, ...]
    byte_offset: int = 0
    version: tuple[int, int] = (1, 0)
    quantization: Scheme | None = None
    shard: Shard | None = None
    statistics: Statistics | None = None
    extension: ExtensionType | None = None
    member: Member | None = None
    places: demands.Places = field(default=demands.Places(), compare=False, repr=False)

    @property
    def is_head(self) -> bool:
        return isinstance(self.layout, CompositeHead)

    @property
    def rank(self) -> int:
        return len(self.shape)

    def encode(self) -> bytes:
        flags = 0
        tail = Packer()
        if self.quantization is not None:
            flags |= QUANTIZATION
            scheme = quantization.encode(self.quantization)
            tail.u32(len(scheme)).raw(scheme)
        if self.shard is not None:
            flags |= SHARD
            self.shard.encode(tail)
        if self.statistics is not None:
            flags |= STATISTICS
            self.statistics.encode(tail)
        if self.extension is not None:
            flags |= EXTENSION
            self.extension.encode(tail)
        if self.member is not None:
            flags |= MEMBER
            self.member.encode(tail)
        body = Packer().u64s(self.shape).u64(self.byte_offset)
        self.layout.encode(body)
        body.u8(len(self.handles))
        for handle in self.handles:
            handle.encode(body)
        body.raw(tail.done())
        head = Packer().raw(MAGIC).u8(self.version[0]).u8(self.version[1])
        head.u32(HEADER_SIZE + len(body.data)).u32(flags)
        head.u8(self.element.tag).u8(self.layout.tag).u32(len(self.shape))
        return head.raw(body.done()).done()


def declared_length(data: bytes, base: int, judge: Judge) -> int:
    """Magic, version and length, from the first ten bytes."""
    cursor = Cursor(data, base, judge, "descriptor.header.length-overread")
    if cursor.take(4) != MAGIC:
        judge.stop("descriptor.header.magic-reject", base, "no tensor descriptor here")
    major = cursor.u8()
    if major > 1:
        judge.stop("descriptor.header.version-major-reject", base + 4, f"descriptor version {major}")
    if major == 0:
        judge.stop("version.descriptor.major-lower-reject", base + 4, "descriptor version 0")
    cursor.u8()
    length = cursor.u32()
    if length < HEADER_SIZE:
        judge.stop("descriptor.header.length-min-reject", base + 6, f"descriptor_length {length}")
    return length


def parse(data: bytes, base: int, judge: Judge, agreement: Agreement) -> Descriptor:
    """One whole descriptor: `data` is exactly its `descriptor_length` bytes, at file offset `base`."""
    declared_length(data, base, judge)
    cursor = Cursor(data, base, judge, "descriptor.header.length-overread")
    version, flags, type_tag, layout_tag, rank = _fixed_header(cursor)
    shape_at = cursor.offset
    shape = cursor.u64s(rank)
    offset_at = cursor.offset
    byte_offset = cursor.u64()
    layout = layout_fields.parse(layout_tag, cursor, shape, agreement.layouts)
    if isinstance(layout, Unknown):
        # Where its fields end nobody knows, nor where the buffer table begins.
        demands.check_count_fits(shape, shape_at, judge)
        places = demands.Places(base, shape_at, offset_at)
        return Descriptor(_element(type_tag, None), layout, shape, (), byte_offset, version, places=places)
    table_at = cursor.offset
    table = tuple(handles.parse(cursor) for _ in range(cursor.u8()))
    handles.check_colocation(table, table_at + 1, judge)
    places = demands.Places(base, shape_at, offset_at, table_at, cursor.offset)
    found = _sections(cursor, flags, type_tag, shape, agreement)
    descriptor = Descriptor(
        element=_element(type_tag, found.extension),
        layout=layout,
        shape=shape,
        handles=table,
        byte_offset=byte_offset,
        version=version,
        quantization=found.quantization,
        shard=found.shard,
        statistics=found.statistics,
        extension=found.extension,
        member=found.member,
        places=places,
    )
    if cursor.left and version[1] == 0:
        judge.note("descriptor.header.length-total", base + 6, f"{cursor.left} bytes behind the last section")
    demands.check(descriptor, judge)
    return descriptor


def _element(tag: int, extension: ExtensionType | None) -> ElementType:
    if is_private(tag):
        return private_type(tag, extension.bit_width if extension else 8)
    return BY_TAG.get(tag) or unknown_type(tag)


def _fixed_header(cursor: Cursor) -> tuple[tuple[int, int], int, int, int, int]:
    base, judge = cursor.base, cursor.judge
    cursor.take(4)
    version = cursor.u8(), cursor.u8()
    cursor.u32()
    flags, type_tag, layout_tag, rank = cursor.u32(), cursor.u8(), cursor.u8(), cursor.u32()
    if flags & ~_KNOWN_FLAGS:
        judge.stop("descriptor.flags.reserved-reject", base + 10, f"flags {flags:#010x}")
    if type_tag in (0x00, 0xFF):
        judge.stop("type.tag.zero-ff-reject", base + 14, f"type tag {type_tag:#04x}")
    if type_tag not in BY_TAG and not is_private(type_tag):
        judge.unknown("type.tag.unknown-reject", base + 14, f"unknown type tag {type_tag:#04x}")
    if bool(flags & EXTENSION) != is_private(type_tag):
        judge.stop("descriptor.flags.extension-iff", base + 10, "extension section and private type go together")
    if rank > MAX_RANK:
        judge.stop("model.rank.reader-cap", base + 16, f"rank {rank}")
    layout_fields.check_tag(layout_tag, rank, base + 15, judge)
    return version, flags, type_tag, layout_tag, rank


@dataclass
class _Sections:
    quantization: Scheme | None = None
    shard: Shard | None = None
    statistics: Statistics | None = None
    extension: ExtensionType | None = None
    member: Member | None = None


def _sections(cursor: Cursor, flags: int, type_tag: int, shape: tuple[int, ...], agreement: Agreement) -> _Sections:
    """In the order of the descriptor, which is not the order of the flag bits."""
    found = _Sections()
    if flags & QUANTIZATION:
        length = cursor.u32()
        start = cursor.offset
        found.quantization = quantization.parse(cursor.take(length), start, cursor.judge, agreement.schemes)
    if flags & SHARD:
        found.shard = sections.parse_shard(cursor, shape)
    if flags & STATISTICS:
        found.statistics = sections.parse_statistics(cursor)
    if flags & EXTENSION:
        found.extension = sections.parse_extension(cursor)
    if flags & MEMBER:
        found.member = sections.parse_member(cursor)
    return found
