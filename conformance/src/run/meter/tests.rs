//! What is added up.

use std::path::Path;
use std::sync::Arc;

use hurray_adapter::{Opening, Step};

use super::*;
use crate::candidates::reference::Reference;
use crate::transport::InProcess;

#[test]
fn the_heaviest_request_counts_and_the_number_of_all() {
    let meter = Meter::default();
    let mut transport = meter.over(Box::new(InProcess::new(Box::new(Reference::strict()))));
    let bytes: Arc<[u8]> = vec![0; 4096].into();
    let mut open = |source| {
        transport.run(&Job { source, steps: vec![Step::Open(Opening::default())].into() });
    };
    assert_eq!(meter.take(), None);
    open(JobSource::Path(Path::new("/no/such/file"), 0));
    let unseen = Spent { request_count: 1, ..Spent::default() };
    assert_eq!(meter.take(), Some(unseen));
    open(JobSource::Served(&bytes));
    let header = Spent { request_count: 1, call_count: Some(1), asked_len: Some(64), peak_memory_len: None };
    assert_eq!(meter.take(), Some(header), "the header is no header, and nothing else is asked for");
    open(JobSource::Path(Path::new("/no/such/file"), 0));
    open(JobSource::Served(&bytes));
    assert_eq!(meter.take(), Some(Spent { request_count: 2, ..header }));
}

#[test]
fn what_is_not_measured_is_less_than_anything() {
    let some = |peak| Spent { request_count: 1, peak_memory_len: peak, ..Spent::default() };
    assert_eq!(some(None).and(some(Some(0))).peak_memory_len, Some(0));
    assert_eq!(some(Some(9)).and(some(Some(7))).peak_memory_len, Some(9));
    assert_eq!(some(None).and(some(None)).peak_memory_len, None);
    let calls =
        |count, len| Spent { request_count: 1, call_count: Some(count), asked_len: Some(len), peak_memory_len: None };
    let both = Spent { request_count: 2, call_count: Some(7), asked_len: Some(90), peak_memory_len: None };
    assert_eq!((calls(2, 90).and(calls(7, 10)), calls(7, 10).and(calls(2, 90))), (both, both));
}
