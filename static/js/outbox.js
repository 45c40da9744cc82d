// A page never loses a tap. What a form marked data-outbox sends is first kept, then sent, and kept until the server has
// answered: in order, each with a key of its own, so that a second try counts once. It outlives a lost network, a reload
// and a closed tab; any page of the site sends what another left behind.
//
//   <form method="post" action="…" data-outbox data-outbox-label="note" data-outbox-target="#entries">
//     {% post_fields key … %}…
//
// data-outbox="tap": every press counts (a tracker's −1). Without "tap" a second press with the same contents is the
// same entry until the first is answered. data-outbox-label says what it is, data-outbox-target where the answer is drawn
// (without it: wherever its elements' ids stand, else nowhere). The request carries X-Outbox: 1. An answer may send the
// page on with HX-Redirect. Without JavaScript it is a plain form.
// Events on document: outbox:sent, outbox:refused, each with the item as detail; outbox:sending and outbox:answered with
// the target around each try; outbox:drawn with the target and the version that the answer shows (X-Live-Version).

import { csrfToken } from "./csrf.js";
import { draw, placesOf } from "./morph.js";

const PREFIX = "outbox:";
const LEASE = "outbox-lease";
const ANSWER = "outbox-answer";
const HELD = 15_000; // how long one tab may send before another may take over
const TIMEOUT = 12_000;
const LONGEST = 15_000;
const PATIENCE = 700; // an entry answered sooner is not shown as waiting
const ECHO = 5_000; // so soon after it the same press again is the first one's echo
const REFUSED = 8_000; // how long the sentence of a refused tap is shown
const STUMBLES = 3; // tries of an entry the service stumbles over, before the ones behind it go first
const NOT_YET = new Set([0, 408, 425, 502, 503, 504]);

// Random, though the page may be on plain http: getRandomValues is there, randomUUID is not.
function random() {
  return [...crypto.getRandomValues(new Uint8Array(9))].map((n) => "abcdefghijkmnpqrstuvwxyz23456789"[n & 31]).join("");
}

const TAB = random();
const forms = new Map(); // item id -> the form on this page it came from
const memory = new Map(); // items the browser would not store
const counted = new Map(); // address and words of what was taken -> when it was pressed
const tokens = new Map(); // item id -> the token of the page it was made on, for its first try

const box = document.getElementById("outbox");
const me = () => box?.dataset.who ?? "";

// Disk use

function read(id) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + id)) ?? memory.get(id) ?? null;
  } catch {
    return memory.get(id) ?? null;
  }
}

// One entry per item: two tabs that keep something at the same moment never overwrite each other.
function keep(item) {
  try {
    localStorage.setItem(PREFIX + item.id, JSON.stringify(item));
    memory.delete(item.id);
  } catch {
    memory.set(item.id, item);
  }
}

function forget(item) {
  memory.delete(item.id);
  try {
    localStorage.removeItem(PREFIX + item.id);
  } catch {
    // it was never stored
  }
}

function items() {
  const ids = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i += 1) {
      const name = localStorage.key(i);
      if (name.startsWith(PREFIX)) ids.add(name.slice(PREFIX.length));
    }
  } catch {
    // a browser that stores nothing
  }
  return [...ids].sort().map(read).filter(Boolean);
}

// Ids sort in the order of the taps, also when the clock is set back.
function nextId() {
  const last = items().at(-1)?.id.split("-")[0] ?? "0";
  return `${String(Math.max(Date.now(), Number(last) + 1)).padStart(15, "0")}-${random()}`;
}

const waiting = (item) => item.state === "waiting" && item.who === me();

