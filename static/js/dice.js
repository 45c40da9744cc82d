// The dice pad: taps fill the field beside it, and say how many dice are still missing. Without scripts the field is typed.

const facesIn = (words) => (words.match(/\d+/g) ?? []).map(Number);

function settle(entry) {
  const field = entry.querySelector("input");
  const wanted = Number(entry.dataset.dice);
  const faces = facesIn(field.value);
  const left = entry.querySelector("[data-dice-left]");
  const missing = wanted - faces.length;
  if (left) left.textContent = missing > 0 ? `${missing} to go.` : missing < 0 ? `${-missing} too many.` : "All here.";
  for (const key of entry.querySelectorAll("[data-face]")) key.disabled = missing <= 0;
  const back = entry.querySelector("[data-face-back]");
  if (back) back.hidden = faces.length === 0;
}

function wake(root) {
  for (const entry of root.querySelectorAll("[data-dice]")) {
    entry.querySelector(".dice-pad").hidden = false;
    settle(entry);
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
  settle(entry);
});
document.addEventListener("input", (event) => {
  const entry = event.target.closest?.("[data-dice]");
  if (entry) settle(entry);
});
for (const name of ["htmx:afterSettle", "live:drawn", "outbox:drawn"]) document.addEventListener(name, () => wake(document));
wake(document);
