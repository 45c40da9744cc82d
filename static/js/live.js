// Keeps parts of a page fresh. The stream says only "log L is now at version N"; this page then fetches what its own
// viewer may see.
//
//   <div id="entries" data-live="/live/3/" data-live-get="/campaigns/x/parts/" data-live-version="17">…</div>
//
// data-live is the address of the stream (several logs: /live/3,7/), data-live-get what to fetch (without it: this page,
// of which the element with the same id is taken), data-live-version the version it was drawn at, "3=17,7=4" for several
// logs (without it the part is fetched once on opening); data-live-few marks what only a few see, which is fetched
// at once. All parts of a page share one stream. On <html> the class "offline" stands while the line is
// dead. Events on document: live:up, live:down, live:refresh (asks for everything to be fetched now). On the element:
// live:fetched before it is drawn (prevented, the page draws it itself), live:drawn after.

import { draw } from "./morph.js";

const JITTER = 200; // a page full of viewers does not ask in the same millisecond
const SILENCE = 40_000; // the server beats every 15 s; a line this quiet is dead
const CALM = 2_500; // a hiccup shorter than this is not worth a word
const HIDDEN = 1_000; // a hidden tab gives its connection back: a browser has only six per site
const TIMEOUT = 15_000;
const PATIENCE = 1_500; // news do not wait longer for the answer to an entry
const LONGEST = 30_000;

// Names this page to the server, so that its next stream replaces a dead one. Not a secret.
const page = Math.random().toString(36).slice(2) + Date.now().toString(36);

const newest = new Map(); // log -> version, from the stream
const parts = new Map(); // address to fetch -> { etag, busy, again, timer, due, tries, drawn, gone }
const drawnAt = new WeakMap(); // element -> "3=17,7=4"

let source = null;
let address = "";
let lastSign = 0;
let failures = 0;
let reopenTimer = 0;
let lostTimer = 0;
let hideTimer = 0;
let ended = false;

const elements = () => [...document.querySelectorAll("[data-live]")];
const getFrom = (element) => element.dataset.liveGet || location.pathname + location.search;
const prefixAndLogs = (element) => {
  const [, prefix, logs] = /^(.*\/)([\d,]+)\/?$/.exec(element.dataset.live) ?? [null, "", ""];
  return [prefix, logs.split(",").filter(Boolean)];
};
const logsOf = (element) => prefixAndLogs(element)[1];
const wait = (tries) => Math.min(LONGEST, 1000 * 2 ** tries) * (0.5 + Math.random() / 2);

// The one stream

function wantedAddress() {
  const logs = new Set();
  let prefix = "";
  for (const element of elements()) {
    const [start, mine] = prefixAndLogs(element);
    prefix ||= start;
    for (const log of mine) logs.add(log);
  }
  const list = [...logs].sort((a, b) => a - b).slice(0, 20);
  return list.length ? `${prefix}${list.join(",")}/?page=${page}` : "";
}

function open() {
  clearTimeout(reopenTimer);
  close();
  address = wantedAddress();
  if (!address || ended || document.visibilityState === "hidden") return;
  const logs = /([\d,]+)\/\?/.exec(address)[1].split(",");
  const mine = new EventSource(address);
  source = mine;
  lastSign = Date.now();
  mine.addEventListener("open", () => {
    failures = 0;
    lastSign = Date.now();
    up();
  });
  mine.addEventListener("beat", () => { lastSign = Date.now(); });
  mine.addEventListener("version", (event) => {
    lastSign = Date.now();
    const [log, version] = event.data.includes("=") ? event.data.split("=") : [logs[0], event.data];
    newest.set(log, version);
    compare();
  });
  mine.addEventListener("error", () => {
    if (source !== mine) return;
    down();
    // The browser tries again by itself unless the server answered with an error; then it is for us to find out why.
    if (mine.readyState === EventSource.CLOSED) {
      close();
      failures += 1;
      reopenTimer = setTimeout(() => {
        refresh();
        open();
      }, wait(failures));
    }
  });
}

function close() {
  source?.close();
  source = null;
}

function up() {
  clearTimeout(lostTimer);
  lostTimer = 0;
  document.documentElement.classList.remove("offline");
  show("live-lost", false);
  for (const [from, part] of parts) if (part.tries) soon(from, Math.random() * JITTER);
  document.dispatchEvent(new CustomEvent("live:up"));
}

function down() {
  if (!lostTimer) {
    lostTimer = setTimeout(() => {
      document.documentElement.classList.add("offline");
      show("live-lost", true);
    }, CALM);
  }
  document.dispatchEvent(new CustomEvent("live:down"));
}

function show(id, yes) {
  const mark = document.getElementById(id);
  if (mark) mark.hidden = !yes;
}

// Fetching what changed

function stale(element) {
  const logs = logsOf(element);
  const told = element.dataset.liveVersion;
  const seen = !told ? drawnAt.get(element) ?? "" : told.includes("=") ? told : `${logs[0]}=${told}`;
  const had = new Map(seen.split(",").map((pair) => pair.split("=")));
  return logs.some((log) => newest.has(log) && had.get(log) !== newest.get(log));
}

function compare() {
  const due = new Map();
  for (const element of elements().filter((one) => stale(one) && !isAwaited(one))) due.set(getFrom(element), "liveFew" in element.dataset ? 0 : JITTER);
  for (const [from, jitter] of due) soon(from, Math.random() * jitter);
}

function refresh() {
  for (const from of new Set(elements().map(getFrom))) soon(from, 0);
}