// Taking a tap

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches?.("form[data-outbox]") || event.defaultPrevented) return;
  const button = event.submitter;
  const data = new FormData(form);
  if (button?.name) data.append(button.name, button.value);
  if ([...data.values()].some((value) => typeof value !== "string")) return; // a file cannot be kept
  event.preventDefault();
  const key = data.get("key") ?? random();
  const token = data.get("csrfmiddlewaretoken");
  data.delete("csrfmiddlewaretoken");
  data.delete("key");
  const words = new URLSearchParams(data).toString();
  // By attribute: a field named "action" would hide the form's own.
  const url = new URL(button?.getAttribute("formaction") ?? form.getAttribute("action") ?? "", location.href).href;
  const pending = [...forms].some(([id, one]) => one === form && read(id)?.state === "waiting" && read(id).words === words);
  if (pending && form.dataset.outbox !== "tap") {
    pump();
    return;
  }
  const id = nextId();
  const item = {
    id,
    url,
    words,
    // The drawn key names the form, the rest this one press; so a page shown twice never uses a key twice.
    key: `${key}-${id.split("-")[1]}`,
    label: button?.dataset.outboxLabel ?? form.dataset.outboxLabel ?? "",
    excerpt: excerpt(form),
    target: form.dataset.outboxTarget ?? "",
    every: form.dataset.outbox === "tap",
    who: me(),
    tab: TAB,
    at: Date.now(),
    tries: 0,
    state: "waiting",
    sentence: "",
  };
  forms.set(id, form);
  if (token) tokens.set(id, token);
  form.setAttribute("aria-busy", "true");
  keep(item);
  setTimeout(() => {
    // From here on the entry stands in the list of what waits, and the form is free for the next.
    if (read(id)?.state === "waiting") release(item);
    render();
  }, PATIENCE);
  pump();
}, { capture: true });

function excerpt(form) {
  const field = form.querySelector("textarea, input[type=text], input:not([type])");
  const words = field?.value.trim().replace(/\s+/g, " ") ?? "";
  return words.length > 60 ? `${words.slice(0, 59)}…` : words;
}

function sameAsSent(form, item) {
  const now = new FormData(form);
  now.delete("csrfmiddlewaretoken");
  now.delete("key");
  const words = new URLSearchParams(now).toString();
  // The pressed button's own value is part of what was sent, but not of the form at rest.
  return words === item.words || item.words.startsWith(`${words}&`);
}

// Sending, one at a time, in one tab

let pumping = false;
let asked = false; // the line came back while a try was under way that began before
let timer = 0;
let pause = 0;
let current = "";

async function pump() {
  clearTimeout(timer);
  if (pumping) return;
  pumping = true;
  asked = false;
  try {
    for (;;) {
      const item = items().find(waiting);
      if (!item) break;
      if (!(await takeLease())) {
        later(1_000);
        break;
      }
      current = item.id;
      const target = item.target && document.querySelector(item.target);
      if (target) document.dispatchEvent(new CustomEvent("outbox:sending", { detail: { target } }));
      let outcome;
      try {
        outcome = await deliver(item);
      } finally {
        if (target) document.dispatchEvent(new CustomEvent("outbox:answered", { detail: { target } }));
      }
      current = "";
      if (outcome === "later") {
        release(item);
        pause = asked ? 200 : Math.min(LONGEST, pause ? pause * 2 : 1_000);
        later(item.after || pause * (0.75 + Math.random() / 2));
        break;
      }
      pause = 0;
    }
  } catch (error) {
    console.error(error); // an answer that could not be drawn; what is behind it still goes out
    later(1_000);
  } finally {
    pumping = false;
    if (!items().some(waiting)) dropLease();
    render();
  }
}

function later(delay) {
  clearTimeout(timer);
  timer = setTimeout(pump, delay);
}

function soon() {
  pause = 0;
  asked = true;
  pump();
}

