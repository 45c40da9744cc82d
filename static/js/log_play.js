// Logging a play: the score pad under the thumb, the winner on the save button, the clock, and a draft that survives a
// reload. The draft keeps the play's number, issued by the server, so that sending it twice logs one play.

const form = document.querySelector(".log-play");
const SCORE = /^[+-]?\s*(\d+([.,]\d*)?|[.,]\d+)(\s*[+-]\s*(\d+([.,]\d*)?|[.,]\d+))*$/;
const draftName = form?.dataset.draft ? `play-draft:${form.dataset.draft}` : "";
const MINUTE = 60_000;

const rows = () => [...form.querySelectorAll(".scorerow")];
const playing = () => rows().filter((row) => row.querySelector("[name=player]").checked);
const scoreOf = (row) => row.querySelector(".score");
const nameOf = (row) => row.querySelector(".who-plays span").textContent.trim();
const scoring = () => form.elements.scoring.value;
const hasPoints = () => scoring() === "high" || scoring() === "low";

let current = null;

function setCurrent(row) {
  current = row;
  for (const one of rows()) one.classList.toggle("is-now", one === row && hasPoints());
}

function valueOf(row) {
  const text = scoreOf(row).value.trim().replaceAll("−", "-");
  if (!SCORE.test(text)) return null;
  const parts = text.replaceAll(/\s/g, "").replaceAll(",", ".").match(/[+-]?[\d.]+/g) ?? [];
  return parts.reduce((sum, part) => sum + Number(part), 0);
}

function ordinal(n) {
  const ending = n % 100 > 10 && n % 100 < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[n % 10] ?? "th";
  return `${n}${ending}`;
}

function list(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function render() {
  form.dataset.scoring = scoring();
  const marked = playing().filter((row) => row.querySelector("[name^=won-]").checked);
  const scored = playing().map((row) => [row, valueOf(row)]).filter(([, value]) => value !== null);
  const sign = scoring() === "low" ? 1 : -1;
  scored.sort((one, two) => sign * (one[1] - two[1]));
  for (const row of rows()) row.querySelector("[data-place]").textContent = "";
  let words = "Save the play";
  if (hasPoints() && scored.length) {
    for (const [row, value] of scored) {
      const place = scored.findIndex(([, other]) => other === value) + 1;
      row.querySelector("[data-place]").textContent = ordinal(place);
    }
    const best = scored.filter(([, value]) => value === scored[0][1]).map(([row]) => nameOf(row));
    if (scored.length === playing().length && scored.length > 1) {
      words = best.length > 1 ? `Save: ${list(best)} tie` : `Save: ${best[0]} wins with ${scored[0][1]}`;
    }
  }
  if (marked.length && scoring() !== "cooperative") words = `Save: ${list(marked.map(nameOf))} won`;
  form.querySelector("[data-save]").textContent = words;
  showClock();
}

// The pad

function press(key) {
  if (!current || !playing().includes(current)) setCurrent(playing()[0] ?? null);
  if (!current) return;
  const field = scoreOf(current);
  if (key === "next") {
    const order = playing();
    setCurrent(order[(order.indexOf(current) + 1) % order.length]);
  } else if (key === "back") field.value = field.value.slice(0, -1);
  else if (field.value.length < 60) field.value += key;
  changed();
}

function changed() {
  render();
  saveDraft();
}

form?.querySelector(".keys").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) press(button.dataset.key ?? button.textContent.trim());
});

form?.addEventListener("focusin", (event) => {
  const row = event.target.closest?.(".scorerow");
  if (row && event.target.matches(".score")) setCurrent(row);
});

form?.addEventListener("input", (event) => {
  if (event.target.name === "game") {
    if (event.target.dataset.scoring) form.elements.scoring.value = event.target.dataset.scoring;
    else form.elements.other.focus();
  }
  if (event.target.name === "player" && !playing().includes(current)) setCurrent(playing()[0] ?? null);
  form.querySelectorAll(".log-error, .scorerow .error").forEach((one) => one.remove());
  changed();
});

// The clock

function showClock() {
  const begun = Number(form.elements.begun.value);
  const words = form.querySelector("[data-clock] span");
  const minutes = form.elements.minutes.value.trim();
  if (minutes) words.textContent = `${minutes} min`;
  else if (begun) words.textContent = `Stop: ${Math.max(0, Math.round((Date.now() - begun) / MINUTE))} min`;
  else words.textContent = "Start the clock";
}

form?.querySelector("[data-clock]").addEventListener("click", () => {
  const begun = Number(form.elements.begun.value);
  if (form.elements.minutes.value.trim()) {
    form.elements.minutes.value = "";
    form.elements.begun.value = "";
  } else if (begun) form.elements.minutes.value = String(Math.max(1, Math.round((Date.now() - begun) / MINUTE)));
  else form.elements.begun.value = String(Date.now());
  changed();
});

// The draft

function saveDraft() {
  if (!draftName) return;
  const data = new FormData(form);
  data.delete("csrfmiddlewaretoken");
  try {
    localStorage.setItem(draftName, JSON.stringify({ at: Date.now(), words: new URLSearchParams(data).toString() }));
  } catch {
    // a browser that stores nothing
  }
}

function dropDraft() {
  try {
    localStorage.removeItem(draftName);
  } catch {
    // there was none
  }
}

function restoreDraft() {
  if (!draftName || form.querySelector(".error")) return;
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(draftName));
  } catch {
    return;
  }
  if (!kept || Date.now() - kept.at > 12 * 60 * MINUTE) return;
  const words = new URLSearchParams(kept.words);
  for (const field of form.elements) {
    if (!field.name || field.name === "csrfmiddlewaretoken") continue;
    if (field.type === "checkbox" || field.type === "radio") field.checked = words.getAll(field.name).includes(field.value);
    else if (words.has(field.name)) field.value = words.get(field.name);
  }
}

// Errors are shown at their field before anything is sent.

function say(row, sentence) {
  row.querySelector(".error")?.remove();
  const words = document.createElement("p");
  words.className = "error";
  words.setAttribute("role", "alert");
  words.textContent = sentence;
  row.append(words);
  setCurrent(row);
  row.scrollIntoView({ block: "center" });
}

window.addEventListener("submit", (event) => {
  if (event.target !== form || !hasPoints()) return;
  const wrong = playing().find((row) => scoreOf(row).value.trim() && valueOf(row) === null);
  if (!wrong) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  say(wrong, `“${scoreOf(wrong).value.trim()}” is not a score. Enter a number or a sum like 12+30.`);
}, { capture: true });

document.addEventListener("outbox:refused", (event) => {
  if (new URL(event.detail.url).pathname !== location.pathname) return;
  const place = form.querySelector(".log-main");
  place.querySelector(".log-error")?.remove();
  const words = document.createElement("p");
  words.className = "error log-error";
  words.setAttribute("role", "alert");
  words.textContent = event.detail.sentence;
  place.prepend(words);
  words.scrollIntoView({ block: "center" });
});

// Taken by the outbox. If there is no answer yet, this page is free for the next play, which gets a number of its own.
let taken = 1;

form?.addEventListener("submit", () => {
  dropDraft();
  const first = form.elements.play.defaultValue;
  setTimeout(() => {
    taken += 1;
    form.elements.play.value = `${first}-${taken}`;
    setCurrent(playing()[0] ?? null);
    render();
  }, 1_500);
});

if (form) {
  // The pad writes the points, so the phone's own keyboard stays away.
  for (const row of rows()) scoreOf(row).inputMode = "none";
  restoreDraft();
  setCurrent(playing()[0] ?? null);
  render();
  setInterval(showClock, 20_000);
}
