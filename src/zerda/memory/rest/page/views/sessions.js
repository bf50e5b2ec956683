// Conversations: the list of them, and one as it was spoken.

import { get, post } from "../api.js";
import { Asked, Empty, Moment, Said, When, count, html, memoryLink, textOf, useAsked } from "../parts.js";

function bubbles(entry) {
  const { content } = entry;
  if (typeof content !== "object" || content.input === undefined) return [[entry.speaker ?? "user", textOf(entry)]];
  return [["user", content.input], ["assistant", content.output ?? ""]].filter(([, text]) => text);
}

function Session({ id, changes }) {
  const asked = useAsked((options) => post("/v1/list", { query_by: { session_id: id }, limit: 200 }, options), [id, changes]);
  return html`<p><a href="#/sessions">All sessions</a></p><h1>A conversation</h1><${Asked} of=${asked}>${({ entries, cursor }) => entries.length === 0
    ? html`<${Empty} title="Not found">There is no such conversation among yours.<//>`
    : html`<p class="lead"><${Moment} at=${entries.at(-1).occurred_at} />, ${count(entries.length, "entry", "entries")}${cursor ? ", the newest" : ""}</p>
      <div class="talk">${[...entries].reverse().flatMap((entry) => bubbles(entry).map(([role, text]) => html`<div class=${`bubble ${role === "assistant" ? "assistant" : ""}`}>
        <div class="meta"><b>${role}</b><a class="item" href=${memoryLink(entry.id)}><${When} at=${entry.occurred_at} /></a></div><${Said} text=${text} /></div>`))}</div>`}<//>`;
}

function List({ changes }) {
  const asked = useAsked((options) => get("/v1/sessions?limit=100", options), [changes]);
  return html`<h1>Sessions</h1><p class="lead">Conversations, the last one first. A pause of half an hour begins a new one.</p>
    <${Asked} of=${asked}>${({ sessions }) => sessions.length === 0 ? html`<${Empty} title="No conversation yet">Give a <code>session_id</code> with what you save, or let pauses divide it.<//>`
      : html`<ul class="plain">${sessions.map((one) => html`<li class="card"><a class="item" href=${`#/sessions/${encodeURIComponent(one.session_id)}`}><${Moment} at=${one.began} /></a>
        <div class="meta"><span>${count(one.entries, "entry", "entries")}</span><span>ended <${When} at=${one.ended} /></span><code>${one.session_id}</code></div></li>`)}</ul>`}<//>`;
}

export const Sessions = ({ id, changes }) => (id ? html`<${Session} id=${id} changes=${changes} />` : html`<${List} changes=${changes} />`);
