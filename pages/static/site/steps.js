// The arrow keys follow the links Back and Next of a page with steps, and a page that waits for the worker looks again.
// Without this script the links do the same.
"use strict";

const relations = { ArrowLeft: "prev", ArrowRight: "next" };

document.addEventListener("keydown", (event) => {
  const relation = relations[event.key];
  const isChord = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!relation || isChord || event.repeat || event.defaultPrevented) return;
  // There the arrow keys move the caret, the choice or the view.
  if (event.target.closest("input, select, textarea, [contenteditable], .scrolled")) return;
  document.querySelector(`.steps a[rel~="${relation}"]`)?.click();
});

for (const hint of document.querySelectorAll(".arrow-keys")) hint.hidden = false;

// The worker needs a second. A page that has waited for two minutes, ever longer, leaves it to the link.
if (document.querySelector("[data-look-again]")) {
  const looks = Number(sessionStorage.getItem(location.href) ?? 0) + 1;
  sessionStorage.setItem(location.href, looks);
  if (looks <= 15) setTimeout(() => location.reload(), 1000 * looks);
}
