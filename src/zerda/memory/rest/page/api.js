// The operations of the server, and nothing else: what this page knows, it asks for here.

const KEPT = "zerda.key";

// A key may come behind the `#` of the address, which no server sees; it leaves the address at once.
export function keyFromAddress() {
  const given = /^#key=(.+)$/.exec(location.hash);
  if (!given) return;
  sessionStorage.setItem(KEPT, decodeURIComponent(given[1]));
  history.replaceState(null, "", location.pathname + "#/overview");
}

export const key = () => sessionStorage.getItem(KEPT);
export const keep = (text) => sessionStorage.setItem(KEPT, text);
export const leave = () => sessionStorage.removeItem(KEPT);

export class Problem extends Error {
  constructor(status, told) {
    super(told.detail || told.title || `The server answered ${status}.`);
    this.status = status;
  }
}

export async function call(method, path, body, { signal, headers } = {}) {
  const answer = await fetch(path, {
    method, signal,
    headers: {
      Authorization: `Bearer ${key()}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error) => {
    throw error.name === "AbortError" ? error : new Problem(0, { detail: "The server cannot be reached." });
  });
  const told = answer.headers.get("content-type")?.includes("json") ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Problem(answer.status, told);
  return told;
}

export const get = (path, options) => call("GET", path, undefined, options);
export const post = (path, body = {}, options) => call("POST", path, body, options);
export const entryPath = (id, rest = "") => `/v1/entries/${encodeURIComponent(id)}${rest}`;

// Reads the stream of changes until it is told to stop, and begins again where it broke.
export function watch(changed, connected) {
  const ended = new AbortController();
  (async () => {
    let last = null;
    while (!ended.signal.aborted) {
      try {
        last = await follow(last, changed, connected, ended.signal);
      } catch (error) {
        if (error instanceof Problem && [401, 403].includes(error.status)) break;
      }
      connected(false);
      await new Promise((wake) => setTimeout(wake, 2000));
    }
  })();
  return () => ended.abort();
}

async function follow(last, changed, connected, signal) {
  const headers = { Authorization: `Bearer ${key()}`, ...(last ? { "Last-Event-ID": last } : {}) };
  const answer = await fetch("/v1/changes", { headers, signal });
  if (!answer.ok) throw new Problem(answer.status, {});
  connected(true);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return last;
      const events = (rest + value).split(/\r?\n\r?\n/);
      rest = events.pop();
      for (const event of events) {
        last = /^id: ?(.*)$/m.exec(event)?.[1] ?? last;
        const data = /^data: ?(.*)$/m.exec(event)?.[1];
        if (data) changed(JSON.parse(data));
      }
    }
  } catch {
    return last;
  }
}
