// How much is remembered, how it grows, and whether all is well.

import { get } from "../api.js";
import { Asked, Card, Empty, Stat, allows, count, day, html, number, size, useAsked } from "../parts.js";

const LOOKED_AT = 1000;
const DAYS = 30;

function perDay(entries) {
  const today = Math.floor(Date.now() / 864e5);
  const days = Array.from({ length: DAYS }, () => 0);
  for (const entry of entries) {
    const age = today - Math.floor(Date.parse(entry.recorded_at) / 864e5);
    if (age >= 0 && age < DAYS) days[DAYS - 1 - age] += 1;
  }
  return days;
}

function Growth({ entries }) {
  const days = perDay(entries);
  const most = Math.max(...days, 1);
  const told = `${count(days.reduce((sum, n) => sum + n, 0), "memory", "memories")} in ${DAYS} days; at most ${number(most)} a day`;
  return html`<div class="sheet"><div class="spark" role="img" aria-label=${told}>
    ${days.map((n) => html`<i style=${{ height: `${(100 * n) / most}%` }}></i>`)}</div><small>${told}.</small></div>`;
}

function Tenant({ stats }) {
  const ill = stats.semantic.degraded;
  return html`<h2>The tenant</h2><div class="stats">
    <${Stat} name="Memories" value=${number(stats.entries)} note=${`${count(stats.users, "user")}, ${count(stats.sessions, "session")}`} />
    <${Stat} name="Pinned" value=${number(stats.pinned)} />
    <${Stat} name="Archived" value=${number(stats.archived)} note=${`${number(stats.quarantined)} in quarantine`} />
    <${Stat} name="Pending" value=${number(stats.pending)} note=${stats.pending ? "being indexed" : "all is indexed"} />
    <${Stat} name="On disk" value=${size(stats.bytes_on_disk)} note=${stats.encryption_active ? "encrypted" : "not encrypted"} />
    <${Stat} name="Masking" value=${stats.privacy_masking_active ? "On" : "Off"} /></div>
    <h2>Health</h2>
    ${ill.length || stats.embedder !== stats.embedder_here
      ? html`<div class="note bad"><h3>Found by words alone</h3><p>${ill.join("; ") || `The memory was indexed by ${stats.embedder ?? "none"}; this server has ${stats.embedder_here ?? "none"}.`}</p></div>`
      : html`<div class="note good"><h3>All is well</h3><p>Words and meaning are searched. Embedder: <code>${stats.embedder ?? "none"}</code></p></div>`}`;
}

export function Overview({ who, changes }) {
  const newest = useAsked((options) => get(`/v1/entries?limit=${LOOKED_AT}`, options), [changes]);
  const stats = useAsked((options) => (allows(who, "admin") ? get("/v1/stats", options) : Promise.resolve(null)), [changes]);
  return html`<h1>Overview</h1><p class="lead">What is remembered of ${who.user_id}.</p>
    <${Asked} of=${newest}>${({ entries, cursor }) => entries.length === 0
      ? html`<${Empty} title="Nothing is remembered yet">Save something from a program, or with
          <code> zerda save "I moved to Lisbon." "Noted."</code>. It appears here as soon as it is kept.<//>`
      : html`<div class="stats"><${Stat} name="Your memories" value=${cursor ? `${number(LOOKED_AT)}+` : number(entries.length)} />
          <${Stat} name="The last one" value=${day(entries[0].recorded_at)} />
          <${Stat} name="Conversations" value=${number(new Set(entries.map((one) => one.session_id)).size)} note=${cursor && `among the newest ${number(LOOKED_AT)}`} /></div>
        <h2>Growth</h2><${Growth} entries=${entries} />
        <h2>Newest</h2><ul class="plain">${entries.slice(0, 5).map((entry) => html`<${Card} key=${entry.id} entry=${entry} />`)}</ul>`}<//>
    <${Asked} of=${stats}>${(value) => value && html`<${Tenant} stats=${value} />`}<//>`;
}
