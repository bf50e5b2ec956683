// One memory: what was said, where it is from, what became of it; and what may be done with it.

import { call, entryPath, get, post } from "../api.js";
import { Asked, Badge, Badges, Dialog, Fault, Moment, Said, Whole, allows, count, html, memoryLink, number, share, textOf, useAsked, useRef, useState, words } from "../parts.js";

const put = (path, body) => call("PUT", path, body);

function Origin({ entry }) {
  const { metadata } = entry;
  const rows = [
    ["Said", html`<${Moment} at=${entry.occurred_at} />`], ["Recorded", html`<${Moment} at=${entry.recorded_at} />`],
    ["Speaker", entry.speaker], ["Origin", entry.origin], ["Source", entry.source], ["Trust", entry.trust],
    ["Importance", share(entry.importance)], ["Seen by", entry.visibility === "tenant" ? "the tenant" : "the user alone"],
    ["Used", `${count(entry.access_count, "time")} in a context`],
    ["Last use", entry.last_access && html`<${Moment} at=${entry.last_access} />`],
    ["Ends", entry.expires_at && html`<${Moment} at=${entry.expires_at} />`],
    ["Archived because", entry.archived_because], ["Flags", entry.flags.join(", ")],
    ["Masked", Object.entries(entry.masked).map(([kind, n]) => `${n} ${words(kind)}`).join(", ")],
    ["Tags", entry.tags.join(", ")], ["Topics", entry.topics.join(", ")],
    ["Session", entry.session_id && html`<a href=${`#/sessions/${encodeURIComponent(entry.session_id)}`}>its conversation</a>`],
    ["Made of", entry.sources.length > 0 && entry.sources.map((id, n) => html`<a href=${memoryLink(id)}>memory ${n + 1}</a> `)],
    ["Metadata", Object.keys(metadata).length > 0 && html`<code dir="auto">${JSON.stringify(metadata)}</code>`],
    ["Id", html`<code>${entry.id}</code>`],
  ];
  return html`<section class="sheet"><h3>Origin and use</h3><dl>${rows.filter(([, value]) => value).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

function Edit({ entry, save, close }) {
  const [fault, setFault] = useState(null);
  const pair = typeof entry.content === "object" && entry.content.input !== undefined;
  const plain = typeof entry.content === "string";
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const content = pair ? { ...entry.content, input: form.get("input"), output: form.get("output") } : form.get("text");
    const said = pair || plain ? { content } : {};
    const tags = form.get("tags").split(",").map((tag) => tag.trim()).filter(Boolean);
    save({ ...said, importance: Number(form.get("importance")) / 100, tags }).catch(setFault);
  };
  return html`<${Dialog} title="Edit" close=${close}><form onSubmit=${submit}>
    ${fault && html`<${Fault} fault=${fault} />`}
    ${pair ? html`<label>User<textarea name="input" dir="auto">${entry.content.input}</textarea></label><label>Assistant<textarea name="output" dir="auto">${entry.content.output}</textarea></label>`
      : plain && html`<label>Text<textarea name="text" dir="auto">${entry.content}</textarea></label>`}
    <label>Importance, in percent<input name="importance" type="number" min="0" max="100" step="any" value=${Math.round(entry.importance * 100)} /></label>
    <label>Tags<input name="tags" value=${entry.tags.join(", ")} /></label>
    <p class="soft">The former version is kept until the memory is forgotten.</p>
    <div class="actions"><button class="main">Save</button><button type="button" onClick=${close}>Cancel</button></div></form><//>`;
}

const Counts = ({ counts }) => html`<dl>${Object.entries(counts).filter(([, n]) => n).map(([name, n]) => html`<dt>${words(name)}</dt><dd>${number(n)}</dd>`)}</dl>`;

function Forget({ id, close, begin, done }) {
  const preview = useAsked((options) => post("/v1/forget", { ids: [id], preview: true }, options), [id]);
  const [state, set] = useState({});
  const forget = () => { set({ busy: true }); begin(true); call("DELETE", entryPath(id)).then(done, (fault) => { begin(false); set({ fault }); }); };
  return html`<${Dialog} title="Forget this memory?" close=${close}>
    <p>It is erased for ever: there is no way back. To put it away instead, archive it.</p>
    <${Asked} of=${preview}>${({ counts }) => html`<h3>What would go</h3><${Counts} counts=${counts} />`}<//>
    ${state.fault && html`<${Fault} fault=${state.fault} />`}
    <div class="actions"><button class="danger" disabled=${state.busy || !preview.value} onClick=${forget}>Forget for ever</button>
      <button onClick=${close}>Keep it</button></div><//>`;
}

export const Receipt = ({ receipt }) => html`<div class="note good receipt" role="status"><h3>Forgotten</h3>
  <p>${receipt.complete ? "Nothing of it is left in the store." : "A reader still holds old pages; upkeep finishes the erasure."}</p>
  <${Counts} counts=${receipt.counts} /><dl><dt>Receipt</dt><dd><code>${receipt.id}</code></dd><dt>Digest</dt><dd><code>${receipt.digest}</code></dd></dl></div>`;

const Versions = ({ versions }) => html`<h2>Versions</h2><ul class="plain">${[...versions].reverse().map((one) => html`<li class="card">
  <div class="meta"><${Badge}>version ${one.version}<//><span>${number(textOf(one).length)} characters</span></div><${Said} text=${textOf(one)} most=${600} /></li>`)}</ul>`;

function Actions({ entry, who, act, open, reveal }) {
  if (!allows(who, "writer")) return null;
  const masked = Object.keys(entry.masked).length > 0;
  return html`<div class="actions"><button data-key="e" onClick=${() => open("edit")}>Edit</button>
    <button data-key="p" onClick=${() => act(put(entryPath(entry.id, "/pin"), { pinned: !entry.pinned }))}>${entry.pinned ? "Unpin" : "Pin"}</button>
    ${entry.archived_at ? html`<button data-key="a" onClick=${() => act(post(entryPath(entry.id, "/restore")))}>Restore</button>`
      : html`<button data-key="a" onClick=${() => act(post(entryPath(entry.id, "/archive")))}>Archive</button>`}
    ${masked && html`<button onClick=${reveal}>Show what was masked</button>`}
    <button class="danger" data-key="x" onClick=${() => open("forget")}>Forget…</button></div>`;
}

export function Memory({ who, id, changes }) {
  const [dialog, open] = useState(null);
  const [receipt, setReceipt] = useState(null);
  const [fault, setFault] = useState(null);
  const [shown, setShown] = useState(null);
  const going = useRef(null); // While it is erased, it is not asked for any more.
  const asked = useAsked(async (options) => {
    if (going.current) return going.current;
    const [entry, { versions }] = await Promise.all([get(entryPath(id), options), get(entryPath(id, "/history"), options)]);
    return { entry, versions };
  }, [id, changes]);
  const act = (doing) => { setFault(null); setShown(null); return doing.then(asked.again, setFault); };
  const save = (change) => call("PATCH", entryPath(id), change).then(() => { open(null); asked.again(); });
  if (receipt) return html`<h1>Memory</h1><${Receipt} receipt=${receipt} /><a href="#/timeline">To the timeline</a>`;
  return html`<h1>Memory</h1><${Asked} of=${asked}>${(value) => value && html`<p class="meta"><${Badges} entry=${value.entry} /></p>
    ${fault && html`<${Fault} fault=${fault} />`}
    <${Actions} entry=${value.entry} who=${who} act=${act} open=${open} reveal=${() => post(entryPath(id, "/reveal")).then(setShown, setFault)} />
    <div class="columns"><section class="sheet"><${Whole} entry=${shown ?? value.entry} /></section><${Origin} entry=${value.entry} /></div>
    ${value.versions.length > 1 && html`<${Versions} versions=${value.versions} />`}
    ${dialog === "edit" && html`<${Edit} entry=${value.entry} save=${save} close=${() => open(null)} />`}
    ${dialog === "forget" && html`<${Forget} id=${id} begin=${(now) => { going.current = now ? value : null; }} close=${() => open(null)} done=${(told) => { open(null); setReceipt(told); }} />`}`}<//>`;
}
