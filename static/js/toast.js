// Words back to the player, at the edge of the page, gone by themselves or by a tap.

const STAY = 8000;

export function toast(words, { stay = STAY } = {}) {
  const box = document.createElement("div");
  box.className = "toast";
  const line = document.createElement("p");
  line.textContent = words;
  box.append(line);
  document.getElementById("toasts")?.append(box);
  tend(box, stay);
  return box;
}

// A toast that carries a button stays: nobody should have to race a clock to take something back.
export function tend(box, stay = STAY) {
  if (!box.querySelector(".close")) {
    const close = document.createElement("button");
    close.type = "button";
    close.className = "close";
    close.setAttribute("aria-label", "Put away");
    close.textContent = "×";
    close.addEventListener("click", () => box.remove());
    box.append(close);
  }
  const keeps = box.querySelector(".btn, a, form");
  if (stay && !keeps) {
    let timer = setTimeout(() => box.remove(), stay);
    box.addEventListener("pointerenter", () => clearTimeout(timer));
    box.addEventListener("pointerleave", () => { timer = setTimeout(() => box.remove(), stay); });
  }
}
