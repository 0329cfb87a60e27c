// Fills the page from the data in it. Every text from a candidate goes in as text, never as markup. Owns what is shown
// and the filters, which stand in the address; counts nothing that the data does not hold.
"use strict";

window.addEventListener("error", (event) => {
  document.documentElement.dataset.error = String(event.message);
});

const data = JSON.parse(document.getElementById("data").textContent);
const OUTCOMES = ["failed", "died", "not-run", "known", "contested", "unsupported", "passed"];
const SHOWN_FIRST = ["failed", "died", "not-run", "known"];
const AS_DEMANDED = new Set(["passed", "contested"]);
const PAGE = 200;

const byId = (id) => document.getElementById(id);
const areaOf = (id) => id.split("/", 1)[0];

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

// Every result, with the number of its candidate.
const results = data.candidates.flatMap((candidate, at) =>
  candidate.results.map((result) => ({ ...result, at, area: areaOf(result.id) })),
);
const profiles = [...new Set(results.map((result) => result.profile))];
const areas = [...new Set(results.map((result) => result.area))].sort();
const title = (candidate) => [candidate.name, candidate.version].filter(Boolean).join(" ");

// What is looked for, and what is searched.
const state = { q: "", candidate: "", profile: "", area: "", open: "", outcomes: new Set(SHOWN_FIRST) };
const FILTERS = ["q", "candidate", "profile", "area"];

function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  for (const key of [...FILTERS, "open"]) state[key] = said.get(key) ?? "";
  const outcomes = said.get("outcomes");
  state.outcomes = new Set(outcomes === null ? SHOWN_FIRST : outcomes.split(",").filter(Boolean));
}

function address(changed = {}) {
  const wanted = { ...state, ...changed };
  const said = new URLSearchParams();
  for (const key of [...FILTERS, "open"]) if (wanted[key] !== "") said.set(key, wanted[key]);
  said.set("outcomes", OUTCOMES.filter((outcome) => wanted.outcomes.has(outcome)).join(","));
  return `#${said}`;
}

function textOf(result) {
  const vector = data.vectors[result.id] ?? {};
  const parts = [result.id, result.verdict, result.step, result.expected, result.actual, result.known];
  return [...parts, vector.field, vector.why, ...(vector.rules ?? [])].filter(Boolean).join("\n").toLowerCase();
}

function matches(result) {
  return (
    (state.candidate === "" || result.at === Number(state.candidate)) &&
    (state.profile === "" || result.profile === state.profile) &&
    (state.area === "" || result.area === state.area) &&
    state.outcomes.has(result.outcome) &&
    state.q.toLowerCase().split(/\s+/).every((word) => (result.text ??= textOf(result)).includes(word))
  );
}

function count(list, noun) {
  return `${list} ${noun}${list === 1 ? "" : "s"}`;
}

function showCandidates() {
  const box = byId("candidates");
  for (const [at, candidate] of data.candidates.entries()) {
    box.append(element("h3", {}, title(candidate)));
    if (candidate.broken) {
      const { probe, answered, stderr } = candidate.broken;
      box.append(element("p", { class: "sentence bad" }, `adapter broken: it was to ${probe}; ${answered}`));
      if (stderr) box.append(element("pre", {}, stderr));
    }
    const scored = Object.entries(candidate.profiles).filter(([, profile]) => profile.scored);
    if (scored.length > 0) box.append(totalsTable(at, scored));
    for (const [name, profile] of Object.entries(candidate.profiles)) {
      if (profile.scored) {
        const word = profile.conforms === true ? "good" : profile.conforms === false ? "bad" : "";
        box.append(element("p", { class: `sentence ${word}` }, profile.sentence));
      } else {
        box.append(element("p", { class: "faint" }, `${name}: not scored, ${profile.because}`));
      }
    }
    for (const group of candidate.not_judged ?? []) {
      box.append(element("p", { class: "faint" }, `${count(group.count, "vector")} not judged: ${group.reason}`));
    }
    for (const mismatch of candidate.known_mismatches ?? []) {
      const text = `list of known failures: ${mismatch.id} ${mismatch.problem}`;
      box.append(element("p", { class: "sentence bad" }, text));
    }
  }
}

function totalsTable(at, scored) {
  const columns = ["passed", "failed", "contested", "unsupported", "not_run", "died", "known"];
  const head = ["profile", ...columns, "preferred"].map((word) => word.replace("_", " ")).map((word) => element("th", { scope: "col" }, word));
  const rows = scored.map(([name, { totals }]) => {
    const strict = totals.strict ? `${totals.strict.preferred}/${totals.strict.contested}` : "";
    const cells = columns.map((word) => element("td", { "data-total": `${at} ${name} ${word}` }, totals[word]));
    return element("tr", {}, element("td", {}, name), ...cells, element("td", { "data-total": `${at} ${name} preferred` }, strict));
  });
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  return element("div", { class: "scroll" }, table);
}

