// What several views are made of. Whatever was said is put in as text, never as markup.

import { html, useEffect, useState } from "./vendor/preact-htm.js";

export { html, useEffect, useState };
export { useCallback, useMemo, useRef } from "./vendor/preact-htm.js";

const ROLES = ["reader", "writer", "owner", "admin"];
export const allows = (who, role) => ROLES.indexOf(who.role ?? "reader") >= ROLES.indexOf(role);

const NUMBER = new Intl.NumberFormat("en");
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const TIME = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STEPS = [["year", 31536e3], ["month", 2592e3], ["day", 86400], ["hour", 3600], ["minute", 60]];

export const number = (value) => NUMBER.format(value ?? 0);
export const share = (value) => `${Math.round((value ?? 0) * 100)} %`;
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;
export const words = (text) => String(text).replaceAll("_", " ");
export const day = (at) => DAY.format(new Date(at));

export function size(bytes) {
  const steps = ["B", "KB", "MB", "GB", "TB"];
  let step = 0;
  for (; bytes >= 1000 && step < steps.length - 1; step += 1) bytes /= 1000;
  return `${bytes < 10 && step ? bytes.toFixed(1) : Math.round(bytes)} ${steps[step]}`;
}

export function ago(at) {
  const seconds = (new Date(at) - Date.now()) / 1000;
  const [unit, length] = STEPS.find(([, one]) => Math.abs(seconds) >= one) ?? ["second", 1];
  return Math.abs(seconds) < 45 ? "just now" : AGO.format(Math.round(seconds / length), unit);
}

export const When = ({ at }) =>
  at ? html`<time datetime=${at} title=${TIME.format(new Date(at))}>${ago(at)}</time>` : html`<span>never</span>`;
export const Moment = ({ at }) => (at ? html`<time datetime=${at}>${TIME.format(new Date(at))}</time>` : "never");

export const textOf = ({ content }) =>
  typeof content === "string" ? content
    : content.input !== undefined ? `${content.input}\n${content.output ?? ""}` : JSON.stringify(content, null, 2);

const AT_ONCE = 4000;

// Said by somebody: in its own direction, and of a long text only so much as can be read at a time.
export function Said({ text, most = AT_ONCE }) {
  const [shown, show] = useState(most);
  const rest = text.length - shown;
  return html`<div class="said" dir="auto">${text.slice(0, shown)}${rest > 0 ? "…" : ""}</div>
    ${rest > 0 && most >= AT_ONCE && html`<button class="quiet" onClick=${() => show(shown + 5 * AT_ONCE)}>
      Show more (${number(rest)} characters left)</button>`}`;
}

export function Whole({ entry }) {
  const { content } = entry;
  if (typeof content === "string" || content.input === undefined) return html`<${Said} text=${textOf(entry)} />`;
  return html`<div class="exchange">
    <div><b class="role">User</b><${Said} text=${content.input} /></div>
    <div><b class="role">Assistant</b><${Said} text=${content.output ?? ""} /></div></div>`;
}

// What a view needs, asked for when it opens and whenever one of `on` changes.
export function useAsked(ask, on) {
  const [state, set] = useState({ loading: true });
  const [round, again] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    set((before) => ({ ...before, loading: true }));
    ask({ signal: ended.signal }).then(
      (value) => ended.signal.aborted || set({ value, loading: false }),
      (fault) => ended.signal.aborted || set({ fault, loading: false }),
    );
    return () => ended.abort();
  }, [...on, round]);
  return { ...state, again: () => again(round + 1) };
}

export function Asked({ of, children }) {
  if (of.fault) return html`<${Fault} fault=${of.fault} again=${of.again} />`;
  if (of.value === undefined) return html`<p class="loading" role="status">Loading…</p>`;
  return html`<div class=${of.loading ? "settling" : ""} aria-busy=${of.loading}>${children(of.value)}</div>`;
}

export function Fault({ fault, again }) {
  const title = { 401: "This key opens nothing any more", 403: "Not allowed", 404: "Not found" }[fault.status];
  return html`<div class="note bad" role="alert"><h3>${title ?? "That did not work"}</h3><p>${fault.message}</p>
    ${again && fault.status !== 404 && html`<button onClick=${again}>Try again</button>`}</div>`;
}

export const Empty = ({ title, children }) => html`<div class="empty"><h3>${title}</h3><p>${children}</p></div>`;

export const Badge = ({ children, tone = "" }) => html`<span class="badge ${tone}">${children}</span>`;

export function Badges({ entry }) {
  const masked = Object.values(entry.masked ?? {}).reduce((sum, n) => sum + n, 0);
  return html`<${Badge}>${entry.kind}<//>
    ${entry.pinned && html`<${Badge} tone="good">pinned<//>`}
    ${entry.archived_at && html`<${Badge} tone="warn">${entry.archived_because?.startsWith("quarantin") ? "quarantined" : "archived"}<//>`}
    ${entry.trust === "untrusted" && html`<${Badge} tone="warn">untrusted<//>`}
    ${masked > 0 && html`<${Badge}>${count(masked, "value")} masked<//>`}
    ${entry.version > 1 && html`<${Badge}>version ${entry.version}<//>`}`;
}

export const memoryLink = (id) => `#/memory/${encodeURIComponent(id)}`;

export function Card({ entry, children }) {
  return html`<li class="card"><a class="cover item" href=${memoryLink(entry.id)}>
      <${Said} text=${textOf(entry).trim() || "(nothing said)"} most=${280} /></a>
    <div class="meta"><${Badges} entry=${entry} /><${When} at=${entry.occurred_at} />
      ${entry.speaker && html`<span>${entry.speaker}</span>`}</div>${children}</li>`;
}

const HUES = { words: 1, meaning: 2, neighbours: 3, session: 4, time: 5, dates: 5, speaker: 6, prior: 7, standing: 8 };

// What each step of the ranking gave or took, as a bar of the parts that count.
export function Parts({ parts }) {
  const told = Object.entries(parts ?? {}).filter(([, value]) => Math.abs(value) >= 0.005);
  const whole = told.reduce((sum, [, value]) => sum + Math.abs(value), 0);
  if (!told.length) return null;
  return html`<div class="parts"><div class="bar" aria-hidden="true">
      ${told.map(([name, value]) => html`<i class=${`hue${HUES[name] ?? 8}${value < 0 ? " less" : ""}`}
        style=${{ width: `${(100 * Math.abs(value)) / whole}%` }}></i>`)}</div>
    <ul class="legend">${told.map(([name, value]) => html`<li><i class=${`hue${HUES[name] ?? 8}`}></i>
      ${name} <b>${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}</b></li>`)}</ul></div>`;
}

export function Stat({ name, value, note }) {
  return html`<div class="stat"><span>${name}</span><b>${value}</b>${note && html`<small>${note}</small>`}</div>`;
}

export function Rows({ head, rows, label }) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table>
    <thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

export function useLater(value, milliseconds) {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export function Dialog({ title, close, children }) {
  useEffect(() => {
    const before = document.activeElement;
    const dialog = document.querySelector("dialog");
    dialog.showModal();
    return () => before?.focus?.();
  }, []);
  return html`<dialog aria-label=${title} onCancel=${(event) => { event.preventDefault(); close(); }}
    onClick=${(event) => event.target.tagName === "DIALOG" && close()}><h2>${title}</h2>${children}</dialog>`;
}
