//! Buffer handles by table: every value of every tag, against the tables of the specification.

use hurray_spec::tables;

use super::*;
use crate::judge::Policy;

/// 48 bytes, alignment 64, CPU, synced, STANDARD.
const BASE: [u8; 16] = [48, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0];

fn read(at: usize, bytes: &[u8]) -> Result<BufferHandle, Reject> {
    let mut handle = BASE;
    handle[at..at + bytes.len()].copy_from_slice(bytes);
    let mut cursor = Cursor::new(&handle, 0, Rule::DescriptorHeaderLengthOverread);
    read_handle(&mut cursor, &mut Judge::new(Policy::strict()))
}

fn rule(at: usize, bytes: &[u8]) -> Option<Rule> {
    read(at, bytes).err().map(|reject| reject.rule)
}

#[test]
fn the_names_of_tags_are_those_of_the_specification() {
    let devices = [
        (DeviceTag::CPU, "CPU"),
        (DeviceTag::CUDA, "CUDA"),
        (DeviceTag::ROCM, "ROCm"),
        (DeviceTag::METAL, "Metal"),
        (DeviceTag::VULKAN, "Vulkan"),
        (DeviceTag::WEB_GPU, "WebGPU"),
        (DeviceTag::HEXAGON, "Hexagon"),
        (DeviceTag::LEVEL_ZERO, "Level Zero"),
        (DeviceTag::OPEN_CL, "OpenCL"),
    ];
    assert!(devices.iter().all(|(tag, name)| tables::DEVICE_TAG.name(tag.0) == Some(name)));
    let modes = [
        (SyncMode::PRODUCER_SYNCED, "SYNC_PRODUCER_SYNCED"),
        (SyncMode::EVENT, "SYNC_EVENT"),
        (SyncMode::CONSUMER_STREAM, "SYNC_CONSUMER_STREAM"),
    ];
    assert!(modes.iter().all(|(tag, name)| tables::SYNC_MODE.name(tag.0) == Some(name)));
    let classes = [
        (MemoryClass::STANDARD, "STANDARD"),
        (MemoryClass::HOST_PINNED, "HOST_PINNED"),
        (MemoryClass::UNIFIED, "UNIFIED"),
        (MemoryClass::PEER, "PEER"),
    ];
    assert!(classes.iter().all(|(tag, name)| tables::MEMORY_CLASS.name(tag.0) == Some(name)));
}

#[test]
fn the_fields_stand_where_the_table_says() {
    let handle = read(0, &[]).unwrap();
    let expected = BufferHandle::new(48, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    assert_eq!(handle, expected);
    let mut out = Vec::new();
    put_handle(&mut out, &handle);
    assert_eq!(out, BASE);
}

#[test]
fn an_alignment_is_a_power_of_two_and_at_least_64_for_bytes() {
    for shift in 0..32 {
        let alignment = (1_u32 << shift).to_le_bytes();
        let expected = (shift < 6).then_some(Rule::BufferHandleAlignmentMin);
        assert_eq!(rule(8, &alignment), expected, "2^{shift}");
        let mut empty = [0; 12];
        empty[8..].copy_from_slice(&alignment);
        assert_eq!(rule(0, &empty), None, "2^{shift}, empty");
    }
    for alignment in [0, 65, 96, u32::MAX] {
        assert_eq!(rule(8, &u32::to_le_bytes(alignment)), Some(Rule::BufferHandleAlignmentPowerOfTwo), "{alignment}");
    }
}

#[test]
fn every_device_tag_and_sync_mode_has_its_verdict() {
    for tag in 0..=255 {
        let expected = match tag {
            0x00..=0x08 | 0xF0..=0xFE => None,
            0x09..=0xEF => Some(Rule::BufferDeviceReservedReject),
            0xFF => Some(Rule::BufferDeviceFfReject),
        };
        assert_eq!(rule(12, &[tag]), expected, "device {tag:#x}");
        let expected = match tag {
            0 => None,
            1 | 2 => Some(Rule::BufferSyncCpuSynced),
            3..=0xFE => Some(Rule::BufferSyncReservedReject),
            0xFF => Some(Rule::BufferSyncFfReject),
        };
        assert_eq!(rule(13, &[tag]), expected, "sync mode {tag:#x}");
        let expected = (tag != 0).then_some(Rule::BufferHandleReserved15Reject);
        assert_eq!(rule(15, &[tag]), expected, "reserved {tag:#x}");
    }
}

#[test]
fn every_pair_of_device_and_class_has_its_verdict() {
    for device in (0x00..=0x08).chain(0xF0..=0xFE) {
        for class in 0..=255 {
            let expected = match (device, class) {
                (_, 0xFF) => Some(Rule::BufferMemoryClassFfReject),
                (_, 0x04..=0xEF) => Some(Rule::BufferMemoryClassReservedReject),
                (0xF0..=0xFE, 0xF0..=0xFE) => Some(Rule::BufferMemoryClassPrivateUnknownReject),
                (0xF0..=0xFE, 0) => None,
                (0x00..=0x08, 0..=3) if tables::Device::from_tag(device).is_some_and(|known| known.allows(class)) => {
                    None
                }
                _ => Some(Rule::BufferMemoryClassPairReject),
            };
            assert_eq!(rule(12, &[device, 0, class]), expected, "device {device:#x}, class {class:#x}");
        }
    }
}

#[test]
fn every_truncation_is_refused() {
    for len in 0..BASE.len() {
        let mut cursor = Cursor::new(&BASE[..len], 0, Rule::DescriptorHeaderLengthOverread);
        let reject = read_handle(&mut cursor, &mut Judge::new(Policy::collecting())).unwrap_err();
        assert_eq!(reject.rule, Rule::DescriptorHeaderLengthOverread, "{len} bytes");
    }
}
