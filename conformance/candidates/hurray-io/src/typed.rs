//! The library's typed layer over what its file reader hands out: quantization sections.
//!
//! The file reader passes a quantization section on as bytes and leaves its decoding to "a higher layer that has schema
//! context"; there the library offers a decoder and, beside it, the checks of a scheme against its tensor. A program that
//! reads quantized tensors calls them, and so does this. Their answers are passed on; no check is made here.

use hurray_core::descriptor::TensorDescriptor;
use hurray_core::layout::LayoutDescriptor;
use hurray_core::quantization::{
    QuantizationDescriptor, QuantizationSchemeTag, validate_axis, validate_buffer_placement,
};
use hurray_core::{Error, Result};

/// Position of the data in the buffer table.
const DATA_BUFFER: u32 = 0;

/// The typed quantization of a tensor, `None` if it has none.
///
/// # Errors
/// What the library says of the section, or of the scheme and this tensor.
pub(crate) fn quantization(tensor: &TensorDescriptor) -> Result<Option<QuantizationDescriptor>> {
    let Some(bytes) = &tensor.quantization else { return Ok(None) };
    let (scheme, _) = QuantizationDescriptor::decode(bytes)?;
    if !scheme.is_valid_storage_type(tensor.element_type) {
        let (scheme_tag, type_tag) = (scheme.scheme_tag().tag(), tensor.element_type.tag());
        return Err(Error::InvalidStorageTypeForScheme { scheme_tag, type_tag });
    }
    axis(&scheme, tensor)?;
    if let QuantizationDescriptor::PerTensorAffine(affine) = &scheme {
        affine.validate_zero_point_for(tensor.element_type)?;
    }
    validate_buffer_placement(&scheme, &tensor.buffers, DATA_BUFFER)?;
    Ok(Some(scheme))
}

fn axis(scheme: &QuantizationDescriptor, tensor: &TensorDescriptor) -> Result<()> {
    let (axis, block_size) = match scheme {
        QuantizationDescriptor::PerTensorAffine(_) => return Ok(()),
        QuantizationDescriptor::PerChannelAffine(scheme) => (scheme.axis(), 0),
        QuantizationDescriptor::PerBlockAffine(scheme) => (scheme.axis(), scheme.block_size()),
        QuantizationDescriptor::Nf4(scheme) => (scheme.axis(), scheme.block_size()),
        QuantizationDescriptor::Mxfp(scheme) => (scheme.axis(), scheme.block_size()),
    };
    let dims = tensor.shape.dims();
    validate_axis(axis, u32::try_from(dims.len()).unwrap_or(u32::MAX))?;
    let Some(size) = usize::try_from(axis).ok().and_then(|axis| dims.get(axis)) else { return Ok(()) };
    match scheme {
        QuantizationDescriptor::PerBlockAffine(scheme) => scheme.validate_against_shape_axis(*size)?,
        QuantizationDescriptor::Nf4(scheme) => scheme.validate_against_shape_axis(*size)?,
        QuantizationDescriptor::Mxfp(scheme) => scheme.validate_against_shape_axis(*size)?,
        QuantizationDescriptor::PerTensorAffine(_) | QuantizationDescriptor::PerChannelAffine(_) => {}
    }
    match &tensor.layout {
        LayoutDescriptor::BlockPaged(paged) => {
            paged.validate_quantization_compatibility(QuantizationSchemeTag::tag(scheme.scheme_tag()), axis, block_size)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use hurray_core::{BufferHandle, DeviceTag, ElementType, Mxfp, PerTensorAffine, Shape, SyncMode};

    use super::*;

    fn tensor(element_type: ElementType, dims: [u64; 2], quantization: Option<Vec<u8>>) -> TensorDescriptor {
        let handle = || BufferHandle::new(64, 64, DeviceTag::Cpu, SyncMode::ProducerSynced).expect("a handle");
        let shape = Shape::new(dims.to_vec()).expect("a shape");
        let (layout, buffers) = (LayoutDescriptor::RowMajor, vec![handle(), handle()]);
        TensorDescriptor::new(1, 0, element_type, shape, 0, layout, buffers, quantization, None, None, None)
            .expect("a descriptor")
    }

    fn mxfp(axis: u32, scale_buffer_index: u32) -> Option<Vec<u8>> {
        let scheme = Mxfp::new(axis, 32, scale_buffer_index).expect("a scheme");
        Some(QuantizationDescriptor::Mxfp(scheme).encode_to_vec())
    }

    #[test]
    fn a_plain_tensor_has_none_and_a_scheme_that_fits_is_passed_on() {
        assert!(matches!(quantization(&tensor(ElementType::Int8, [2, 32], None)), Ok(None)));
        let found = quantization(&tensor(ElementType::Int8, [2, 32], mxfp(1, 1))).expect("it fits");
        assert!(matches!(found, Some(QuantizationDescriptor::Mxfp(_))));
    }

    #[test]
    fn every_check_of_the_library_is_asked() {
        let affine = PerTensorAffine::new(0.5, 200).expect("a scheme");
        let affine = Some(QuantizationDescriptor::PerTensorAffine(affine).encode_to_vec());
        let error = |element_type, dims, section| quantization(&tensor(element_type, dims, section)).err();
        assert!(matches!(
            error(ElementType::Float32, [2, 32], mxfp(1, 1)),
            Some(Error::InvalidStorageTypeForScheme { .. })
        ));
        assert!(matches!(
            error(ElementType::Int8, [2, 32], mxfp(2, 1)),
            Some(Error::QuantizationAxisOutOfBounds { .. })
        ));
        assert!(matches!(error(ElementType::Int8, [2, 31], mxfp(1, 1)), Some(Error::QuantizationShapeMismatch { .. })));
        assert!(matches!(
            error(ElementType::Int8, [2, 32], mxfp(1, 2)),
            Some(Error::QuantizationBufferIndexOutOfRange { .. })
        ));
        assert!(matches!(error(ElementType::Int8, [2, 32], affine), Some(Error::ZeroPointOutOfRange { .. })));
        assert!(error(ElementType::Int8, [2, 32], Some(vec![0xf0, 1, 0, 0])).is_some());
    }
}
