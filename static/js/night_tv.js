// The night on the TV: pages that follow one another, and a jump to the results when one comes in.

const CHANGE = 12_000;
const ASK = 5_000;

const main = document.getElementById("night-tv");
let shown = main.querySelector("[data-page]:not([hidden])")?.dataset.page ?? "room";
let tag = "";
let turn = 0;

const plays = () => Number(main.querySelector("[data-plays]")?.dataset.plays ?? 0);

function show(page) {
  const pages = [...main.querySelectorAll("[data-page]")];
  const order = pages.map((one) => one.dataset.page);
  shown = order.includes(page) ? page : order[0];
  for (const one of pages) one.hidden = one.dataset.page !== shown;
  for (const one of main.querySelectorAll("[data-mark]")) one.classList.toggle("is-now", one.dataset.mark === shown);
  clearTimeout(turn);
  turn = setTimeout(() => show(order[(order.indexOf(shown) + 1) % order.length]), CHANGE);
}

function tick() {
  const clock = main.querySelector("[data-clock]");
  if (clock) clock.textContent = new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

async function ask() {
  try {
    const answer = await fetch(main.dataset.part, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
    if (answer.status === 200) {
      tag = answer.headers.get("ETag") ?? "";
      const before = plays();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      main.replaceChildren(...page.body.childNodes);
      show(plays() > before ? "results" : shown);
      tick();
    }
  } catch {
    // the next try follows soon
  }
  setTimeout(ask, ASK);
}

show(shown);
tick();
setInterval(tick, 1_000);
setTimeout(ask, ASK);
