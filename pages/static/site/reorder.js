// Handles that drag the boards of a collection; Save stores the positions. The buttons do without it.
"use strict";

const make = (tag, values) => Object.assign(document.createElement(tag), values);
const list = document.querySelector("#places");
const save = make("button", { name: "save", textContent: "Save this order" });
const unsaved = make("p", { className: "notice row", role: "status" });
let dragged, at;

const topOf = (row) => row.getBoundingClientRect().top;
const middle = (row) => topOf(row) + row.offsetHeight / 2;

function fold(display) {
  for (const part of list.querySelectorAll(".row-fields > :not(.mini-hands)")) part.style.display = display;
}

function begin(event) {
  if (dragged || event.button) return;
  dragged = this.closest("li");
  at = event.clientY;
  this.setPointerCapture(event.pointerId);
  fold("none");
  scrollBy(0, topOf(dragged) - at);
  drag();
}

function drag() {
  if (!dragged) return;
  const { previousElementSibling: before, nextElementSibling: after } = dragged;
  // The others move: what has the pointer would lose it.
  if (before && at < middle(before)) dragged.after(before);
  else if (after && at > middle(after)) dragged.before(after);
  scrollBy(0, at < 80 ? -8 : at > innerHeight - 80 ? 8 : 0);
  requestAnimationFrame(drag);
}

function end() {
  fold("");
  [...list.children].forEach((row, index) => {
    for (const it of row.querySelectorAll("[type=number], .at")) it.value = it.textContent = list.start + index;
  });
  save.value = dragged.id.slice(6);
  dragged.firstElementChild.after(unsaved);
  unsaved.replaceChildren("Not saved yet.", save);
  dragged.scrollIntoView();
  dragged = null;
}

for (const row of list.children) {
  const handle = make("span", { className: "button second grip", textContent: "⇅", ariaHidden: true, onpointerdown: begin });
  handle.onpointermove = (event) => (at = event.clientY);
  handle.onlostpointercapture = end;
  row.querySelector(".mini-hands").append(handle);
}
