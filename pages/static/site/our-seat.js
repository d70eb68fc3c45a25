// Offers the seat of last time, which only this browser keeps, if it does.
"use strict";

try {
  const place = document.querySelector("[data-seat]");
  const { seat } = place.dataset;
  if (seat) {
    const query = new URLSearchParams(location.search);
    query.delete("stage");
    query.delete("page");
    localStorage.seat = JSON.stringify([seat, `${query}`]);
  } else if (localStorage.seat) {
    const [name, query] = JSON.parse(localStorage.seat);
    const link = document.createElement("a");
    link.href = `${place.action ?? ""}?${query}`;
    link.textContent = `As last time: ${name}`;
    place.append(link);
  }
} catch {}
