// What every page does: proves its htmx requests are its own, tends toasts, copies addresses, says when the line is dead.

import { csrfToken } from "./csrf.js";
import { tend, toast } from "./toast.js";

document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb !== "get") event.detail.headers["X-CSRFToken"] = csrfToken();
});

for (const box of document.querySelectorAll("#toasts .toast")) tend(box);
document.addEventListener("htmx:oobAfterSwap", (event) => {
  for (const box of event.target.querySelectorAll?.(".toast") ?? []) tend(box);
});

document.addEventListener("htmx:sendError", () => toast("The service does not answer. What you asked was not done. Try again in a moment."));
document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  toast(status === 404 ? "That is no longer here. Load the page again." : "The service stumbled. What you asked may not have been done. Load the page again to see.");
});

// Copy buttons. Plain http on a home network has no clipboard, so the text is selected and the old command tried.
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  const text = source?.value ?? source?.textContent?.trim() ?? "";
  let done = false;
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      done = true;
    }
  } catch {
    done = false;
  }
  if (!done && source) {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    done = document.execCommand("copy");
  }
  toast(done ? "Copied." : "This browser does not let a page copy. The address is selected: copy it by hand.");
});

// "Print" buttons; without scripts they do not show.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-print]")) window.print();
});

// A second tap on a plain form while the first is under way does nothing. Forms that are sent by script have their own ways;
// after a few seconds the form is free again, for answers that leave the page standing (a download).
const UNDER_WAY = 4000;
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.matches("[data-outbox], [hx-post], [hx-boost]") || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  else {
    form.dataset.sent = "yes";
    setTimeout(() => delete form.dataset.sent, UNDER_WAY);
  }
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
