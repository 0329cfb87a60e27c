"""Composites: which tensors belong to a head, and whether they make up what the head promises.

Owns membership by file order, the checks on members and the cover of a partition. Must not know bytes: descriptors
come from a callback that may want ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from math import prod

from .container import Entry
from .descriptor import Descriptor
from .elements import FLOAT
from .faults import Judge, Unsupported
from .jobs import Want
from .layouts import GROUP, OVERLAY, PARTITION, CompositeHead, Unknown
from .sections import BASE, CORRECTION

MAX_DEPTH = 8
RULE_NAMES = {PARTITION: "partition", OVERLAY: "overlay", GROUP: "group"}


@dataclass
class Node:
    """A tensor in the tree of a composite; only heads have members."""

    entry: Entry
    descriptor: Descriptor
    members: list[Node] = field(default_factory=list)


Describe = Callable[[Entry], Generator[Want, memoryview, Descriptor]]


def recover(
    following: Sequence[Entry], entry: Entry, head: Descriptor, describe: Describe, judge: Judge
) -> Generator[Want, memoryview, tuple[Node, int]]:
    """The tree under a head and the number of tensors it took, out of those behind it by ascending offset."""
    root = Node(entry, head)
    taken = yield from _take_members(root, following, 0, 1, describe, judge)
    return root, taken


def _take_members(
    node: Node, following: Sequence[Entry], taken: int, depth: int, describe: Describe, judge: Judge
) -> Generator[Want, memoryview, int]:
    """Members are taken in pre-order: a member that is a head takes its own before the next one is looked at."""
    layout = node.descriptor.layout
    assert isinstance(layout, CompositeHead)
    at = node.entry.descriptor_offset
    if depth > MAX_DEPTH:
        judge.stop("composite.nest.depth", at, f"composites nested {depth} deep")
    if layout.composition_rule not in RULE_NAMES:
        raise Unsupported("what a private composition rule makes of its members")
    for _ in range(layout.member_count):
        if taken >= len(following):
            message = f"{len(node.members)} of {layout.member_count} members"
            judge.unknown("container.composite.torn-reject", at, message)
            raise Unsupported(f"a composite with {message}: they can be read one by one")
        entry = following[taken]
        before = following[taken - 1] if taken else node.entry
        if entry.descriptor_offset <= before.descriptor_offset:
            judge.stop("container.composite.recover-by-offset", entry.place, "members without an order")
        member = Node(entry, (yield from describe(entry)))
        node.members.append(member)
        check_member(node.descriptor, member.descriptor, len(node.members) == 1, judge)
        taken += 1
        if member.descriptor.is_head:
            taken = yield from _take_members(member, following, taken, depth + 1, describe, judge)
    check_closed(node.descriptor, [member.descriptor for member in node.members], judge)
    return taken


# ---- members --------------------------------------------------------------------------------------------------------


def check_member(head: Descriptor, member: Descriptor, first: bool, judge: Judge) -> None:
    """The checks that need one member only."""
    layout = head.layout
    assert isinstance(layout, CompositeHead)
    at = member.places.base
    if layout.composition_rule == GROUP:
        if member.member is not None:
            judge.reject("composite.group.no-member-section", at + 10, "a group member with a role")
        return
    if isinstance(member.layout, Unknown):
        raise Unsupported("a member whose sections cannot be found behind its unknown layout")
    shard = member.shard
    if shard is None:
        rule = "composite.head.nested-shard" if member.is_head else "composite.member.shard-required"
        judge.reject(rule, at + 10, "the member does not say where it belongs")
        return
    if shard.parent_shape != head.shape:
        judge.reject("composite.member.parent-shape", at, "the member belongs to a tensor of another shape")
    elif any(o + s > h for o, s, h in zip(shard.shard_offset, member.shape, head.shape)):
        judge.reject("composite.member.box-in-bounds", at, "the member leaves the shape of the head")
    if not _same_decoded_type(head, member):
        judge.reject("composite.member.decoded-type", at + 14, f"{member.element.name} under {head.element.name}")
    if layout.composition_rule == PARTITION:
        if member.member is not None:
            judge.reject("composite.partition.no-member-section", at + 10, "a partition member with a role")
    else:
        _check_overlay_member(head, member, first, judge)


def _same_decoded_type(head: Descriptor, member: Descriptor) -> bool:
    """Dequantization yields real numbers, so a quantized member fits under any head of ordinary floats."""
    if member.quantization is None:
        return member.element.tag == head.element.tag
    return head.element.kind == FLOAT and 16 <= head.element.bits <= 64


def _check_overlay_member(head: Descriptor, member: Descriptor, first: bool, judge: Judge) -> None:
    at = member.places.base
    assert member.shard is not None
    if member.member is None:
        judge.reject("composite.overlay.member-section", at + 10, "an overlay member without a role")
    elif first and member.member.member_role != BASE:
        judge.reject("composite.overlay.base-first", at, "the first member is not the base")
    elif not first and member.member.member_role != CORRECTION:
        judge.reject("composite.overlay.corrections", at, "a second base")
    if first and (any(member.shard.shard_offset) or member.shape != head.shape):
        judge.reject("composite.overlay.base-spans", at, "the base does not span the head")


# ---- all members together -------------------------------------------------------------------------------------------

Box = tuple[tuple[int, ...], tuple[int, ...]]


def check_closed(head: Descriptor, members: Sequence[Descriptor], judge: Judge) -> None:
    """The check at the last member: a partition covers every index exactly once."""
    layout = head.layout
    assert isinstance(layout, CompositeHead)
    at = head.places.base
    if layout.composition_rule == OVERLAY and not members:
        judge.reject("composite.overlay.empty-reject", at, "an overlay without its base")
    if layout.composition_rule != PARTITION:
        return
    boxes: list[Box] = []
    for member in members:
        if member.shard is not None and 0 not in member.shape and len(member.shape) == head.rank:
            low = member.shard.shard_offset
            boxes.append((low, tuple(o + s for o, s in zip(low, member.shape))))
    if _overlap(boxes):
        judge.relaxed("composite.partition.no-overlap", at, "two members share an index")
    elif sum(prod(h - o for o, h in zip(*box)) for box in boxes) != prod(head.shape):
        judge.relaxed("composite.partition.exact-cover", at, "the members do not cover the head")


def _overlap(boxes: Sequence[Box]) -> bool:
    """Sweeps along the dimension that separates the boxes best and compares only boxes that meet there."""
    if len(boxes) < 2 or not boxes[0][0]:
        return len(boxes) > 1
    along = max(range(len(boxes[0][0])), key=lambda k: len({low[k] for low, _ in boxes}))
    active: list[Box] = []
    for low, high in sorted(boxes, key=lambda box: box[0][along]):
        active = [box for box in active if box[1][along] > low[along]]
        for other_low, other_high in active:
            if all(a < d and c < b for a, b, c, d in zip(low, high, other_low, other_high)):
                return True
        active.append((low, high))
    return False
