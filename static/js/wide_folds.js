// A fold that only saves room on phones is open on wide screens: when the page loads, and when news first draws it.

const FOLDS = "details[data-open-wide]";

export function openWideFolds(where) {
  if (!matchMedia("(min-width: 60rem)").matches) return;
  if (where.matches?.(FOLDS)) where.open = true;
  for (const fold of where.querySelectorAll?.(FOLDS) ?? []) fold.open = true;
}
