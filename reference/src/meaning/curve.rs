//! The layouts that follow a curve: Morton (layouts/morton.md) and Hilbert (layouts/hilbert.md § Normative Index Mapping).

use super::words::NoMeaning;
use crate::bytes::to_u64;

/// The Morton code of `index`: bit by bit from the least significant, dimension 0 first. A dimension that has no more
/// bits takes no place, so that the codes fill the buffer (ruling R58).
pub(super) fn morton(bits: &[u32], index: &[u64]) -> Result<u64, NoMeaning> {
    let most = bits.iter().copied().max().unwrap_or(0).min(64);
    let mut code = 0_u64;
    let mut position = 0_u32;
    for bit in 0..most {
        for (count, at) in bits.iter().zip(index) {
            if bit < *count {
                let value = at >> bit & 1;
                if position > 63 {
                    return Err(NoMeaning::Data);
                }
                code |= value << position;
                position = position.saturating_add(1);
            }
        }
    }
    Ok(code)
}

/// The position of `index` on the Hilbert curve of that order.
pub(super) fn hilbert(order: u32, index: &[u64]) -> Result<u64, NoMeaning> {
    let rank = index.len();
    if rank < 2 || order == 0 || u64::from(order).saturating_mul(to_u64(rank)) > 64 {
        return Err(NoMeaning::Unknown);
    }
    let mut x = index.to_vec();
    for j in (1..order).rev() {
        let mask = ones(j);
        for d in 0..rank {
            if x[d] >> j & 1 == 1 {
                x[0] ^= mask;
            } else {
                let swap = (x[0] ^ x[d]) & mask;
                x[0] ^= swap;
                x[d] ^= swap;
            }
        }
    }
    let mut last = 0;
    for coordinate in &mut x {
        *coordinate ^= last;
        last = *coordinate;
    }
    let flip = (1..order).filter(|j| last >> j & 1 == 1).fold(0, |flip, j| flip ^ ones(j));
    let mut code = 0_u64;
    for bit in (0..order).rev() {
        for coordinate in &x {
            code = code << 1 | ((coordinate ^ flip) >> bit & 1);
        }
    }
    Ok(code)
}

/// The lowest `count` bits, fewer than 64.
fn ones(count: u32) -> u64 {
    !(u64::MAX << count)
}