// Gives "done", or "later" when the line or the service is away.
async function deliver(item) {
  // The token goes with the page it was drawn on, and logging in changes it: an entry sent with the token of its own page
  // can never count as somebody else's. Any other token is fetched together with the word whose it is.
  let token = tokens.get(item.id);
  tokens.delete(item.id);
  if (!token) {
    token = await tokenFor(item);
    if (!token) return item.who === me() ? "later" : "done";
  }
  item.tries += 1;
  item.after = 0;
  item.sentAt = Date.now();
  keep(item);
  let answer = await post(item, token);
  // An old token, or a log-out: find out which before it counts as a refusal.
  if (answer.status === 403 || answer.status === 404) {
    token = await tokenFor(item);
    if (!token) return item.who === me() ? "later" : "done";
    answer = await post(item, token);
  }
  if (!read(item.id)) return "done"; // dismissed in the meantime
  const { status } = answer;
  if (NOT_YET.has(status)) return "later";
  if (status === 429) {
    item.sentence = sentenceIn(answer);
    item.after = Math.min(120, Math.max(2, Number(answer.retryAfter) || 10)) * 1000;
    keep(item);
    return "later";
  }
  if (status >= 500) {
    if (item.tries < STUMBLES) return "later";
    item.state = "broken";
    keep(item);
    return "done";
  }
  if (status === 401 || (answer.redirected && box?.dataset.logIn && new URL(answer.url).pathname === box.dataset.logIn)) {
    item.state = "log-in";
    keep(item);
    return "done";
  }
  if (status === 409 && isEcho(item)) hush(item);
  else if (status >= 400) refuse(item, sentenceIn(answer));
  else finish(item, answer);
  return "done";
}

async function timed(url, options) {
  const giveUp = new AbortController();
  const clock = setTimeout(() => giveUp.abort(), TIMEOUT);
  try {
    const response = await fetch(url, { ...options, cache: "no-store", signal: giveUp.signal });
    // The body belongs to the answer: a line that dies in the middle of it has not answered.
    const text = await response.text();
    const head = (name) => response.headers.get(name) ?? "";
    return { status: response.status, url: response.url, redirected: response.redirected, text, type: head("Content-Type"), go: head("HX-Redirect"), retryAfter: head("Retry-After"), version: head("X-Live-Version") };
  } catch {
    return { status: 0, url: "", redirected: false, text: "", type: "", go: "", retryAfter: "", version: "" };
  } finally {
    clearTimeout(clock);
  }
}

function post(item, token) {
  const body = new URLSearchParams(item.words);
  body.set("key", item.key);
  const headers = { "X-Outbox": "1", "X-CSRFToken": token, Accept: "application/json, text/html;q=0.9" };
  return timed(item.url, { method: "POST", body, headers });
}

// A token that is good now, or "" if there is no line or this browser is somebody else's now: then the entry waits for
// the one who made it.
async function tokenFor(item) {
  if (!box?.dataset.token) return csrfToken();
  const answer = await timed(box.dataset.token, {});
  try {
    const { token, who } = JSON.parse(answer.text);
    box.dataset.who = who;
    return who === item.who ? token : "";
  } catch {
    return "";
  }
}

function sentenceIn(answer) {
  try {
    if (answer.type.includes("json")) return JSON.parse(answer.text).refusal ?? "";
  } catch {
    return "";
  }
  const page = new DOMParser().parseFromString(answer.text, "text/html");
  return page.querySelector(".refusal p, .refusal")?.textContent.trim() ?? "";
}

// What became of it

// A finger that trembled: the same was pressed a moment ago and taken, so that it is no longer possible is no news to anyone.
function isEcho(item) {
  return !item.every && item.at - (counted.get(`${item.url} ${item.words}`) ?? -Infinity) < ECHO;
}

function hush(item) {
  forget(item);
  release(item, true);
  document.dispatchEvent(new CustomEvent("live:refresh"));
}

