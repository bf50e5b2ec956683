// For admins: what was done and erased; keys and grants. And what everybody may take along.

import { call, get, key, post } from "../api.js";
import { Asked, Badge, Dialog, Empty, Fault, Moment, Rows, allows, day, html, number, useAsked, useState, words } from "../parts.js";

function Whole() {
  const [state, set] = useState({});
  const check = () => { set({ busy: true }); post("/v1/audit/verify", { heads: [] }).then((report) => set({ report }), (fault) => set({ fault })); };
  return html`<div class="actions"><button disabled=${state.busy} onClick=${check}>Check that the record is whole</button>
    ${state.report && html`<${Badge} tone=${state.report.whole ? "good" : "bad"}>${state.report.whole ? "whole" : "damaged"}<//>`}</div>${state.fault && html`<${Fault} fault=${state.fault} />`}`;
}

const Records = ({ records }) => html`<${Rows} label="Audit" head=${["When", "Who", "Did", "To", "Result"]} rows=${records.map((one) => [html`<${Moment} at=${one.at} />`, one.actor, `${words(one.action)}${one.count > 1 ? `, ${number(one.count)}` : ""}`,
  one.subject ?? "", one.result === "done" ? "done" : html`<${Badge} tone="warn">${one.result}<//>`])} />`;

export function Audit({ who, changes }) {
  const asked = useAsked(async (options) => {
    const [{ records }, { receipts }] = await Promise.all([get("/v1/audit?limit=200", options), get("/v1/receipts", options)]);
    return { records: records.reverse(), receipts: receipts.reverse() };
  }, [changes]);
  if (!allows(who, "admin")) return html`<${Fault} fault=${{ status: 403, message: "The audit is for admins of the tenant." }} />`;
  return html`<h1>Audit and erasures</h1><p class="lead">Who did what, never what was said.</p><${Whole} /><${Asked} of=${asked}>${({ records, receipts }) => html`
    <h2>Erasures</h2>${receipts.length === 0 ? html`<${Empty} title="Nothing was erased">Each erasure leaves a receipt, which tells how much went and nothing of what it was.<//>`
      : html`<${Rows} label="Receipts" head=${["When", "What", "Entries", "Complete", "Receipt"]} rows=${receipts.map((one) => [html`<${Moment} at=${one.at} />`, one.what, number(one.counts.entries), one.complete ? "yes" : "not yet", html`<code>${one.id}</code>`])} />`}
    <h2>Record</h2><${Records} records=${records} />`}<//>`;
}

async function download(path, name) {
  const answer = await fetch(path, { headers: { Authorization: `Bearer ${key()}` } });
  if (!answer.ok) throw new Error("The server refused the export.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Keys({ keys, again }) {
  const [state, set] = useState({});
  const create = (event) => {
    event.preventDefault();
    post("/v1/keys", Object.fromEntries(new FormData(event.target))).then((made) => { set({ made }); again(); }, (fault) => set({ fault }));
  };
  const revoke = (id) => call("DELETE", `/v1/keys/${encodeURIComponent(id)}`).then(() => { set({}); again(); }, (fault) => set({ fault }));
  return html`<h2>Keys</h2>${state.fault && html`<${Fault} fault=${state.fault} />`}
    ${state.made && html`<div class="note good"><h3>The key, shown this once</h3><p><code>${state.made.secret}</code></p></div>`}
    <form class="form" onSubmit=${create}><label>For user<input name="holder" required /></label><label>Role<select name="role"><option>reader</option><option>writer</option><option>owner</option><option>admin</option></select></label>
      <label class="wide">Name<input name="name" placeholder="the laptop" /></label><button>Make a key</button></form>
    <${Rows} label="Keys" head=${["User", "Role", "Name", "Made", ""]} rows=${keys.map((one) => [one.user_id, one.role ?? "", one.name, day(one.at), one.revoked_at ? "revoked" : html`<button class="danger" onClick=${() => set({ doomed: one })}>Revoke</button>`])} />
    ${state.doomed && html`<${Dialog} title="Revoke this key?" close=${() => set({})}><p>It opens nothing from the next call on: ${state.doomed.name || state.doomed.id} of ${state.doomed.user_id}.</p>
      <div class="actions"><button class="danger" onClick=${() => revoke(state.doomed.id)}>Revoke</button><button onClick=${() => set({})}>Keep it</button></div><//>`}`;
}

const Grants = ({ grants }) => html`<h2>Roles</h2><${Rows} label="Roles" head=${["Who", "Role", "Granted", "State"]} rows=${grants.map((one) => [one.principal, one.role, one.at ? day(one.at) : "", one.held ? "holds" : "revoked"])} />`;

export function Settings({ who, changes }) {
  const admin = allows(who, "admin");
  const [fault, setFault] = useState(null);
  const asked = useAsked(async (options) => {
    if (!admin) return null;
    const [{ keys }, { grants }] = await Promise.all([get("/v1/keys", options), get("/v1/grants", options)]);
    return { keys, grants };
  }, [changes]);
  return html`<h1>Settings and keys</h1><p class="lead">This key speaks for <b>${who.user_id}</b> in <b>${who.tenant_id}</b>; its role is ${who.role ?? "what was granted"}.</p>
    ${fault && html`<${Fault} fault=${fault} />`}
    <h2>Take it along</h2><p class="soft">All that is yours, as lines of JSON.</p><button onClick=${() => download("/v1/export", "memories.jsonl").catch((error) => setFault({ message: error.message }))}>Export</button>
    <${Asked} of=${asked}>${(value) => value && html`<${Keys} keys=${value.keys} again=${asked.again} /><${Grants} grants=${value.grants} />`}<//>`;
}
