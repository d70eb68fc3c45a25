// Back, Next, « and » fetch a step and replace what it changes, [data-step]. Arrow keys press them. Without the
// script, or where the answer is another page, they are links.
"use strict";

const address = () => location.href.split("#")[0];
const canonical = (page) => page.querySelector("link[rel=canonical]").href;
const fields = (page) => page.querySelectorAll("[id^=share-], [name=next]");
const isChord = (event) => event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
let shown = address();
let latest;

async function show(url, isNew) {
  const own = (latest = {});
  try {
    const answer = await fetch(url);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (own !== latest) return;
    const parts = [...document.querySelectorAll("[data-step]")].map((part) => [part, page.getElementById(part.id)]);
    if (canonical(page) !== canonical(document) || !parts.every((pair) => pair[1])) throw page;
    for (const [part, fresh] of parts) if (!part.isEqualNode(fresh)) part.replaceWith(fresh);
    fields(document).forEach((field, at) => (field.value = fields(page)[at]?.value ?? field.value));
    if (isNew) history.pushState(null, "", url);
    shown = address();
    document.getElementById(location.hash.slice(1))?.focus({ preventScroll: true });
  } catch {
    if (own === latest) isNew ? location.assign(url) : location.reload();
  }
}

addEventListener("click", (event) => {
  const link = event.target.closest(".stepbar [href*=step]");
  if (!link || event.button || isChord(event)) return;
  event.preventDefault();
  show(link.href, true);
});
addEventListener("popstate", () => address() !== shown && show(location.href));
addEventListener("keydown", (event) => {
  const id = { ArrowLeft: "back", ArrowRight: "next" }[event.key];
  const isTaken = event.target.closest("input, select, textarea, .scrolled"); // they move
  if (id && !isTaken && !isChord(event) && !event.repeat) document.getElementById(id)?.click();
});
