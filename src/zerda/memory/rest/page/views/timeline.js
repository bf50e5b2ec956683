// All that is remembered, by day: when it was said, and when it was recorded if that was another day.

import { get } from "../api.js";
import { Card, Empty, Fault, Moment, day, html, useEffect, useState } from "../parts.js";

const late = (entry) => Math.abs(Date.parse(entry.recorded_at) - Date.parse(entry.occurred_at)) > 864e5;

function Days({ entries }) {
  const days = Map.groupBy ? Map.groupBy(entries, (entry) => day(entry.occurred_at)) : new Map([["", entries]]);
  return [...days].map(([title, those]) => html`<section key=${title}><h2 class="day">${title}</h2><ul class="plain">${those.map((entry) => html`<${Card} key=${entry.id} entry=${entry}>
    ${late(entry) && html`<small>Recorded <${Moment} at=${entry.recorded_at} /></small>`}<//>`)}</ul></section>`);
}

export function Timeline({ changes }) {
  const [archived, setArchived] = useState(false);
  const [state, set] = useState({ entries: [], loading: true });
  const load = (cursor, before) => get(`/v1/entries?limit=50&archived=${archived}${cursor ? `&cursor=${cursor}` : ""}`).then(
    (page) => set({ entries: [...before, ...page.entries], cursor: page.cursor }), (fault) => set({ entries: before, fault }));
  useEffect(() => { load(null, []); }, [archived, changes]);
  return html`<h1>Timeline</h1><p class="lead">The newest first, by the day on which it was said.</p>
    <div class="form"><label>Show<select onChange=${(event) => setArchived(event.target.value === "archived")}><option value="live">What is remembered</option><option value="archived">What was archived</option></select></label></div>
    ${state.fault && html`<${Fault} fault=${state.fault} again=${() => load(null, [])} />`}
    ${state.loading && html`<p class="loading" role="status">Loading…</p>`}
    ${!state.loading && !state.fault && state.entries.length === 0 && html`<${Empty} title=${archived ? "Nothing is archived" : "Nothing is remembered yet"}>
      ${archived ? "What fades is archived: in no search or context, but with a way back." : "What a program saves appears here at once."}<//>`}
    <${Days} entries=${state.entries} />
    ${state.cursor && html`<div class="actions"><button onClick=${() => load(state.cursor, state.entries)}>Show more</button></div>`}`;
}
