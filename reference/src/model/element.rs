//! The element types: tag, name, width, and the range of the integers. What else they mean is nobody's business here.

macro_rules! element_types {
    ($($variant:ident $tag:literal $name:literal $bits:literal,)*) => {
        /// The storage type of a tensor's elements (element-types.md § Type Properties Summary).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ElementType {
            $(#[doc = concat!("`", $name, "`, tag ", stringify!($tag), ".")] $variant,)*
            /// A tag without a meaning in format 1.0; only a permissive reader hands one out.
            Unknown(u8),
        }

        impl ElementType {
            /// Every type with a meaning, by tag.
            pub const ALL: &'static [ElementType] = &[$(ElementType::$variant),*];

            /// The type of that tag.
            pub fn from_tag(tag: u8) -> Self {
                match tag {
                    $($tag => ElementType::$variant,)*
                    other => ElementType::Unknown(other),
                }
            }

            /// The tag in the descriptor.
            pub fn tag(self) -> u8 {
                match self {
                    $(ElementType::$variant => $tag,)*
                    ElementType::Unknown(tag) => tag,
                }
            }

            /// The name in the specification.
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(ElementType::$variant => Some($name),)*
                    ElementType::Unknown(_) => None,
                }
            }

            /// Width of one element, in bits.
            pub fn bits(self) -> Option<u8> {
                match self {
                    $(ElementType::$variant => Some($bits),)*
                    ElementType::Unknown(_) => None,
                }
            }
        }
    };
}

element_types! {
    Float16    0x01 "float16"     16,
    Bfloat16   0x02 "bfloat16"    16,
    Float32    0x03 "float32"     32,
    Float64    0x04 "float64"     64,
    Int8       0x10 "int8"        8,
    Uint8      0x11 "uint8"       8,
    Int16      0x12 "int16"       16,
    Uint16     0x13 "uint16"      16,
    Int32      0x14 "int32"       32,
    Uint32     0x15 "uint32"      32,
    Int64      0x16 "int64"       64,
    Uint64     0x17 "uint64"      64,
    Bool       0x20 "bool"        1,
    Float8E4m3 0x40 "float8_e4m3" 8,
    Float8E5m2 0x41 "float8_e5m2" 8,
    Float8E8m0 0x42 "float8_e8m0" 8,
    Float4E2m1 0x43 "float4_e2m1" 4,
    Float6E2m3 0x44 "float6_e2m3" 6,
    Float6E3m2 0x45 "float6_e3m2" 6,
    Float128   0x46 "float128"    128,
    Int4       0x48 "int4"        4,
    Uint4      0x49 "uint4"       4,
    Int2       0x4A "int2"        2,
    Uint2      0x4B "uint2"       2,
    Complex64  0x50 "complex64"   64,
    Complex128 0x51 "complex128"  128,
}

impl ElementType {
    /// Least and greatest value of the ten integer types that affine schemes store, which their zero-points keep to.
    pub(crate) fn integer_range(self) -> Option<(i64, i64)> {
        Some(match self {
            ElementType::Int8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
            ElementType::Uint8 => (0, i64::from(u8::MAX)),
            ElementType::Int16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
            ElementType::Uint16 => (0, i64::from(u16::MAX)),
            ElementType::Int32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
            ElementType::Uint32 => (0, i64::from(u32::MAX)),
            ElementType::Int4 => (-8, 7),
            ElementType::Uint4 => (0, 15),
            ElementType::Int2 => (-2, 1),
            ElementType::Uint2 => (0, 3),
            _ => return None,
        })
    }

    /// Bytes that `count` contiguous elements take (element-types.md § Buffer Size Calculation): whole bytes from 8
    /// bits on, whole groups of 4 elements in 3 bytes for 6-bit types (ruling R52), whole bytes at the end otherwise.
    /// `None` for a type without a meaning, or beyond 128 bits.
    pub fn packed_len(self, count: u128) -> Option<u128> {
        let bits = u128::from(self.bits()?);
        match bits {
            6 => count.div_ceil(4).checked_mul(3),
            _ => count.checked_mul(bits).map(|total| total.div_ceil(8)),
        }
    }
}