function showMatrix() {
  const counts = new Map();
  for (const result of results) {
    if (state.profile !== "" && result.profile !== state.profile) continue;
    const key = `${result.area} ${result.at}`;
    const cell = counts.get(key) ?? { all: 0, good: 0, bad: 0 };
    cell.all += 1;
    cell.good += AS_DEMANDED.has(result.outcome) ? 1 : 0;
    cell.bad += ["failed", "died", "not-run"].includes(result.outcome) ? 1 : 0;
    counts.set(key, cell);
  }
  const head = ["area", ...data.candidates.map(title)].map((word) => element("th", { scope: "col" }, word));
  const rows = areas.map((area) => {
    const cells = data.candidates.map((_, at) => matrixCell(area, at, counts.get(`${area} ${at}`)));
    return element("tr", {}, element("td", {}, area), ...cells);
  });
  byId("matrix").replaceChildren(
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
}

function matrixCell(area, at, cell) {
  if (!cell) return element("td", { class: "none" }, "–");
  const look = cell.bad > 0 ? "some" : cell.good < cell.all ? "listed" : "all";
  const outcomes = new Set(cell.good < cell.all ? OUTCOMES.filter((outcome) => !AS_DEMANDED.has(outcome)) : OUTCOMES);
  const href = address({ q: "", candidate: String(at), area, open: "", outcomes });
  const link = element("a", { href }, `${cell.good} of ${cell.all}`);
  return element("td", { class: look, "data-cell": `${area} ${at} ${cell.good} ${cell.all}` }, link);
}

function showResults(limit = PAGE) {
  const found = results.filter(matches);
  byId("results").replaceChildren(...found.slice(0, limit).map(resultRow));
  byId("results").dataset.found = String(found.length);
  byId("count").textContent = `${count(found.length, "result")} of ${results.length}`;
  const more = byId("more");
  more.hidden = found.length <= limit;
  more.textContent = `Show ${Math.min(PAGE, found.length - limit)} more`;
  more.onclick = () => showResults(limit + PAGE);
}

function resultRow(result) {
  const line = [result.step, result.actual].filter(Boolean).join(": ");
  const row = element(
    "details",
    { "data-id": result.id },
    element(
      "summary",
      {},
      element("span", { class: `word ${result.outcome}` }, result.verdict ?? result.outcome),
      element("span", {}, title(data.candidates[result.at])),
      element("span", { class: "faint" }, result.profile),
      element("span", { class: "id" }, result.id),
      element("span", { class: "short" }, line),
    ),
  );
  // Built when it is opened: a report has thousands.
  row.addEventListener("toggle", () => row.open && row.children.length === 1 && row.append(resultBody(result)));
  row.open = result.id === state.open;
  return row;
}

function resultBody(result) {
  const vector = data.vectors[result.id] ?? {};
  const list = element("dl");
  const add = (term, ...value) => list.append(element("dt", {}, term), element("dd", {}, ...value));
  if (vector.why) add("why", vector.why);
  if (result.step) add("step", element("code", {}, result.step));
  add("expected", result.expected);
  add("seen", result.actual);
  if (result.known) add("known", result.known);
  const { rule, offset } = result.reported ?? {};
  if (rule || offset) add("it named", [rule, offset && `byte ${offset}`].filter(Boolean).join(", "));
  add("class", result.class);
  for (const rule of vector.rules ?? []) {
    const { text, source } = data.rules[rule] ?? {};
    add("rule", element("code", {}, rule), text ? ` ${text}` : "", source ? element("span", { class: "faint" }, ` (${source})`) : "");
  }
  if (vector.offset) add("place", `byte ${vector.offset}${vector.field ? ` (${vector.field})` : ""}`);
  const body = element("div", { class: "body" }, list);
  if (vector.bytes?.length) body.append(bytesOf(vector.bytes));
  if (data.vectors[result.id]) {
    const href = address({ q: result.id, candidate: "", open: result.id, outcomes: new Set(OUTCOMES) });
    const beside = element("a", { href }, "this vector, all candidates");
    const explain = element("code", {}, `hurray-conformance explain ${result.id}`);
    body.append(element("p", { class: "faint" }, "More: ", explain, ", ", beside));
  }
  return body;
}

function bytesOf(lines) {
  const shown = lines.map(({ at, hex, name, here }) => {
    const text = `${here ? ">" : " "} ${String(at).padStart(9)}  ${hex.padEnd(48)} ${name}\n`;
    return element("span", here ? { class: "here" } : {}, text);
  });
  return element("pre", { tabindex: "0" }, ...shown);
}

function fillControls() {
  const option = (value, text) => element("option", { value }, text);
  byId("candidate").append(option("", "all"), ...data.candidates.map((candidate, at) => option(at, title(candidate))));
  byId("profile").append(option("", "all"), ...profiles.map((profile) => option(profile, profile)));
  byId("area").append(option("", "all"), ...areas.map((area) => option(area, area)));
  for (const outcome of OUTCOMES) {
    const box = element("input", { type: "checkbox", value: outcome });
    byId("outcomes").append(element("label", {}, box, outcome));
  }
}

function showState() {
  for (const key of FILTERS) if (byId(key).value !== state[key]) byId(key).value = state[key];
  for (const box of byId("outcomes").querySelectorAll("input")) box.checked = state.outcomes.has(box.value);
}

function refresh() {
  readAddress();
  showState();
  showMatrix();
  showResults();
}

function takeControls() {
  for (const key of FILTERS) state[key] = byId(key).value;
  state.open = "";
  state.outcomes = new Set([...byId("outcomes").querySelectorAll("input:checked")].map((box) => box.value));
  history.replaceState(null, "", address());
  showMatrix();
  showResults();
}

byId("suite").textContent =
  `suite ${data.suite.version}, Hurray ${data.suite.spec}, vectors ${data.suite.digest.slice(0, 12)}`;
showCandidates();
fillControls();
byId("controls").addEventListener("input", takeControls);
byId("controls").addEventListener("submit", (event) => event.preventDefault());
byId("controls").addEventListener("reset", (event) => {
  event.preventDefault();
  history.replaceState(null, "", location.pathname + location.search);
  refresh();
});
window.addEventListener("hashchange", refresh);
refresh();
document.documentElement.dataset.ready = "yes";
