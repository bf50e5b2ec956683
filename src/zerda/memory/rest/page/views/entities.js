// The people, places and things that memories name, and what ties them: two steps, so many at the most.

import { post } from "../api.js";
import { Asked, Card, Empty, Rows, count, html, useAsked, useMemo, words } from "../parts.js";

const MOST = 40;
const link = (name) => `#/entities/${encodeURIComponent(name)}`;

// Pushed apart by one another and drawn together by what ties them, until they rest.
function placed(names, relations) {
  const nodes = names.map((name, n) => ({ ...name, x: Math.cos(n * 2.4) * 30 * Math.sqrt(n + 1), y: Math.sin(n * 2.4) * 20 * Math.sqrt(n + 1) }));
  const by = new Map(nodes.map((node) => [node.key, node]));
  const ties = relations.map((one) => [by.get(one.subject_key), by.get(one.object_key)]).filter(([a, b]) => a && b && a !== b);
  for (let round = 0; round < 200; round += 1) {
    const heat = 8 * (1 - round / 200);
    for (const node of nodes) [node.dx, node.dy] = [-node.x * 0.04, -node.y * 0.08];
    for (const a of nodes) for (const b of nodes) if (a !== b) push(a, b, 2600);
    for (const [a, b] of ties) { pull(a, b); pull(b, a); }
    for (const node of nodes) {
      const length = Math.hypot(node.dx, node.dy) || 1;
      node.x += (node.dx / length) * Math.min(length, heat);
      node.y += (node.dy / length) * Math.min(length, heat);
    }
  }
  return { nodes, ties };
}
function push(a, b, force) {
  const [x, y] = [a.x - b.x, a.y - b.y];
  const squared = x * x + y * y || 1;
  a.dx += (x * force) / squared / 10;
  a.dy += (y * force) / squared / 10;
}
function pull(a, b) {
  a.dx += (b.x - a.x) * 0.05;
  a.dy += (b.y - a.y) * 0.05;
}

function Graph({ entities, relations }) {
  const { nodes, ties } = useMemo(() => placed(entities, relations), [entities, relations]);
  const [xs, ys] = [nodes.map((one) => one.x), nodes.map((one) => one.y)];
  const [left, top] = [Math.min(...xs) - 60, Math.min(...ys) - 40];
  const box = [left, top, Math.max(320, Math.max(...xs) + 60 - left), Math.max(160, Math.max(...ys) + 40 - top)];
  return html`<div class="sheet"><svg class="graph" viewBox=${box.join(" ")} role="group" aria-label="What is named, and what ties it">
    ${ties.map(([a, b]) => html`<line x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y} />`)}
    ${nodes.map((one) => html`<a href=${link(one.name)} aria-label=${`${one.name}, ${one.type}`}><circle class=${one.type} cx=${one.x} cy=${one.y} r=${6 + Math.min(8, Math.log2(1 + one.entries))} /><text x=${one.x} y=${one.y - 18}>${one.name.slice(0, 24)}</text></a>`)}
  </svg></div>`;
}

const Ties = ({ relations }) => html`<h2>What ties them</h2><${Rows} label="Relations" head=${["Who", "", "Whom or what", "Said in"]} rows=${relations.map((one) =>
  [html`<a href=${link(one.subject)}>${one.subject}</a>`, words(one.relation), html`<a href=${link(one.object)}>${one.object}</a>`, count(one.entries, "memory", "memories")])} />`;

async function all(options) {
  const [{ entities }, { relations }] = await Promise.all([post("/v1/entities/list", { limit: MOST }, options), post("/v1/entities/related", { depth: 1 }, options)]);
  return { entities, relations: relations.slice(0, 200) };
}
async function around(name, options) {
  const [entity, { relations }, { entries }] = await Promise.all([post("/v1/entities/get", { name }, options), post("/v1/entities/related", { name, depth: 2 }, options), post("/v1/entities/mentioning", { name }, options)]);
  const near = new Map([[entity.key, entity]]);
  for (const one of relations) for (const [key, named] of [[one.subject_key, one.subject], [one.object_key, one.object]])
    if (!near.has(key) && near.size < MOST) near.set(key, { key, name: named, type: "thing", entries: one.entries });
  return { entity, entities: [...near.values()], relations, entries };
}

export function Entities({ id, changes }) {
  const asked = useAsked((options) => (id ? around(id, options) : all(options)), [id, changes]);
  return html`${id && html`<p><a href="#/entities">All of them</a></p>`}<h1>${id || "People and things"}</h1>
    <p class="lead">${id ? "Two steps around it, and the memories that name it." : `What memories name: the ${MOST} named most.`}</p>
    <${Asked} of=${asked}>${({ entities, relations, entries }) => entities.length === 0
      ? html`<${Empty} title="No names yet">When a memory names a person, a place or a thing, it stands here with whatever ties it to others.<//>`
      : html`<${Graph} entities=${entities} relations=${relations} />${relations.length > 0 && html`<${Ties} relations=${relations} />`}
        ${entries ? html`<h2>Named in</h2><ul class="plain">${entries.map((entry) => html`<${Card} key=${entry.id} entry=${entry} />`)}</ul>`
          : html`<h2>Named most</h2><${Rows} label="Names" head=${["Name", "Kind", "Named in"]} rows=${entities.map((one) => [html`<a class="item" href=${link(one.name)}>${one.name}</a>`, one.type, count(one.entries, "memory", "memories")])} />`}`}<//>`;
}