function soon(from, delay) {
  if (ended || document.visibilityState === "hidden") return; // on return the stream tells what was missed
  if (!parts.has(from)) parts.set(from, { etag: "", busy: false, again: "", timer: 0, due: 0, tries: 0, drawn: 0, gone: false });
  const part = parts.get(from);
  if (part.gone) return;
  const due = Date.now() + delay;
  if (part.busy) part.again = delay === 0 || part.again === "now" ? "now" : "if stale";
  else if (!part.timer || due < part.due) {
    clearTimeout(part.timer);
    part.due = due;
    part.timer = setTimeout(fetchPart, delay, from, part);
  }
}

async function fetchPart(from, part) {
  part.timer = 0;
  part.busy = true;
  part.again = "";
  const heard = new Map(newest);
  const giveUp = new AbortController();
  const clock = setTimeout(() => giveUp.abort(), TIMEOUT);
  let failed = false;
  try {
    const headers = { "X-Live": "1" };
    if (part.etag) headers["If-None-Match"] = part.etag;
    const answer = await fetch(from, { headers, cache: "no-store", signal: giveUp.signal });
    if (answer.status === 304) {
      drawn(from, heard);
    } else if (answer.ok && !wentElsewhere(answer, from)) {
      const html = await answer.text();
      part.etag = answer.headers.get("ETag") ?? "";
      part.drawn = Date.now();
      for (const element of elements().filter((one) => getFrom(one) === from)) {
        delete element.dataset.liveVersion;
        const fetched = new CustomEvent("live:fetched", { bubbles: true, cancelable: true, detail: { html } });
        if (!element.dispatchEvent(fetched)) continue; // a page that draws it in its own time
        draw(element, html);
        element.dispatchEvent(new CustomEvent("live:drawn", { bubbles: true }));
      }
      drawn(from, heard);
    } else if (answer.status < 500 && answer.status !== 429 && answer.status !== 408) {
      part.gone = true;
      if (elements().every((one) => parts.get(getFrom(one))?.gone)) end();
    } else {
      failed = true;
    }
  } catch {
    failed = true;
    down();
  } finally {
    clearTimeout(clock);
    part.busy = false;
  }
  if (failed) {
    part.tries += 1;
    soon(from, wait(part.tries));
  } else {
    const recovered = part.tries > 0;
    part.tries = 0;
    if (recovered && source?.readyState === EventSource.OPEN) up();
    if (part.again === "now") soon(from, 0);
    else if (part.again) compare();
  }
}

function drawn(from, heard) {
  for (const element of elements().filter((one) => getFrom(one) === from)) {
    const logs = logsOf(element).filter((log) => heard.has(log));
    drawnAt.set(element, logs.map((log) => `${log}=${heard.get(log)}`).join(","));
  }
}

// An answer to an entry was drawn over a part. If the part was drawn anew while that entry was under way, the answer may be
// the older of the two, so the part is fetched once more.
document.addEventListener("outbox:drawn", ({ detail: { target, since, version } }) => {
  for (const element of elements().filter((one) => one.contains(target) || target.contains(one))) {
    const from = getFrom(element);
    const part = parts.get(from);
    if (part) part.etag = "";
    if (part && (part.busy || part.drawn >= since)) soon(from, 0);
    else if (version && element === target) shows(element, version);
  }
});

// The answer shows this version, though the stream may not have told of it yet.
function shows(element, version) {
  const [log, number] = version.split("=");
  if (Number(newest.get(log) ?? 0) < Number(number)) newest.set(log, number);
  delete element.dataset.liveVersion;
  drawnAt.set(element, version);
}

// While an entry is under way whose answer is drawn over a part, news of that part can wait: the answer has them.

const awaited = new Map(); // target -> timer
const isAwaited = (element) => [...awaited.keys()].some((target) => target.contains(element));

document.addEventListener("outbox:sending", ({ detail: { target } }) => {
  clearTimeout(awaited.get(target));
  awaited.set(target, setTimeout(answered, PATIENCE, target));
});
document.addEventListener("outbox:answered", ({ detail: { target } }) => answered(target));

function answered(target) {
  clearTimeout(awaited.get(target));
  if (awaited.delete(target)) compare();
}

// A log-in page instead of the part asked for.
function wentElsewhere(answer, from) {
  return answer.redirected && new URL(answer.url).pathname !== new URL(from, location.href).pathname;
}

// Tell a viewer without access once, and stop asking.
function end() {
  ended = true;
  clearTimeout(reopenTimer);
  clearTimeout(lostTimer);
  close();
  document.documentElement.classList.remove("offline");
  document.documentElement.classList.add("live-ended");
  show("live-lost", false);
  show("live-ended", true);
}

// When to listen

function settle() {
  clearTimeout(hideTimer);
  if (document.visibilityState === "hidden") {
    hideTimer = setTimeout(close, HIDDEN);
  } else if (!source || source.readyState === EventSource.CLOSED || wantedAddress() !== address) {
    open();
  }
}

document.addEventListener("visibilitychange", settle);
document.addEventListener("live:refresh", refresh);
window.addEventListener("pagehide", close);
window.addEventListener("pageshow", (event) => { if (event.persisted) settle(); });
window.addEventListener("online", open);
window.addEventListener("offline", () => { if (source) down(); });

setInterval(() => {
  if (source && Date.now() - lastSign > SILENCE) {
    down();
    open();
  }
}, 5_000);

let looking = 0;
new MutationObserver(() => {
  if (looking) return;
  looking = setTimeout(() => {
    looking = 0;
    if (wantedAddress() !== address && document.visibilityState !== "hidden") open();
  }, 50);
}).observe(document.body, { childList: true, subtree: true });

settle();
