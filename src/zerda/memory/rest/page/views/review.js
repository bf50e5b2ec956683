// What waits for somebody's look: in quarantine, about to be archived, said twice.

import { call, entryPath, get, post } from "../api.js";
import { Asked, Badge, Card, Empty, Fault, allows, html, memoryLink, useAsked, useState } from "../parts.js";

const LOOKED_AT = 1000;

function twice(entries) {
  const by = new Map();
  for (const entry of entries) if (entry.content_hash) by.set(entry.content_hash, [...(by.get(entry.content_hash) ?? []), entry]);
  return [...by.values()].filter((those) => those.length > 1);
}

function Quarantine({ who, entries, again }) {
  const [fault, setFault] = useState(null);
  const release = (id) => post("/v1/tenant/release", { ids: [id] }).then(again, setFault);
  return html`<h2>In quarantine</h2>${fault && html`<${Fault} fault=${fault} />`}${entries.length === 0
    ? html`<${Empty} title="Nothing waits">What looks like an attempt to give orders to a model waits here, in no search and no context.<//>`
    : html`<ul class="plain">${entries.map((entry) => html`<${Card} key=${entry.id} entry=${entry}><div class="actions"><${Badge} tone="warn">${entry.archived_because}<//>
      ${allows(who, "admin") && html`<button onClick=${() => release(entry.id)}>Release</button>`}</div><//>`)}</ul>`}`;
}

function Twice({ who, groups, again }) {
  const [fault, setFault] = useState(null);
  const archive = (rest) => Promise.all(rest.map((entry) => post(entryPath(entry.id, "/archive")))).then(again, setFault);
  return html`<h2>Said more than once</h2>${fault && html`<${Fault} fault=${fault} />`}${groups.length === 0
    ? html`<${Empty} title="No duplicates">Among the newest 1,000, no two memories say the same.<//>`
    : html`<ul class="plain">${groups.slice(0, 20).map(([newest, ...rest]) => html`<${Card} key=${newest.id} entry=${newest}><div class="actions"><span class="soft">And ${rest.length} more like it.</span>
      ${allows(who, "writer") && html`<button onClick=${() => archive(rest)}>Archive the older ones</button>`}</div><//>`)}</ul>`}`;
}

function Fading({ round }) {
  return html`<h2>About to be archived</h2>${round.reasons.length === 0 ? html`<${Empty} title="Nothing has faded">The next round of upkeep would archive nothing.<//>`
    : html`<ul class="plain">${round.reasons.slice(0, 50).map((one) => html`<li class="card"><div class="meta">${Object.entries(one).map(([name, value]) => name === "id" || name === "entry_id"
      ? html`<a class="item" href=${memoryLink(value)}>memory …${String(value).slice(-6)}</a>` : html`<span>${name}: ${typeof value === "number" ? value.toFixed(2) : String(value)}</span>`)}</div></li>`)}</ul>`}`;
}

export function Review({ who, changes }) {
  const admin = allows(who, "admin");
  const asked = useAsked(async (options) => {
    const [waiting, newest, round] = await Promise.all([get(admin ? "/v1/tenant/quarantine" : "/v1/quarantine", options), get(`/v1/entries?limit=${LOOKED_AT}`, options),
      admin ? call("POST", "/v1/maintenance", { dry_run: true }, options) : null]);
    return { waiting: waiting.entries, groups: twice(newest.entries), round };
  }, [changes]);
  return html`<h1>Review</h1><p class="lead">What a person should look at.</p><${Asked} of=${asked}>${({ waiting, groups, round }) => html`
    <${Quarantine} who=${who} entries=${waiting} again=${asked.again} /><${Twice} who=${who} groups=${groups} again=${asked.again} />${round && html`<${Fading} round=${round} />`}`}<//>`;
}
