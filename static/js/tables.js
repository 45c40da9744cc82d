// Card tables: a started lobby goes on to the seat, a finished game to its rematch, and a hidden role shows only while pressed.

function followLink() {
  const link = document.querySelector("[data-go]");
  if (link) location.assign(link.dataset.go);
}
document.addEventListener("live:drawn", followLink);
document.addEventListener("outbox:drawn", followLink);

// A double tap is one choice: the page is redrawn in between, and the second tap would hit something else.
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest?.("#press, button[name=choice]")) event.preventDefault();
}, true);

// Pressed with a finger, a mouse button or the space bar; on release the card is covered again.
let held = null;

function hide() {
  held?.classList.remove("is-held");
  held = null;
}

function hold(target) {
  hide();
  held = target.closest?.(".peek") ?? null;
  held?.classList.add("is-held");
}

document.addEventListener("pointerdown", (event) => hold(event.target));
document.addEventListener("keydown", (event) => {
  if ((event.key === " " || event.key === "Enter") && event.target.matches?.(".peek")) {
    event.preventDefault();
    if (!event.repeat) hold(event.target);
  }
});
for (const name of ["pointerup", "pointercancel", "keyup", "blur", "visibilitychange"]) document.addEventListener(name, hide, true);
// A long press must not open the browser's menu over the card.
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest?.(".peek")) event.preventDefault();
});
