// Score sheets send each entry at once through the outbox, so a lost connection loses nothing.

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-send-on-change]");
  if (!form) return;
  // The outbox resets a form to its defaults after sending, so make the entered values the defaults.
  for (const field of form.elements) {
    if (field.type === "radio" || field.type === "checkbox") field.defaultChecked = field.checked;
    else if (field.options) for (const option of field.options) option.defaultSelected = option.selected;
    else if (field.type !== "hidden" && "defaultValue" in field) field.defaultValue = field.value;
  }
  if (form.checkValidity()) form.requestSubmit();
  else form.reportValidity();
});
