// The shell: who is looking, which view is open, what the keyboard does.

import { get, keep, key, keyFromAddress, leave, watch } from "./api.js";
import { Dialog, Fault, allows, html, useEffect, useState } from "./parts.js";
import { render } from "./vendor/preact-htm.js";
import { Context } from "./views/context.js";
import { Entities } from "./views/entities.js";
import { Memory } from "./views/memory.js";
import { Overview } from "./views/overview.js";
import { Profile } from "./views/profile.js";
import { Review } from "./views/review.js";
import { Search } from "./views/search.js";
import { Sessions } from "./views/sessions.js";
import { Audit, Settings } from "./views/tenant.js";
import { Timeline } from "./views/timeline.js";

const VIEWS = [
  ["overview", "Overview", "o", Overview], ["search", "Search", "s", Search],
  ["context", "Context preview", "c", Context], ["timeline", "Timeline", "t", Timeline],
  ["sessions", "Sessions", "v", Sessions], ["entities", "People and things", "n", Entities],
  ["profile", "Profile", "p", Profile], ["review", "Review", "r", Review],
  ["audit", "Audit and erasures", "a", Audit], ["settings", "Settings and keys", "k", Settings],
];
const SHORTCUTS = [
  ["/", "Search"], ["g, then a letter", VIEWS.map(([, title, letter]) => `${letter} ${title}`).join(" · ")],
  ["j  k", "Next and previous item"], ["Enter", "Open it"], ["b", "Blur what was said, or show it"],
  ["d", "Dark or light"], ["e  p  a  x", "On a memory: edit, pin, archive, forget"], ["?", "This list"], ["Esc", "Close"],
];

function place() {
  const [, path, query] = /^#?\/?([^?]*)\??(.*)$/s.exec(location.hash);
  const [view, ...rest] = path.split("/");
  let id = rest.join("/");
  try { id = decodeURIComponent(id); } catch { /* Not one of our links: it names nothing. */ }
  return { view: view || "overview", id, query: new URLSearchParams(query) };
}

const setting = (name) => localStorage.getItem(`zerda.${name}`);
const dark = () => (setting("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function show() {
  document.documentElement.classList.toggle("dark", dark());
  document.documentElement.classList.toggle("blur", setting("blur") === "on");
}
function toggle(name, value) {
  localStorage.setItem(`zerda.${name}`, value);
  show();
}
const turn = () => toggle("theme", dark() ? "light" : "dark");
const blur = () => toggle("blur", setting("blur") === "on" ? "off" : "on");

function step(by) {
  const items = [...document.querySelectorAll("main .item")];
  const next = items.indexOf(document.activeElement) + by;
  items[Math.max(0, Math.min(items.length - 1, next))]?.focus();
}

let gone = false;
function pressed(event, help) {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
  if (document.querySelector("dialog")) return;
  const { key: letter } = event;
  const view = gone && VIEWS.find(([, , own]) => own === letter);
  gone = letter === "g";
  const does = { "?": help, "/": () => search(), j: () => step(1), k: () => step(-1), b: blur, d: turn }[letter];
  if (view) location.hash = `#/${view[0]}`;
  else if (does) does();
  else document.querySelector(`main [data-key="${CSS.escape(letter)}"]`)?.click();
  if (view || does) event.preventDefault();
}
function search() {
  location.hash = "#/search";
  setTimeout(() => document.querySelector("main input")?.focus());
}

function Entrance({ fault, enter }) {
  const submit = (event) => {
    event.preventDefault();
    enter(new FormData(event.target).get("key").trim());
  };
  return html`<main class="entrance"><h1>zerda.memory</h1>
    <p class="lead">See what is remembered, and why. A key opens the memory of one user.</p>
    ${fault && html`<${Fault} fault=${fault} />`}
    <form onSubmit=${submit}><label>Key<input name="key" type="password" autocomplete="off" required autofocus /></label>
      <button class="main">Open</button></form>
    <p class="soft"><br />No key yet? On the machine of the server: <code>zerda keys create --admin</code>,
      or <code>zerda ui</code>, which brings its own.</p></main>`;
}

function Shell({ who, out }) {
  const [at, go] = useState(place());
  const [help, setHelp] = useState(false);
  const [open, setOpen] = useState(false);
  const [live, setLive] = useState(false);
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    let waiting; // Many changes at once are one: a view asks anew twice a second at the most.
    const told = () => { waiting = null; setChanges((n) => n + 1); };
    const end = watch(() => { waiting ??= setTimeout(told, 500); }, setLive);
    return () => { clearTimeout(waiting); end(); };
  }, []);
  useEffect(() => {
    const moved = () => { go(place()); setOpen(false); scrollTo(0, 0); };
    const typed = (event) => pressed(event, () => setHelp(true));
    addEventListener("hashchange", moved);
    addEventListener("keydown", typed);
    return () => { removeEventListener("hashchange", moved); removeEventListener("keydown", typed); };
  }, []);
  const known = at.view === "memory" ? ["memory", "Memory", "", Memory] : VIEWS.find(([name]) => name === at.view);
  useEffect(() => { document.title = `${known?.[1] ?? "Not found"} · zerda.memory`; });
  const View = known?.[3];
  return html`<div class="shell">
    <header class=${`side ${open ? "open" : ""}`}>
      <div class="top"><a class="brand" href="#/overview"><img src="/page/icon.svg" alt="" />zerda.memory</a>
        <button class="menu" aria-expanded=${open} onClick=${() => setOpen(!open)}>Menu</button></div>
      <nav aria-label="Views">${VIEWS.filter(([name]) => name !== "audit" || allows(who, "admin")).map(([name, title]) =>
        html`<a href=${`#/${name}`} aria-current=${name === at.view ? "page" : null}>${title}</a>`)}</nav>
      <footer><span class=${`live ${live ? "on" : ""}`} role="status">${live ? "Live" : "Not connected"}</span>
        <span>${who.user_id} in ${who.tenant_id}, ${who.role ?? "as granted"}</span>
        <div class="tools"><button onClick=${blur} title="b">Blur</button><button onClick=${turn} title="d">Theme</button>
          <button onClick=${() => setHelp(true)} title="?">Keys</button><button onClick=${out}>Leave</button></div></footer>
    </header>
    <main tabindex="-1">${View ? html`<${View} key=${at.view + at.id} who=${who} id=${at.id} query=${at.query} changes=${changes} />`
      : html`<${Fault} fault=${{ status: 404, message: "There is no such view." }} />`}</main>
    ${help && html`<${Dialog} title="Keyboard" close=${() => setHelp(false)}><dl>${SHORTCUTS.map(([keys, does]) =>
      html`<dt><kbd>${keys}</kbd></dt><dd>${does}</dd>`)}</dl></${Dialog}>`}
  </div>`;
}

function App() {
  const [state, set] = useState({});
  const enter = (text) => {
    if (text) keep(text);
    get("/v1/whoami").then((who) => set({ who }), (fault) => {
      if (fault.status === 401) leave();
      set({ fault });
    });
  };
  const out = () => { leave(); set({}); };
  useEffect(() => { if (key()) enter(); }, []);
  if (state.who) return html`<${Shell} who=${state.who} out=${out} />`;
  return html`<${Entrance} fault=${state.fault} enter=${enter} />`;
}

show();
keyFromAddress();
document.getElementById("app").textContent = "";
render(html`<${App} />`, document.getElementById("app"));
