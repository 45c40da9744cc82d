// Card tables: a lobby that has begun goes on to the seat by itself, a finished game to the next one with the same people,
// and a hidden role shows only while it is held.

function goOn() {
  const sign = document.querySelector("[data-go]");
  if (sign) location.assign(sign.dataset.go);
}
document.addEventListener("live:drawn", goOn);

// A double tap is one choice: the page is drawn anew between the two, and the second would land on whatever came under the finger.
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest?.("button[name=choice]")) event.preventDefault();
}, true);

// With a finger, a mouse button or the space bar; the moment it is let go, the back lies on top again.
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
