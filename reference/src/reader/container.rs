//! What a reader says of the file header. Owns no step of reading.

/// What the file header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Container {
    /// Container version, major and minor.
    pub version: [u8; 2],
    /// `file_flags`.
    pub flags: u32,
    /// `data_buffer_alignment`, in bytes.
    pub data_buffer_alignment: u32,
}
