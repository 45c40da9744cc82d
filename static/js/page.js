// For every page: CSRF token for htmx, toasts, copy and print buttons, connection errors, double submits, wide folds.

import { csrfToken } from "./csrf.js";
import { setUpToast, toast } from "./toast.js";
import { openWideFolds } from "./wide_folds.js";

document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb !== "get") event.detail.headers["X-CSRFToken"] = csrfToken();
});

for (const box of document.querySelectorAll("#toasts .toast")) setUpToast(box);
document.addEventListener("htmx:oobAfterSwap", (event) => {
  for (const box of event.target.querySelectorAll?.(".toast") ?? []) setUpToast(box);
});

document.addEventListener("htmx:sendError", () => toast("The server is not answering. Nothing was saved. Try again in a moment."));
document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  toast(status === 404 ? "That is no longer here. Reload the page." : "Something went wrong on the server. Reload the page to see whether it worked.");
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
  toast(done ? "Copied." : "This browser blocks copying. The text is selected, so you can copy it yourself.");
});

// "Print" buttons; without scripts they do not show.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-print]")) window.print();
});

// Ignore a second submit of a plain form. Forms sent by script handle this themselves. After a few seconds the form can be
// sent again, because a download leaves the page open.
const RESUBMIT_AFTER = 4000;
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.matches("[data-outbox], [hx-post], [hx-boost]") || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  else {
    form.dataset.sent = "yes";
    setTimeout(() => delete form.dataset.sent, RESUBMIT_AFTER);
  }
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

openWideFolds(document);
