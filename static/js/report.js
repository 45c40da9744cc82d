// The result form: mounds tapped in one round are carried on to the rounds below, until somebody taps there.

const form = document.getElementById("tell");
const part = document.querySelector("[data-mounds]");
if (part) {
  const touched = new Set();
  for (const input of part.querySelectorAll("input[checked]")) if (input.value !== "0") touched.add(input.name);
  part.addEventListener("change", (event) => {
    const [, round, side] = event.target.name.split("-");
    touched.add(event.target.name);
    for (let next = Number(round) + 1; ; next += 1) {
      const name = `mounds-${next}-${side}`;
      const input = part.querySelector(`input[name="${name}"][value="${event.target.value}"]`);
      if (!input || touched.has(name)) break;
      input.checked = true;
    }
  });
}

// With poor wifi somebody taps before the scripts are there, and a page come back to keeps its taps: they are worked out now.
window.addEventListener("pageshow", () => {
  const tapped = [...form.querySelectorAll("input:checked")].filter((input) => !input.defaultChecked);
  for (const input of tapped) input.dispatchEvent(new Event("change", { bubbles: true }));
});

// With scripts the preview follows by itself; its button is for pages without.
for (const button of document.querySelectorAll(".no-script")) button.hidden = true;
