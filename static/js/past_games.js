// Past games: a row says in its one line what was filled into it, so that it can be folded.

for (const game of document.querySelectorAll(".past-game")) {
  const said = game.querySelector("[data-said]");
  const chosen = (name) => game.querySelector(`select[name^="${name}-"]`);
  game.addEventListener("change", () => {
    const [attacker, target, outcome] = ["attacker", "target", "outcome"].map(chosen);
    const ended = { attacker: "won", defender: "lost", draw: "a draw" }[outcome.value];
    const words = [attacker, target].map((select) => select.selectedOptions[0].text).filter(Boolean).join(", ");
    said.textContent = attacker.value && target.value ? `${words}: ${ended}` : words;
  });
}