function finish(item, answer) {
  forget(item);
  counted.set(`${item.url} ${item.words}`, item.at);
  item.sentence = "";
  const go = answer.go || (answer.redirected ? answer.url : "");
  try {
    localStorage.setItem(ANSWER, JSON.stringify({ id: item.id, go }));
  } catch {
    // no other tab then
  }
  const mine = item.tab === TAB && forms.has(item.id);
  const form = release(item, true);
  if (mine && go && !sameAddress(go)) {
    dropLease();
    location.assign(go);
    return;
  }
  const target = item.target && document.querySelector(item.target);
  const here = form?.isConnected || (target && new URL(item.url).pathname.startsWith(location.pathname));
  if (answer.redirected && mine) {
    const main = document.querySelector("main");
    if (main) draw(main, answer.text);
  } else if (here && answer.type.includes("html") && answer.text.trim()) {
    const places = target ? [target] : placesOf(answer.text);
    for (const place of places) {
      draw(place, answer.text);
      document.dispatchEvent(new CustomEvent("outbox:drawn", { detail: { target: place, since: item.sentAt, version: answer.version } }));
    }
  } else {
    document.dispatchEvent(new CustomEvent("live:refresh"));
  }
  say("sent", item);
  document.dispatchEvent(new CustomEvent("outbox:sent", { detail: item }));
}

function refuse(item, sentence) {
  item.state = "refused";
  item.sentence = sentence;
  keep(item);
  const form = forms.get(item.id);
  if (form?.isConnected) {
    form.removeAttribute("aria-busy");
    if (untouched(form)) refill(form, item);
  }
  document.dispatchEvent(new CustomEvent("outbox:refused", { detail: item }));
  // A refused tap has nothing in it that could be lost, so its sentence goes by itself.
  if (!item.excerpt) setTimeout(putAway, REFUSED, item);
}

function putAway(item) {
  if (read(item.id)?.state !== "refused") return;
  forget(item);
  forms.delete(item.id);
  render();
}

// The form is the player's again: empty, unless they have begun the next entry.
function release(item, forGood = false) {
  const form = forms.get(item.id);
  if (forGood) forms.delete(item.id);
  if (!form?.isConnected) return form;
  form.removeAttribute("aria-busy");
  if (sameAsSent(form, item)) form.reset();
  return form;
}

function sameAddress(url) {
  const there = new URL(url, location.href);
  return there.origin === location.origin && there.pathname === location.pathname && there.search === location.search;
}

function untouched(form) {
  return [...form.elements].every((field) => field.type === "hidden" || !("defaultValue" in field) || field.value === field.defaultValue);
}

function refill(form, item) {
  for (const [name, value] of new URLSearchParams(item.words)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && /^(text|search|email|url|tel|number|date)$/.test(field.type))) field.value = value;
  }
}

// Only one tab sends. Locks of the browser's own need https, so it is a note in the store with an end; should two tabs
// still send at once, the server counts a key once.

async function takeLease() {
  const free = () => {
    const held = leaseNow();
    return !held || held.tab === TAB || held.until < Date.now() || held.until > Date.now() + HELD * 2;
  };
  if (!free()) return false;
  const had = leaseNow()?.tab === TAB;
  try {
    localStorage.setItem(LEASE, JSON.stringify({ tab: TAB, until: Date.now() + HELD }));
  } catch {
    return true; // a browser that stores nothing shares nothing either
  }
  if (had) return true;
  await new Promise((resolve) => { setTimeout(resolve, 20 + Math.random() * 30); });
  return leaseNow()?.tab === TAB;
}

function leaseNow() {
  try {
    return JSON.parse(localStorage.getItem(LEASE));
  } catch {
    return null;
  }
}

function dropLease() {
  try {
    if (leaseNow()?.tab === TAB) localStorage.removeItem(LEASE);
  } catch {
    // nothing was held
  }
}

