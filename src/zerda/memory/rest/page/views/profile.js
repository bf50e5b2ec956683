// What is known of the user: what they stated, and what was learnt, with the memories that say so.

import { call, get } from "../api.js";
import { Asked, Empty, Fault, Stat, allows, count, day, html, memoryLink, number, useAsked, useState, words } from "../parts.js";

function Preferences({ stated, who, again }) {
  const [fault, setFault] = useState(null);
  const set = (preferences) => call("PATCH", "/v1/preferences", { preferences }).then(again, setFault);
  const add = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    set({ [form.get("name")]: form.get("value") }).then(() => event.target.reset());
  };
  const may = allows(who, "writer");
  return html`<h2>Stated preferences</h2>${fault && html`<${Fault} fault=${fault} />`}
    ${Object.keys(stated).length === 0 ? html`<p class="soft">None yet.</p>` : html`<ul class="plain">${Object.entries(stated).map(([name, value]) => html`<li class="card"><div class="meta"><b>${name}</b>
      <span class="said" dir="auto">${typeof value === "string" ? value : JSON.stringify(value)}</span>${may && html`<button class="quiet" onClick=${() => set({ [name]: null })}>Take back</button>`}</div></li>`)}</ul>`}
    ${may && html`<br /><form class="form" onSubmit=${add}><label>Name<input name="name" required /></label><label class="wide">Preference<input name="value" required /></label><button>State it</button></form>`}`;
}

const Learnt = ({ one }) => html`<li class="card"><div class="meta"><b class="said">${one.value}</b><span>${words(one.trait)}</span><span>${count(one.count, "time")}</span><span>last ${day(one.at)}</span></div>
  <div class="meta">Evidence: ${one.entry_ids.slice(-5).map((id, n) => html`<a href=${memoryLink(id)}>memory ${n + 1}</a>`)}${one.entry_ids.length > 5 && html`<span>and ${number(one.entry_ids.length - 5)} more</span>`}</div></li>`;

export function Profile({ who, changes }) {
  const asked = useAsked((options) => get("/v1/profile", options), [changes]);
  return html`<h1>Profile</h1><p class="lead">What is known of ${who.user_id}, and how it is known.</p><${Asked} of=${asked}>${(profile) => html`<div class="stats">
      <${Stat} name="Exchanges" value=${number(profile.total_interactions)} /><${Stat} name="Sessions" value=${number(profile.session_count)} />
      <${Stat} name="Retention boost" value=${`+${number(Math.round(profile.memory_retention_boost * 100))} %`} note="of importance" /></div>
    <${Preferences} stated=${profile.explicit_preferences} who=${who} again=${asked.again} />
    <h2>Learnt</h2>${profile.learnt.length === 0 ? html`<${Empty} title="Nothing learnt yet">Language, interests and habits are learnt from exchanges, each with the memories that show it.<//>`
      : html`<ul class="plain">${profile.learnt.slice(0, 30).map((one) => html`<${Learnt} key=${one.trait + one.value} one=${one} />`)}</ul>`}`}<//>`;
}
