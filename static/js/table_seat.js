// A seat at a card table: tapping a card or a pen asks the server what it would do and draws that; one button confirms.
// Others' moves are drawn one at a time, and what moved is seen to move. Settings are kept on this device.

import { draw } from "./morph.js";
import { toast } from "./toast.js";

const FLIGHT = 300; // milliseconds
const QUIET = 1_000; // no bell so soon after a tap: whoever taps is looking
const PACE = 2_200; // how long a bot's move is shown before the next

const play = document.getElementById("play");
const frame = () => play.querySelector(".play");
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Settings of this device

function setting(name, otherwise) {
  try {
    return localStorage.getItem(`table:${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(`table:${name}`, value);
  } catch {
    // a browser that stores nothing: it holds until the page is left
  }
}

const pace = () => Number(setting("pace", PACE));

function showSettings() {
  const box = play.querySelector("[data-reminders]");
  if (!box) return;
  box.hidden = false;
  for (const input of box.querySelectorAll("[data-keep]")) {
    const kept = setting(input.dataset.keep, input.type === "radio" ? String(PACE) : "");
    input.checked = input.type === "radio" ? input.value === kept : kept === "on";
    input.defaultChecked = input.checked;
  }
  play.querySelector("[data-keep=vibrate]").closest("label").hidden = !navigator.vibrate;
}

document.addEventListener("change", (event) => {
  const name = event.target.dataset?.keep;
  if (!name) return;
  keep(name, event.target.type === "radio" ? event.target.value : event.target.checked ? "on" : "");
  if (name === "bell" && event.target.checked) ring();
  if (name === "vibrate" && event.target.checked) navigator.vibrate?.(60);
});

// Select

let looking = 0;

// Makes the page look again as it was last drawn, if a tap was shown since.
let takeBackTap = () => {};

// A tap is seen at once, however slow the line is. What it really selects is drawn with the answer.
function showTap(button) {
  takeBackTap(); // an earlier one that is not answered yet
  const tapped = button?.closest(".fan > li, .cell, .boardrow, .spot, .gchip");
  const chosen = [...(tapped?.parentElement.querySelectorAll(":scope > .is-chosen") ?? [])];
  for (const one of chosen) one.classList.remove("is-chosen");
  tapped?.classList.add("is-chosen");
  if (button?.matches(".btn")) button.classList.add("htmx-request");
  takeBackTap = () => {
    tapped?.classList.remove("is-chosen");
    for (const one of chosen) one.classList.add("is-chosen");
    button?.classList.remove("htmx-request");
    takeBackTap = () => {};
  };
}

async function look(form, value) {
  const mine = ++looking;
  const body = new FormData(form);
  body.set("pick", value);
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { "X-Live": "1" } });
    if (mine !== looking) return; // another card was tapped meanwhile
    if (answer.redirected) location.assign(answer.url);
    else if (answer.ok) {
      draw(play, await answer.text());
      drawn();
      // In very large letters the tray scrolls with the board; otherwise everything is in sight.
      const preventScroll = getComputedStyle(play.querySelector(".tray")).position === "sticky";
      (document.getElementById("press") ?? play.querySelector("[autofocus]"))?.focus({ preventScroll });
    } else {
      takeBackTap();
      toast("That did not work. Reload the page.");
    }
  } catch {
    if (mine !== looking) return;
    takeBackTap();
    toast("The server is not answering. Nothing was done. Try again in a moment.");
  }
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "look") return;
  event.preventDefault();
  showTap(event.submitter);
  look(event.target, event.submitter?.value ?? "");
});

// What is selected stays selected when something else is drawn anew, as long as the question is the same.
let selected = { stamp: "", path: [] };

function noteSelection() {
  const path = [...play.querySelectorAll("#choose [name=choice]")].map((input) => input.value);
  selected = { stamp: frame()?.dataset.stamp ?? "", path };
}

function selectAgain() {
  if (selected.path.length && frame()?.dataset.stamp === selected.stamp) {
    look(document.getElementById("look"), selected.path.join("|"));
  }
}

// The menu tells the whole game, so it is fetched when it is opened, and again while it is open.

let askedMenu = 0;

async function freshenMenu() {
  const mine = ++askedMenu;
  const sheet = document.getElementById("menu-sheet");
  try {
    const answer = await fetch(sheet.dataset.get, { headers: { "X-Live": "1" }, cache: "no-store" });
    if (mine !== askedMenu || answer.status !== 200 || !sheet.isConnected) return;
    draw(sheet, await answer.text());
    showSettings();
  } catch {
    if (!sheet.childElementCount) toast("The server is not answering. Try again in a moment.");
  }
}

// The event does not bubble.
play.addEventListener("toggle", (event) => { if (event.target.id === "table-menu" && event.target.open) freshenMenu(); }, true);

// Others' moves: a bot's is shown for a while before the next is drawn. People are never slowed down.

const waiting = [];
let shownUntil = 0;
let timer = 0;

play.addEventListener("live:fetched", (event) => {
  noteSelection();
  if (!waiting.length && Date.now() >= shownUntil) return; // drawn at once
  event.preventDefault();
  waiting.push(event.detail.html);
  showNext();
});

function showNext() {
  clearTimeout(timer);
  while (waiting.length && Date.now() >= shownUntil) {
    noteSelection();
    draw(play, waiting.shift());
    play.dispatchEvent(new CustomEvent("live:drawn", { bubbles: true }));
  }
  if (waiting.length) timer = setTimeout(showNext, shownUntil - Date.now());
  const skip = play.querySelector("[data-skip]");
  if (skip) skip.hidden = !waiting.length;
}

function skipToNow() {
  waiting.splice(0, waiting.length - 1);
  shownUntil = 0;
  showNext();
}

play.addEventListener("click", (event) => {
  if (event.target.closest("[data-skip]")) skipToNow();
});

// Whatever was drawn

let lastBotMove = frame()?.dataset.botMove ?? "";
let wasMine = Boolean(frame()?.dataset.yours);
let lastTap = 0;

function drawn() {
  takeBackTap = () => {}; // the drawing has replaced it
  const now = frame();
  if (now) {
    document.title = now.dataset.title;
    if (now.dataset.botMove && now.dataset.botMove !== lastBotMove) shownUntil = Date.now() + pace();
    lastBotMove = now.dataset.botMove;
    const isMine = Boolean(now.dataset.yours);
    if (isMine && !wasMine && Date.now() - lastTap > QUIET) remind();
    wasMine = isMine;
  }
  showSettings();
  if (document.getElementById("table-menu")?.open) freshenMenu();
  showMoves();
}

document.addEventListener("live:drawn", () => {
  drawn();
  selectAgain();
});
document.addEventListener("outbox:drawn", () => {
  waiting.length = 0;
  showNext();
  drawn();
  document.getElementById("turnbar")?.focus({ preventScroll: true });
});
document.addEventListener("pointerdown", () => { lastTap = Date.now(); }, true);

function remind() {
  if (setting("vibrate", "") === "on") navigator.vibrate?.([60, 40, 60]);
  if (setting("bell", "") === "on") ring();
}

// One stroke of a small bell, under half a second.
function ring() {
  const Sound = window.AudioContext ?? window.webkitAudioContext;
  if (!Sound) return;
  const sound = new Sound();
  const tone = sound.createOscillator();
  const loudness = sound.createGain();
  tone.frequency.value = 880;
  loudness.gain.setValueAtTime(0.2, sound.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.45);
  tone.connect(loudness).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.45);
  tone.addEventListener("ended", () => sound.close());
}

// What moved flies from where it was to where it is.

let places = new Map();

function see() {
  const seen = new Map();
  for (const one of play.querySelectorAll("[data-thing]")) {
    seen.set(one.id, { one, thing: one.dataset.thing, count: Number(one.dataset.count), box: one.getBoundingClientRect() });
  }
  return seen;
}

function showMoves() {
  const before = places;
  places = see();
  if (!before.size || isCalm()) return;
  const grown = [...places].filter(([id, now]) => before.has(id) && before.get(id).thing === now.thing && now.count > before.get(id).count);
  const fallen = new Map([...before].filter(([id, then]) => places.get(id)?.thing !== then.thing || places.get(id).count < then.count).map(([, then]) => [then.thing, then.box]));
  const actor = document.getElementById(`row-${frame()?.dataset.actor}`)?.querySelector(".who2");
  for (const [, now] of grown) {
    const from = fallen.get(now.thing) ?? actor?.getBoundingClientRect();
    if (from) fly(now.one, from, now.box);
  }
}

function fly(one, from, to) {
  const sign = one.querySelector("svg")?.cloneNode(true);
  if (!sign) return;
  sign.setAttribute("class", "flying");
  sign.style.left = `${to.left + to.width / 2 - 16}px`;
  sign.style.top = `${to.top + to.height / 2 - 16}px`;
  document.body.append(sign);
  const way = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  const flight = sign.animate(
    [{ transform: `translate(${way[0]}px, ${way[1]}px)` }, { transform: "none" }],
    { duration: FLIGHT, easing: "ease-out" },
  );
  flight.finished.finally(() => sign.remove());
}

// The screen stays on while one sits at the table, where the browser allows it: it asks for a secure address.

async function stayAwake() {
  if (document.visibilityState !== "visible" || !frame()) return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // low battery, or a browser that says no
  }
}
document.addEventListener("visibilitychange", stayAwake);

// Keys: 1 to 9 take a card, Escape cancels, U undoes, S opens what happened, R held shows the role.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches?.("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  if (/^[1-9]$/.test(key)) play.querySelectorAll(".fan .pick-in")[key - 1]?.click();
  else if (key === "escape") {
    const open = play.querySelector(".table-menu[open], .role-moment[open]");
    if (open) open.open = false;
    else document.getElementById("cancel")?.click();
  } else if (key === "u") play.querySelector("#undo button")?.click();
  else if (key === "s") play.querySelector(".since > summary")?.click();
  else if (key === "r") document.getElementById("secret")?.classList.add("is-held");
});
document.addEventListener("keyup", (event) => {
  if (event.key.toLowerCase() === "r") document.getElementById("secret")?.classList.remove("is-held");
});

showSettings();
places = see();
stayAwake();
