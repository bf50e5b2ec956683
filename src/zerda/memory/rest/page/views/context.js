// Exactly what would be put before a model, what it costs, and what had to stay out.

import { post } from "../api.js";
import { Asked, Badge, Empty, count, html, memoryLink, number, share, useAsked, useLater, useState } from "../parts.js";

const TITLES = { profile: "Profile", memories: "Memories", documents: "Documents", history: "Recent conversation" };
const isIn = ({ fate }) => fate.startsWith("in ") || fate.startsWith("cut to fit");
const name = ({ what }) => (/^(profile|document \d+)$/.test(what) ? what : html`<a href=${memoryLink(what)}>memory …${what.slice(-6)}</a>`);

function messages(context) {
  const recalled = ["profile", "memories", "documents"].map((one) => context.sections[one]).filter(Boolean).join("\n\n");
  const said = context.turns.map(({ role, text, name: who }) => ({ role, content: text, ...(who ? { name: who } : {}) }));
  return JSON.stringify([...(recalled ? [{ role: "system", content: recalled }] : []), ...said, { role: "user", content: context.query }], null, 2);
}

function Copy({ title, text }) {
  const [done, set] = useState("");
  const copy = async () => {
    try { await navigator.clipboard.writeText(await text()); set("Copied"); } catch { set("The browser does not let it be copied"); }
    setTimeout(() => set(""), 2000);
  };
  return html`<button onClick=${copy}>${done || title}</button>`;
}

const Fate = ({ one }) => html`<li class="card"><div class="meta"><b>${name(one)}</b><${Badge} tone=${isIn(one) ? "good" : "warn"}>${one.fate.replace(/of [0-9a-f-]{36}/, "of another")}<//>
  ${one.tokens > 0 && html`<span>${count(one.tokens, "token")}</span>`}${one.score !== null && html`<span>${share(one.score)}</span>`}<span>${one.sources.join(", ")}</span></div></li>`;

function Built({ context, budget, query }) {
  const kept = context.trace.filter(isIn);
  const left = context.trace.filter((one) => !isIn(one));
  const prompt = () => post("/v1/prompt", { query, token_budget: budget }).then((told) => told.prompt);
  return html`<p role="status"><b class="tokens">${number(context.tokens)}</b> of ${count(budget, "token")} used, ${number(kept.length)} in, ${number(left.length)} left out.</p>
    ${context.degraded.length > 0 && html`<div class="note bad"><p>${context.degraded.join("; ")}</p></div>`}
    <div class="actions"><${Copy} title="Copy as prompt" text=${prompt} /><${Copy} title="Copy as messages" text=${() => messages(context)} /></div>
    <div class="columns"><div><h2>What the model sees</h2>${context.full_text
      ? html`<div class="sheet"><pre class="prompt said" dir="auto">${context.full_text}</pre></div>`
      : html`<${Empty} title="Nothing">No memory is relevant enough, or the budget has no room for one.<//>`}</div>
    <div><h2>In</h2><ul class="plain">${kept.map((one) => html`<${Fate} key=${one.what} one=${one} />`)}</ul>
      <h2>Left out, and why</h2><ul class="plain">${left.slice(0, 40).map((one) => html`<${Fate} key=${one.what} one=${one} />`)}</ul>
      ${left.length > 40 && html`<p class="soft">And ${number(left.length - 40)} more.</p>`}</div></div>`;
}

export function Context({ query, changes }) {
  const [text, setText] = useState(query.get("q") ?? "");
  const [budget, setBudget] = useState(1000);
  const asked = useLater(JSON.stringify([text, budget]), 250);
  const built = useAsked((options) => {
    const [question, tokens] = JSON.parse(asked);
    return question.trim() ? post("/v1/context", { query: question, token_budget: tokens, count_use: false }, options).then((context) => ({ context, budget: tokens, query: question })) : Promise.resolve(null);
  }, [asked, changes]);
  return html`<h1>Context preview</h1><p class="lead">Exactly what would be put before the model for a question.</p>
    <div class="form"><label class="wide">Question<input type="search" value=${text} onInput=${(event) => setText(event.target.value)} placeholder="What should I cook tonight?" /></label>
      <label class="wide">Budget: ${count(budget, "token")}<input type="range" min="50" max="4000" step="50" value=${budget} onInput=${(event) => setBudget(Number(event.target.value))} /></label></div>
    <${Asked} of=${built}>${(value) => value ? html`<${Built} ...${value} />`
      : html`<${Empty} title="Ask something">A context is made of ${Object.values(TITLES).join(", ").toLowerCase()}, within a budget of tokens. Move the slider, and see what has to stay out.<//>`}<//>`;
}
