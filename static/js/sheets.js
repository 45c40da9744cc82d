// Score sheets: what is entered is sent at once, by the outbox, so that a dead line loses nothing.

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-send-on-change]");
  if (!form) return;
  // The outbox empties a form it has sent back to its defaults; here what stands in it must stay.
  for (const field of form.elements) {
    if (field.type === "radio" || field.type === "checkbox") field.defaultChecked = field.checked;
    else if (field.options) for (const option of field.options) option.defaultSelected = option.selected;
    else if (field.type !== "hidden" && "defaultValue" in field) field.defaultValue = field.value;
  }
  if (form.checkValidity()) form.requestSubmit();
  else form.reportValidity();
});
