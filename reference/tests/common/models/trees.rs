//! Valid composites of every rule, nested, with members of any kind where their rule leaves it open.

use hurray_reference::{
    CompositeHead, CompositionRule, ElementType, FileCompositeNode, LayoutDescriptor, MemberRole, Shape, Shard,
    TensorDescriptor,
};
use proptest::prelude::*;

use super::layouts::FORMS;
use super::{Dice, Model, build, part, parts};

/// A composite or a tensor in one. `name` is unique in its tree.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) model: Model,
    /// Members of a head; none of a tensor.
    pub(crate) members: Vec<Tree>,
}

impl Tree {
    /// As the writer takes it. The memory is never given back: a test ends soon.
    pub(crate) fn leak(&self) -> FileCompositeNode<'static> {
        let name: &'static str = self.name.clone().leak();
        let descriptor: &'static TensorDescriptor = Box::leak(Box::new(self.model.descriptor.clone()));
        if matches!(descriptor.layout, LayoutDescriptor::Composite(_)) {
            let members = self.members.iter().map(Tree::leak).collect::<Vec<_>>().leak();
            return FileCompositeNode::Composite { name, head: descriptor, members };
        }
        let buffers = self.model.buffers.iter().map(|buffer| &*buffer.clone().leak()).collect::<Vec<&[u8]>>().leak();
        FileCompositeNode::Tensor { name, descriptor, buffers }
    }
}

/// Any valid composite, at most four heads deep.
pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    (prop::collection::vec(0..7_u64, 1..4), any::<u64>()).prop_map(|(dims, seed)| {
        let mut dice = Dice(seed);
        let rule = [CompositionRule::PARTITION, CompositionRule::OVERLAY, CompositionRule::GROUP][dice.below(3)];
        let kind = [ElementType::Uint8, ElementType::Float32][dice.below(2)];
        let mut tree = composite(rule, kind, &dims, 4, &mut dice);
        name(&mut tree, "w".to_owned());
        tree
    })
}

fn name(tree: &mut Tree, own: String) {
    for (at, member) in tree.members.iter_mut().enumerate() {
        name(member, format!("{own}.{at}"));
    }
    tree.name = own;
}

/// A composite over `dims`; `depth` heads on a path at most.
fn composite(rule: CompositionRule, kind: ElementType, dims: &[u64], depth: usize, dice: &mut Dice) -> Tree {
    let members = match rule {
        CompositionRule::PARTITION => partition(kind, dims, depth, dice),
        CompositionRule::OVERLAY => overlay(kind, dims, dice),
        _ => (0..dice.below(4)).map(|_| free(dims, depth, dice)).collect(),
    };
    let combine_op = if rule == CompositionRule::OVERLAY { 1 + dice.below(2) as u8 } else { 0 };
    let head = CompositeHead { composition_rule: rule, combine_op, member_count: members.len() as u32 };
    let shape = Shape::new(dims.to_vec());
    let plain = TensorDescriptor::new(kind, shape, LayoutDescriptor::Composite(head), vec![]);
    let statistics = (dice.below(4) == 0).then(|| parts::statistics(None, dice));
    let descriptor = TensorDescriptor { statistics, ..plain };
    Tree { name: String::new(), model: Model { descriptor, buffers: Vec::new() }, members }
}

/// A member of a group: any tensor, or a composite.
fn free(dims: &[u64], depth: usize, dice: &mut Dice) -> Tree {
    if depth > 1 && dice.below(3) == 0 {
        let rule = [CompositionRule::PARTITION, CompositionRule::OVERLAY, CompositionRule::GROUP][dice.below(3)];
        return composite(rule, ElementType::Uint8, dims, depth - 1, dice);
    }
    Tree { name: String::new(), model: build(FORMS[dice.below(FORMS.len())], dims, dice), members: Vec::new() }
}

/// Boxes by cutting the whole again and again.
fn partition(kind: ElementType, dims: &[u64], depth: usize, dice: &mut Dice) -> Vec<Tree> {
    let mut boxes = vec![(vec![0; dims.len()], dims.to_vec())];
    for _ in 0..dice.below(6) {
        let (low, shape) = boxes.swap_remove(dice.below(boxes.len()));
        let along = dice.below(dims.len());
        let at = dice.below(shape[along] as usize + 1) as u64;
        let (mut first, mut second, mut middle) = (shape.clone(), shape, low.clone());
        (first[along], second[along], middle[along]) = (at, second[along] - at, low[along] + at);
        boxes.extend([(low, first), (middle, second)]);
    }
    let member = |(low, shape): (Vec<u64>, Vec<u64>)| {
        let inner = if depth > 1 && dice.below(3) == 0 {
            let rule = [CompositionRule::PARTITION, CompositionRule::GROUP][dice.below(2)];
            composite(rule, kind, &shape, depth - 1, dice)
        } else {
            leaf(kind, &shape, dice)
        };
        placed(inner, dims, low)
    };
    boxes.into_iter().map(member).collect()
}

fn overlay(kind: ElementType, dims: &[u64], dice: &mut Dice) -> Vec<Tree> {
    let role = |tree: Tree, role| {
        let descriptor = parts::with_role(tree.model.descriptor, role);
        Tree { model: Model { descriptor, buffers: tree.model.buffers }, ..tree }
    };
    let base = placed(leaf(kind, dims, dice), dims, vec![0; dims.len()]);
    let mut members = vec![role(base, MemberRole::BASE)];
    for _ in 0..dice.below(3) {
        let low: Vec<u64> = dims.iter().map(|dim| dice.below(*dim as usize + 1) as u64).collect();
        let shape: Vec<u64> =
            dims.iter().zip(&low).map(|(dim, low)| dice.below((dim - low) as usize + 1) as u64).collect();
        members.push(role(placed(leaf(kind, &shape, dice), dims, low), MemberRole::CORRECTION));
    }
    members
}

/// A tensor of any layout over `dims`.
fn leaf(kind: ElementType, dims: &[u64], dice: &mut Dice) -> Tree {
    Tree { name: String::new(), model: part(kind, dims, dice), members: Vec::new() }
}

fn placed(tree: Tree, whole: &[u64], low: Vec<u64>) -> Tree {
    let shard = Some(Shard { parent_shape: whole.to_vec(), shard_offset: low });
    let descriptor = TensorDescriptor { shard, ..tree.model.descriptor };
    Tree { model: Model { descriptor, buffers: tree.model.buffers }, ..tree }
}
