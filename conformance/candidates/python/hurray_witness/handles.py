"""Buffer handles: what a descriptor declares about each of its buffers.

Owns the 16 bytes of a handle, the device and memory classes and which of them go together. Must not know layouts.

A handle is a promise about memory, not a pointer. In a file the bytes are in the file whatever device is declared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .cursor import Cursor, Packer, is_power_of_two
from .faults import Judge

SIZE = 16
LEAST_ALIGNMENT = 64
CPU = 0x00
STANDARD, HOST_PINNED, UNIFIED, PEER = range(4)

# The memory classes each public device may declare.
_CLASSES = {
    CPU: (STANDARD, HOST_PINNED, UNIFIED),
    0x01: (STANDARD, HOST_PINNED, UNIFIED, PEER),  # CUDA
    0x02: (STANDARD, HOST_PINNED, UNIFIED, PEER),  # ROCm
    0x03: (STANDARD, HOST_PINNED, UNIFIED),  # Metal
    0x04: (STANDARD, HOST_PINNED, UNIFIED, PEER),  # Vulkan
    0x05: (STANDARD,),  # WebGPU
    0x06: (STANDARD, HOST_PINNED, UNIFIED),  # Hexagon
    0x07: (STANDARD, HOST_PINNED, UNIFIED, PEER),  # Level Zero
    0x08: (STANDARD, HOST_PINNED, UNIFIED),  # OpenCL
}


@dataclass(frozen=True)
class Handle:
    byte_size: int
    alignment: int = LEAST_ALIGNMENT
    device_tag: int = CPU
    sync_mode: int = 0
    memory_class: int = STANDARD

    def encode(self, packer: Packer) -> None:
        packer.u64(self.byte_size).u32(self.alignment)
        packer.u8(self.device_tag).u8(self.sync_mode).u8(self.memory_class).u8(0)


def parse(cursor: Cursor) -> Handle:
    start = cursor.offset
    handle = Handle(cursor.u64(), cursor.u32(), cursor.u8(), cursor.u8(), cursor.u8())
    cursor.zeros(1, "buffer.handle.reserved-15-reject")
    check(handle, start, cursor.judge)
    return handle


def check(handle: Handle, start: int, judge: Judge) -> None:
    """The rules for one handle that begins at `start`."""
    at = start + 8
    if not is_power_of_two(handle.alignment):
        judge.reject("buffer.handle.alignment-power-of-two", at, f"alignment {handle.alignment}")
    elif handle.byte_size and handle.alignment < LEAST_ALIGNMENT:
        judge.reject("buffer.handle.alignment-min", at, f"alignment {handle.alignment} of a buffer that is not empty")
    _check_device(handle, start + 12, judge)
    _check_sync(handle, start + 13, judge)
    _check_class(handle, start + 14, judge)


def _check_device(handle: Handle, at: int, judge: Judge) -> None:
    if handle.device_tag == 0xFF:
        judge.reject("buffer.device.ff-reject", at, "device tag 0xFF")
    elif handle.device_tag >= 0xF0:
        judge.reject("version.private-unknown", at, f"private device tag {handle.device_tag:#04x}")
    elif handle.device_tag not in _CLASSES:
        judge.reject("buffer.device.reserved-reject", at, f"reserved device tag {handle.device_tag:#04x}")


def _check_sync(handle: Handle, at: int, judge: Judge) -> None:
    if handle.sync_mode == 0xFF:
        judge.reject("buffer.sync.ff-reject", at, "sync mode 0xFF")
    elif handle.sync_mode > 2:
        judge.reject("buffer.sync.reserved-reject", at, f"reserved sync mode {handle.sync_mode:#04x}")
    elif handle.sync_mode and handle.device_tag == CPU:
        judge.reject("buffer.sync.cpu-synced", at, "CPU memory is always synchronised by its producer")
    elif handle.sync_mode:
        judge.note("buffer.sync.file-synced", at, "a file cannot carry the event or stream this mode needs")


def _check_class(handle: Handle, at: int, judge: Judge) -> None:
    memory, device = handle.memory_class, handle.device_tag
    if memory == 0xFF:
        judge.reject("buffer.memory-class.ff-reject", at, "memory class 0xFF")
    elif 0x04 <= memory <= 0xEF:
        judge.reject("buffer.memory-class.reserved-reject", at, f"reserved memory class {memory:#04x}")
    elif memory >= 0xF0 and device >= 0xF0:
        judge.reject("buffer.memory-class.private-unknown-reject", at, f"private memory class {memory:#04x}")
    elif memory >= 0xF0 or (0xF0 <= device <= 0xFE and memory != STANDARD):
        judge.reject("buffer.memory-class.private-pairing", at, "public and private do not go together")
        judge.reject("buffer.memory-class.pair-reject", at, f"device {device:#04x} has no memory class {memory:#04x}")
    elif device in _CLASSES and memory not in _CLASSES[device]:
        judge.reject("buffer.memory-class.pair-reject", at, f"device {device:#04x} has no memory class {memory}")


def check_colocation(handles: Sequence[Handle], start: int, judge: Judge) -> None:
    """All buffers of a descriptor, empty ones too, are in one place."""
    for number, handle in enumerate(handles):
        at = start + number * SIZE
        if handle.device_tag != handles[0].device_tag:
            judge.reject("buffer.device.colocation-reject", at + 12, f"buffer {number} is on another device")
        elif handle.memory_class != handles[0].memory_class:
            judge.reject("buffer.device.colocation-reject", at + 14, f"buffer {number} is in another memory class")
