//! The functions that stand in front of libc's. Owns their names and arguments; what becomes of a call is decided
//! elsewhere.

/// Functions that libc has under several names, in front of all of them.
macro_rules! in_front_of {
    (@one $name:ident ($($argument:ident: $kind:ty),*) $result:ty, $call:expr) => {
        // SAFETY: the symbol is libc's on purpose. A program that calls it gives what libc's function asks for.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $kind),*) -> $result {
            let call: unsafe fn(&'static str, $($kind),*) -> $result = $call;
            // SAFETY: the program keeps what libc asks for.
            unsafe { call(stringify!($name), $($argument),*) }
        }
    };
    (@each [$($name:ident)+] $arguments:tt $result:ty, $call:expr) => {
        $(in_front_of!(@one $name $arguments $result, $call);)+
    };
    ($($($name:ident),+ ($($arguments:tt)*) -> $result:ty { $call:expr })*) => {
        $(in_front_of!(@each [$($name)+] ($($arguments)*) $result, $call);)*
    };
}
pub(crate) use in_front_of;

mod bytes;
mod descriptors;
mod looks;
mod whole;

pub(crate) use bytes::{read_one, write_one};
pub(crate) use descriptors::close_one;
pub(crate) use whole::seek;
