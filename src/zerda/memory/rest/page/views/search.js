// Hits with their scores in parts, and what nearly was one.

import { post } from "../api.js";
import { Asked, Card, Empty, Parts, count, html, share, useAsked, useLater, useState } from "../parts.js";

const KINDS = ["interaction", "message", "note", "fact", "summary", "document"];

async function found(asked, options) {
  if (!asked.query.trim()) return null;
  const body = { query: asked.query, limit: 20, query_by: { kinds: asked.kind ? [asked.kind] : [] } };
  if (asked.tag.trim()) body.query_by.tags = [asked.tag.trim()];
  if (asked.asOf) body.as_of = new Date(asked.asOf).toISOString();
  const [hits, all] = await Promise.all([post("/v1/recall", body, options), post("/v1/recall", { ...body, min_score: 0 }, options)]);
  const known = new Set(hits.hits.flatMap((hit) => [hit.entry.id, ...hit.copies]));
  return { ...hits, near: all.hits.filter((hit) => !known.has(hit.entry.id)).slice(0, 5) };
}

function lacked({ parts = {} }) {
  const missing = [["words", "none of the question's words"], ["meaning", "no near meaning"]];
  const told = missing.filter(([name]) => !(parts[name] > 0.3)).map(([, text]) => text);
  return told.length ? `It has ${told.join(" and ")}.` : "Its parts together do not reach the floor.";
}

const Hit = ({ hit, near }) => html`<${Card} entry=${hit.entry}>
  <div class="meta"><b>${share(hit.score)} likely relevant</b><span>found by ${hit.sources.join(" and ")}</span>
    ${hit.copies.length > 0 && html`<span>${count(hit.copies.length, "near copy", "near copies")}</span>`}</div>
  <${Parts} parts=${hit.parts} />${near && html`<small>${lacked(hit)}</small>`}<//>`;

export function Search({ query, changes }) {
  const [asked, set] = useState({ query: query.get("q") ?? "", kind: "", tag: "", asOf: "" });
  const change = (name) => (event) => set({ ...asked, [name]: event.target.value });
  const settled = useLater(asked, 250);
  const answer = useAsked((options) => found(settled, options), [JSON.stringify(settled), changes]);
  return html`<h1>Search</h1><p class="lead">Ask as a user would. Each answer tells why it is here.</p>
    <div class="form"><label class="wide">Question<input type="search" value=${asked.query} onInput=${change("query")} placeholder="Where does Ana live?" /></label>
      <label>Kind<select value=${asked.kind} onChange=${change("kind")}><option value="">All</option>${KINDS.map((kind) => html`<option>${kind}</option>`)}</select></label>
      <label>Tag<input size="10" value=${asked.tag} onInput=${change("tag")} /></label>
      <label>As of<input type="datetime-local" value=${asked.asOf} onInput=${change("asOf")} /></label></div>
    <${Asked} of=${answer}>${(value) => value === null
      ? html`<${Empty} title="What would you like to know?">A score is the probability that a memory answers the question. The bar shows what words, meaning, neighbours in the conversation and time added to it.<//>`
      : html`${value.degraded.length > 0 && html`<div class="note bad"><p>${value.degraded.join("; ")}</p></div>`}
        ${value.hits.length ? html`<p class="soft" role="status">${count(value.hits.length, "hit")}</p><ul class="plain hits">${value.hits.map((hit) => html`<${Hit} key=${hit.entry.id} hit=${hit} />`)}</ul>`
          : html`<${Empty} title="Nothing answers this">No memory is likely enough to be relevant. That is a normal answer: nothing is made up.<//>`}
        ${value.near.length > 0 && html`<h2>Near misses</h2><p class="soft">Below the floor of relevance, so that no model would see them.</p>
          <ul class="plain">${value.near.map((hit) => html`<${Hit} key=${hit.entry.id} hit=${hit} near />`)}</ul>`}`}<//>`;
}
