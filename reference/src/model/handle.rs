//! Buffer handles and the tags in them, kept as the bytes say, meaningful or not.

/// The smallest alignment a non-empty buffer may declare, in bytes (buffer-protocol.md § Buffer Handle).
pub const MIN_BUFFER_ALIGNMENT: u32 = 64;

macro_rules! tag {
    ($(#[$doc:meta])* $name:ident { $($(#[$item:meta])* $constant:ident = $value:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub u8);

        impl $name {
            $($(#[$item])* pub const $constant: $name = $name($value);)*
        }
    };
}

tag! {
    /// The device a buffer was made for (buffer-protocol.md § Device Tags).
    DeviceTag {
        /// Host memory.
        CPU = 0x00,
        /// NVIDIA.
        CUDA = 0x01,
        /// AMD.
        ROCM = 0x02,
        /// Apple.
        METAL = 0x03,
        /// Vulkan.
        VULKAN = 0x04,
        /// WebGPU.
        WEB_GPU = 0x05,
        /// Qualcomm.
        HEXAGON = 0x06,
        /// Intel.
        LEVEL_ZERO = 0x07,
        /// OpenCL.
        OPEN_CL = 0x08,
    }
}

tag! {
    /// How a consumer waits for the producer's writes (buffer-protocol.md § sync_mode Values).
    SyncMode {
        /// Nothing to wait for.
        PRODUCER_SYNCED = 0x00,
        /// Wait for an event handed over out of band.
        EVENT = 0x01,
        /// Ordered before the consumer's stream.
        CONSUMER_STREAM = 0x02,
    }
}

tag! {
    /// Who can reach the memory (buffer-protocol.md § Memory Class Values).
    MemoryClass {
        /// The device itself.
        STANDARD = 0x00,
        /// Host memory mapped for the device.
        HOST_PINNED = 0x01,
        /// Host and device, coherent.
        UNIFIED = 0x02,
        /// Peer devices.
        PEER = 0x03,
    }
}

/// One entry of a descriptor's buffer table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferHandle {
    /// Bytes of the buffer; 0 is an empty buffer.
    pub byte_size: u64,
    /// Alignment promised for the memory, in bytes.
    pub alignment: u32,
    /// Declared device.
    pub device_tag: DeviceTag,
    /// Synchronisation mode.
    pub sync_mode: SyncMode,
    /// Memory class.
    pub memory_class: MemoryClass,
}

impl BufferHandle {
    /// A handle of memory class STANDARD.
    pub fn new(byte_size: u64, alignment: u32, device_tag: DeviceTag, sync_mode: SyncMode) -> Self {
        BufferHandle { byte_size, alignment, device_tag, sync_mode, memory_class: MemoryClass::STANDARD }
    }

    /// Bytes of the buffer.
    pub fn byte_size(&self) -> u64 {
        self.byte_size
    }

    /// Alignment promised for the memory, in bytes.
    pub fn alignment(&self) -> u32 {
        self.alignment
    }
}
