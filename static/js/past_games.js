// Past games: a folded row shows a summary of its answers.

for (const game of document.querySelectorAll(".past-game")) {
  const summary = game.querySelector("[data-summary]");
  const chosen = (name) => game.querySelector(`select[name^="${name}-"]`);
  game.addEventListener("change", () => {
    const [attacker, target, outcome] = ["attacker", "target", "outcome"].map(chosen);
    const ended = { attacker: "won", defender: "lost", draw: "a draw" }[outcome.value];
    const words = [attacker, target].map((select) => select.selectedOptions[0].text).filter(Boolean).join(", ");
    summary.textContent = attacker.value && target.value ? `${words}: ${ended}` : words;
  });
}