window.addEventListener("pagehide", dropLease);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") soon();
  else if (!current) dropLease();
});
window.addEventListener("pageshow", (event) => { if (event.persisted) soon(); });
window.addEventListener("online", soon);
document.addEventListener("live:up", soon);
window.addEventListener("storage", (event) => {
  if (event.key === ANSWER && event.newValue) {
    const { id, go } = JSON.parse(event.newValue);
    const form = forms.get(id);
    if (!form) return;
    forms.delete(id); // another tab sent it for this one
    if (form.isConnected) {
      form.removeAttribute("aria-busy");
      form.reset();
    }
    if (go && !sameAddress(go)) location.assign(go);
    else document.dispatchEvent(new CustomEvent("live:refresh"));
    return;
  }
  if (event.key === null || event.key.startsWith(PREFIX)) {
    render();
    if (event.newValue && waiting(JSON.parse(event.newValue))) later(1_000);
  }
});
// A store that could not take an entry leaves only this page to hold it.
window.addEventListener("beforeunload", (event) => {
  if ([...memory.values()].some(waiting)) event.preventDefault();
});

// What is shown

const word = (name) => box?.querySelector("#outbox-words")?.content.querySelector(`[data-word="${name}"]`)?.textContent ?? "";

function stateOf(item) {
  if (item.state === "waiting" && item.who !== me()) return ["other", ""];
  if (item.state === "waiting" && item.id === current) return ["sending", item.sentence];
  if (item.state === "waiting" && memory.has(item.id)) return ["unsaved", item.sentence];
  return [item.state, item.sentence];
}

function name(item) {
  const label = item.label || word("entry");
  return item.excerpt ? `${label}: ${item.excerpt}` : label;
}

function render() {
  if (!box) return;
  const list = box.querySelector(".outbox-list");
  const now = Date.now();
  const shown = items().filter((item) => item.state !== "waiting" || item.who !== me() || now - item.at >= PATIENCE);
  const rows = shown.map((item) => {
    const row = box.querySelector("#outbox-item").content.firstElementChild.cloneNode(true);
    const [state, sentence] = stateOf(item);
    row.dataset.item = item.id;
    row.classList.add(state);
    row.querySelector(".outbox-what bdi").textContent = name(item);
    row.querySelector(".outbox-state").textContent = sentence || word(state);
    row.querySelector("[data-outbox-again]").hidden = state !== "broken";
    row.querySelector("[data-outbox-put-away]").hidden = !["refused", "broken", "other", "log-in"].includes(state);
    return row;
  });
  const before = [...list.children].map((row) => row.outerHTML).join("");
  if (before !== rows.map((row) => row.outerHTML).join("")) {
    const held = document.activeElement?.closest?.(".outbox-item")?.dataset.item;
    list.replaceChildren(...rows);
    if (held) list.querySelector(`[data-item="${held}"] button:not([hidden])`)?.focus();
  }
  box.querySelector("[data-outbox-now]").hidden = !shown.some(waiting);
  box.hidden = rows.length === 0;
  const last = shown.at(-1);
  if (last && last.id + stateOf(last)[0] !== said) say(stateOf(last)[0], last);
}

let said = "";

// Told once to those who hear the page instead of seeing it.
function say(state, item) {
  said = item.id + state;
  const line = document.getElementById("outbox-said");
  const worthSaying = state !== "sending" && (state !== "sent" || Date.now() - item.at >= PATIENCE);
  if (line && worthSaying) line.textContent = `${name(item)}. ${item.sentence || word(state)}`;
}

box?.addEventListener("click", (event) => {
  if (event.target.closest("[data-outbox-now]")) {
    soon();
    return;
  }
  const item = read(event.target.closest(".outbox-item")?.dataset.item ?? "");
  if (!item) return;
  if (event.target.closest("[data-outbox-put-away]")) {
    forget(item);
    forms.delete(item.id);
    render();
  } else if (event.target.closest("[data-outbox-again]")) {
    item.state = "waiting";
    item.tries = 1;
    keep(item);
    render();
    soon();
  }
});

// Left behind by an earlier page; also what waited for its sender to log in again.
for (const item of items()) {
  if (item.state === "refused" && !item.excerpt) forget(item);
  if (item.state === "log-in" && item.who === me()) keep({ ...item, state: "waiting" });
}
render();
pump();
