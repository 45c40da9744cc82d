// Short messages at the edge of the page. They disappear after a while or with a tap.

const STAY = 8000;

export function toast(message, { stay = STAY } = {}) {
  const box = document.createElement("div");
  box.className = "toast";
  const text = document.createElement("p");
  text.textContent = message;
  box.append(text);
  document.getElementById("toasts")?.append(box);
  setUpToast(box, stay);
  return box;
}

// A toast with a button stays: nobody should have to hurry to undo something.
export function setUpToast(box, stay = STAY) {
  if (!box.querySelector(".close")) {
    const close = document.createElement("button");
    close.type = "button";
    close.className = "close";
    close.setAttribute("aria-label", "Dismiss");
    close.textContent = "×";
    close.addEventListener("click", () => box.remove());
    box.append(close);
  }
  const hasAction = box.querySelector(".btn, a, form");
  if (stay && !hasAction) {
    let timer = setTimeout(() => box.remove(), stay);
    box.addEventListener("pointerenter", () => clearTimeout(timer));
    box.addEventListener("pointerleave", () => { timer = setTimeout(() => box.remove(), stay); });
  }
}
