// Turns what stands on the page into what the server drew, touching only what differs. Nodes stay where they are, so a
// field keeps its cursor and what was typed into it, a fold stays open, and nothing flickers.
// A row is known by its id (or data-key). Rows without one are matched by their place, but never if a form in that place
// belongs to another thing: words typed for one unit must not end up on the next.
// An element that is drawn with data-keep is empty only to be short: what stands in its place stays.

import { openWideFolds } from "./wide_folds.js";

const TYPED = "textarea, select, input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=image]):not([type=reset])";
const PER_DRAWING = new Set(["key", "csrfmiddlewaretoken"]);

// Whether another option is chosen than the server drew. Without a drawn choice a select that drops down shows its first.
function chosen(select) {
  const drawn = [...select.options].filter((option) => option.defaultSelected);
  if (!drawn.length && !select.multiple && select.options.length) drawn.push(select.options[0]);
  const now = [...select.selectedOptions];
  return now.length !== drawn.length || now.some((option) => !drawn.includes(option));
}

// Whether someone is busy with this field: the cursor is in it, or it holds something the server has not seen.
function inUse(field) {
  if (field === document.activeElement && field.matches(`${TYPED}, [contenteditable]`)) return true;
  if (field.matches("textarea")) return field.value !== field.defaultValue;
  if (field.matches("select")) return chosen(field);
  if (!field.matches("input")) return false;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  return field.matches(TYPED) && field.value !== field.defaultValue;
}

function holdsWork(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return false;
  if (inUse(node)) return true;
  return [...node.querySelectorAll("textarea, select, input, [contenteditable]")].some(inUse);
}

function keyOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  return node.id ? `#${node.id}` : node.dataset?.key ? `=${node.dataset.key}` : "";
}

function identity(element) {
  if (element.nodeName === "FORM") {
    const hidden = [...element.querySelectorAll("input[type=hidden]")].filter((one) => !PER_DRAWING.has(one.name));
    return `${element.getAttribute("action")} ${hidden.map((one) => `${one.name}=${one.getAttribute("value")}`).join("&")}`;
  }
  if (element.matches("input, textarea, select, button")) {
    const choice = element.matches("[type=radio], [type=checkbox], button") ? element.getAttribute("value") : "";
    return `${element.getAttribute("type")} ${element.getAttribute("name")} ${choice}`;
  }
  return "";
}

function alike(old, next) {
  if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName) return false;
  return old.nodeType !== Node.ELEMENT_NODE || (keyOf(old) === keyOf(next) && identity(old) === identity(next));
}

function attributes(old, next) {
  const mine = inUse(old);
  // What the person opened stays open; what they typed or ticked stays theirs.
  const kept = (name) => (name === "open" && old.matches("details, dialog")) || (mine && (name === "value" || name === "checked"));
  for (const { name, value } of [...next.attributes]) {
    if (!kept(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!kept(name) && !next.hasAttribute(name)) old.removeAttribute(name);
  }
}

function remove(node) {
  // The server has dropped this, but someone is in the middle of it. It goes with the next drawing after they are done.
  if (holdsWork(node)) return false;
  node.remove();
  return true;
}

function morphNode(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  if ("keep" in next.dataset) return;
  attributes(old, next);
  if (old.nodeName === "TEXTAREA") {
    if (!inUse(old) && old.defaultValue !== next.defaultValue) old.defaultValue = next.defaultValue;
    return;
  }
  const picked = old.nodeName === "SELECT" && chosen(old) ? [...old.selectedOptions].map((option) => option.value) : null;
  morphChildren(old, next);
  if (picked?.some((value) => [...old.options].some((option) => option.value === value))) {
    for (const option of old.options) option.selected = picked.includes(option.value);
  }
}

export function morphChildren(old, next) {
  const known = new Map();
  for (const child of old.children) if (keyOf(child)) known.set(keyOf(child), child);
  const wanted = new Set([...next.children].map(keyOf));
  let at = old.firstChild;
  for (const child of [...next.childNodes]) {
    const key = keyOf(child);
    let match = null;
    if (key) {
      match = known.get(key) ?? null;
      if (match && !alike(match, child)) match = null;
      // Go forward to it over rows that are gone, rather than move it: a moved field loses its cursor.
      while (match && at && at !== match && !(keyOf(at) && wanted.has(keyOf(at)))) {
        const after = at.nextSibling;
        remove(at);
        at = after;
      }
      if (match && at !== match) old.insertBefore(match, at);
    } else {
      // White space before a row is no row: a part drawn in the page begins with some, the same part fetched does not.
      while (child.nodeType === Node.ELEMENT_NODE && at?.nodeType === Node.TEXT_NODE && !at.nodeValue.trim()) {
        const after = at.nextSibling;
        at.remove();
        at = after;
      }
      while (at && keyOf(at) && !wanted.has(keyOf(at))) {
        const after = at.nextSibling;
        remove(at);
        at = after;
      }
      if (at && !keyOf(at) && alike(at, child)) match = at;
    }
    if (match) {
      if (match === at) at = match.nextSibling;
      morphNode(match, child);
    } else {
      const drawn = document.importNode(child, true);
      openWideFolds(drawn);
      old.insertBefore(drawn, at);
    }
  }
  while (at) {
    const after = at.nextSibling;
    remove(at);
    at = after;
  }
}

// Draws `html` into `element`: an answer that holds the element itself (by its id) replaces it whole, any other its inside.
export function draw(element, html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const whole = element.id && page.getElementById(element.id);
  const active = document.activeElement;
  const spot = active && element.contains(active) && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
  if (whole) morphNode(element, whole);
  else morphChildren(element, page.body);
  if (active && active !== document.activeElement && active.isConnected && element.contains(active)) {
    active.focus({ preventScroll: true });
    try {
      if (spot && spot[0] !== null) active.setSelectionRange(...spot);
    } catch {
      // a field without a cursor, such as a number
    }
  }
  window.htmx?.process(element);
}

// Where the elements of an answer have their own place on this page, by their ids.
export function placesOf(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return [...page.body.children].map((child) => child.id && document.getElementById(child.id)).filter(Boolean);
}
