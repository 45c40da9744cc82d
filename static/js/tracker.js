// The tracker on one page. A unit, its targets and the attack open in a sheet over the armies; the same addresses are pages
// of their own, which is what a browser without scripts shows.
//
//   <a href="…" data-sheet>               opens in the sheet
//   <form data-sheet-stay>                the sheet stays open and is fetched again once the form was sent
//   <form data-send-on-change>            is sent as soon as something in it is ticked
//   <details data-own-dice>               stays open for the next roll, once somebody has opened it

import { toast } from "./toast.js";

const sheet = document.getElementById("sheet");
const scrim = document.getElementById("scrim");
const board = document.getElementById("board");
const OWN_DICE = "own-dice";
let address = ""; // what the sheet shows
let opener = null; // where the focus returns to
let stay = false;

document.documentElement.classList.add("scripted");

async function show(url) {
  address = url;
  let html = "";
  try {
    const answer = await fetch(url, { headers: { "X-Sheet": "1" }, cache: "no-store" });
    if (answer.redirected || answer.status >= 500) throw new Error(String(answer.status));
    html = await answer.text();
  } catch {
    showOffline(url);
    return;
  }
  if (address !== url) return; // another tap was quicker
  const found = new DOMParser().parseFromString(html, "text/html");
  // Sent from the sheet, a step is drawn on the board instead of leading to another page.
  for (const form of found.querySelectorAll("form[data-outbox]")) {
    form.dataset.outboxTarget = "#board";
    form.querySelector("[name=then]")?.remove();
    const action = new URL(form.getAttribute("action"), location.href);
    action.search = new URL(board.dataset.liveGet, location.href).search;
    form.setAttribute("action", action.pathname + action.search);
  }
  sheet.replaceChildren(...found.body.childNodes);
  sheet.hidden = false;
  scrim.hidden = false;
  sheet.scrollTop = 0;
  window.htmx?.process(sheet);
  ownDice(sheet);
  document.dispatchEvent(new CustomEvent("live:drawn"));
  sheet.querySelector("h2")?.focus();
}

// Without a line, what was done can still be marked: the outbox keeps it.
function showOffline(url) {
  const unit = /\/units\/([A-Z]\d+)\//.exec(url)?.[1];
  if (!unit) {
    toast("No connection. Try again in a moment.");
    return;
  }
  sheet.replaceChildren(document.getElementById("offline-sheet").content.cloneNode(true));
  sheet.querySelector("[name=unit]").value = unit;
  sheet.querySelector("h2").textContent = document.querySelector(`#unit-${unit} .who`)?.textContent ?? unit;
  sheet.hidden = false;
  scrim.hidden = false;
  sheet.querySelector("h2").focus();
}

function close() {
  if (sheet.hidden) return;
  sheet.hidden = true;
  scrim.hidden = true;
  address = "";
  sheet.replaceChildren();
  const back = opener && document.getElementById(opener)?.querySelector("a");
  (back ?? document.getElementById("last-said"))?.focus?.();
}

function ownDice(root) {
  let open = false;
  try {
    open = localStorage.getItem(OWN_DICE) === "yes";
  } catch {
    // a browser that stores nothing
  }
  if (open) for (const fold of root.querySelectorAll("[data-own-dice]")) fold.open = true;
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-sheet-close]")) {
    close();
    return;
  }
  const link = event.target.closest?.("a[data-sheet]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (!sheet.contains(link)) opener = link.closest("[id]")?.id ?? null;
  link.setAttribute("aria-busy", "true"); // seen at once, however slow the line is
  show(link.href).finally(() => link.removeAttribute("aria-busy"));
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
});

document.addEventListener("toggle", (event) => {
  const fold = event.target.closest?.("[data-own-dice]");
  if (!fold) return;
  try {
    localStorage.setItem(OWN_DICE, fold.open ? "yes" : "no");
  } catch {
    // it opens again by hand
  }
}, { capture: true });

document.addEventListener("change", (event) => {
  event.target.closest?.("form[data-send-on-change]")?.requestSubmit();
});

document.addEventListener("submit", (event) => {
  if (!sheet.contains(event.target)) return;
  stay = "sheetStay" in event.target.dataset;
  if (document.documentElement.classList.contains("offline") || !navigator.onLine) close();
});
document.addEventListener("outbox:sent", () => {
  if (sheet.hidden) return;
  if (stay) show(address);
  else close();
});
for (const name of ["live:drawn", "outbox:drawn"]) document.addEventListener(name, () => ownDice(board));
ownDice(document);
