// The dice pad fills the field beside it and counts the missing dice. Without scripts, type into the field.

const facesIn = (words) => (words.match(/\d+/g) ?? []).map(Number);

function updateEntry(entry) {
  const field = entry.querySelector("input");
  const wanted = Number(entry.dataset.dice);
  const faces = facesIn(field.value);
  const left = entry.querySelector("[data-dice-left]");
  const missing = wanted - faces.length;
  if (left) left.textContent = missing > 0 ? `${missing} to go.` : missing < 0 ? `${-missing} too many.` : "All entered.";
  for (const key of entry.querySelectorAll("[data-face]")) key.disabled = missing <= 0;
  const back = entry.querySelector("[data-face-back]");
  if (back) back.hidden = faces.length === 0;
}

function showPads(root) {
  for (const entry of root.querySelectorAll("[data-dice]")) {
    entry.querySelector(".dice-pad").hidden = false;
    updateEntry(entry);
  }
}

document.addEventListener("click", (event) => {
  const key = event.target.closest?.("[data-face], [data-face-back]");
  const entry = key?.closest("[data-dice]");
  if (!entry) return;
  const field = entry.querySelector("input");
  const faces = facesIn(field.value);
  if (key.dataset.face) faces.push(Number(key.dataset.face));
  else faces.pop();
  field.value = faces.join(" ");
  updateEntry(entry);
});
document.addEventListener("input", (event) => {
  const entry = event.target.closest?.("[data-dice]");
  if (entry) updateEntry(entry);
});
for (const name of ["htmx:afterSettle", "live:drawn", "outbox:drawn"]) document.addEventListener(name, () => showPads(document));
showPads(document);
