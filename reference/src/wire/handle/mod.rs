//! One 16-byte buffer handle (buffer-protocol.md § Buffer Handle; metadata.md § Buffer Table).

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field};
use crate::judge::Judge;
use crate::model::{BufferHandle, DeviceTag, MIN_BUFFER_ALIGNMENT, MemoryClass, SyncMode};
use crate::reject::Reject;

/// Bytes of a handle.
pub(crate) const HANDLE_LEN: u64 = 16;

/// Memory classes STANDARD, HOST_PINNED, UNIFIED and PEER a device allows (§ Per-Device Validity), by device tag.
const VALID_CLASSES: [[bool; 4]; 9] = [
    [true, true, true, false],
    [true, true, true, true],
    [true, true, true, true],
    [true, true, true, false],
    [true, true, true, true],
    [true, false, false, false],
    [true, true, true, false],
    [true, true, true, true],
    [true, true, true, false],
];

fn is_private(tag: u8) -> bool {
    (0xF0..=0xFE).contains(&tag)
}

/// Reads and judges one handle by itself.
///
/// # Errors
/// Any broken rule of the area `buffer` that one handle shows.
pub(crate) fn read_handle(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<BufferHandle, Reject> {
    let byte_size = cursor.u64()?.value;
    let alignment = cursor.u32()?;
    let is_power = alignment.value.is_power_of_two();
    judge.require(is_power, Rule::BufferHandleAlignmentPowerOfTwo, alignment.span)?;
    let is_enough = byte_size == 0 || alignment.value >= MIN_BUFFER_ALIGNMENT || !is_power;
    judge.require(is_enough, Rule::BufferHandleAlignmentMin, alignment.span)?;
    let device = cursor.u8()?;
    judge.require(device.value != 0xFF, Rule::BufferDeviceFfReject, device.span)?;
    judge.require(!(0x09..=0xEF).contains(&device.value), Rule::BufferDeviceReservedReject, device.span)?;
    let sync = cursor.u8()?;
    require_sync(device.value, sync, judge)?;
    let class = cursor.u8()?;
    require_class(device.value, class, judge)?;
    let reserved = cursor.u8()?;
    judge.require(reserved.value == 0, Rule::BufferHandleReserved15Reject, reserved.span)?;
    Ok(BufferHandle {
        byte_size,
        alignment: alignment.value,
        device_tag: DeviceTag(device.value),
        sync_mode: SyncMode(sync.value),
        memory_class: MemoryClass(class.value),
    })
}

fn require_sync(device: u8, sync: Field<u8>, judge: &mut Judge) -> Result<(), Reject> {
    let Field { value, span } = sync;
    judge.require(value != 0xFF, Rule::BufferSyncFfReject, span)?;
    judge.require(!(0x03..=0xFE).contains(&value), Rule::BufferSyncReservedReject, span)?;
    let waits = matches!(value, 1 | 2);
    judge.require(!waits || device != DeviceTag::CPU.0, Rule::BufferSyncCpuSynced, span)?;
    judge.require(!waits || device == DeviceTag::CPU.0, Rule::BufferSyncFileSynced, span)
}

fn require_class(device: u8, class: Field<u8>, judge: &mut Judge) -> Result<(), Reject> {
    let Field { value, span } = class;
    judge.require(value != 0xFF, Rule::BufferMemoryClassFfReject, span)?;
    judge.require(!(0x04..=0xEF).contains(&value), Rule::BufferMemoryClassReservedReject, span)?;
    let is_pair = match (VALID_CLASSES.get(usize::from(device)), value) {
        (Some(classes), 0x00..=0x03) => classes[usize::from(value)],
        (Some(_), _) => !is_private(value),
        // A private device allows STANDARD and its own classes; other devices are at fault themselves.
        (None, _) => !is_private(device) || value == 0 || value > 0x03,
    };
    judge.require(is_pair, Rule::BufferMemoryClassPairReject, span)?;
    let is_unknown = is_private(device) && is_private(value);
    judge.require(!is_unknown, Rule::BufferMemoryClassPrivateUnknownReject, span)
}

/// Appends the handle.
pub(crate) fn put_handle(out: &mut Vec<u8>, handle: &BufferHandle) {
    out.extend_from_slice(&handle.byte_size.to_le_bytes());
    out.extend_from_slice(&handle.alignment.to_le_bytes());
    out.extend_from_slice(&[handle.device_tag.0, handle.sync_mode.0, handle.memory_class.0, 0]);
}

#[cfg(test)]
mod tests;
