// The result form: the mounds of a round carry over to later rounds until they are changed there.

const form = document.getElementById("report-form");
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

// Answers given before the scripts loaded, or restored by the back button, still update the preview.
window.addEventListener("pageshow", () => {
  const tapped = [...form.querySelectorAll("input:checked")].filter((input) => !input.defaultChecked);
  for (const input of tapped) input.dispatchEvent(new Event("change", { bubbles: true }));
});

// The preview button is only needed without scripts.
for (const button of document.querySelectorAll(".no-script")) button.hidden = true;
