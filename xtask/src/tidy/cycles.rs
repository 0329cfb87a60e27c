//! No circle among the files of a crate or of a Python package: whoever reads one part would have to read all of them.
//! Owns finding the circles and showing the shortest; knows not how a use is read.

use std::collections::{BTreeMap, HashMap, VecDeque};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::finding::Finding;
use super::uses::Use;

/// One finding per circle among `uses`; those of mere modules do not count.
pub(super) fn check(uses: &[Use]) -> Vec<Finding> {
    let mut graph = DiGraph::<&str, ()>::new();
    let mut nodes: BTreeMap<&str, NodeIndex> = BTreeMap::new();
    let mut edges: HashMap<(NodeIndex, NodeIndex), &Use> = HashMap::new();
    for found in uses.iter().filter(|found| found.is_item && found.from != found.to) {
        let mut node = |file| *nodes.entry(file).or_insert_with(|| graph.add_node(file));
        let ends = (node(found.from.as_str()), node(found.to.as_str()));
        // The first line that names something of the other file is enough to begin with.
        if let std::collections::hash_map::Entry::Vacant(slot) = edges.entry(ends) {
            slot.insert(found);
            graph.add_edge(ends.0, ends.1, ());
        }
    }
    let mut findings: Vec<Finding> = tarjan_scc(&graph)
        .into_iter()
        .filter(|part| part.len() > 1)
        .map(|part| {
            let circle = shortest(&graph, &part);
            let steps: Vec<&Use> = (0..circle.len())
                .filter_map(|at| edges.get(&(circle[at], circle[(at + 1) % circle.len()])).copied())
                .collect();
            told(&steps, part.len())
        })
        .collect();
    findings.sort_by(|a, b| a.path.cmp(&b.path));
    findings
}

fn told(steps: &[&Use], size: usize) -> Finding {
    let shown: Vec<String> =
        steps.iter().map(|step| format!("{}:{} uses {} ({})", step.from, step.line, step.name, step.to)).collect();
    let what = format!(
        "{size} files use each other in a circle; the shortest: {}; move what both need into a lower file",
        shown.join(", ")
    );
    steps.first().map_or_else(|| Finding::new("", 0, what.clone()), |step| Finding::new(&step.from, step.line, &what))
}

/// The shortest circle inside a strongly connected part.
fn shortest(graph: &DiGraph<&str, ()>, part: &[NodeIndex]) -> Vec<NodeIndex> {
    let mut sorted = part.to_vec();
    sorted.sort_by_key(|node| graph[*node]);
    sorted.iter().filter_map(|start| circle_from(graph, part, *start)).min_by_key(Vec::len).unwrap_or_default()
}

/// The shortest way from `start` back to it, by breadth.
fn circle_from(graph: &DiGraph<&str, ()>, part: &[NodeIndex], start: NodeIndex) -> Option<Vec<NodeIndex>> {
    let mut before: HashMap<NodeIndex, NodeIndex> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for next in graph.neighbors(node).filter(|next| part.contains(next)) {
            if next == start {
                let mut circle = vec![node];
                while let Some(earlier) = before.get(&circle[circle.len() - 1]) {
                    circle.push(*earlier);
                }
                circle.reverse();
                return Some(circle);
            }
            before.entry(next).or_insert_with(|| {
                queue.push_back(next);
                node
            });
        }
    }
    None
}
