// How many days in a row this reader has answered the hand of the day. Only this browser knows it: nothing is sent, and
// without storage nothing is shown. A page stays the day that it was made for, however long it is open.
"use strict";

function readStreak() {
  try {
    const { last, days } = JSON.parse(localStorage.getItem("streak"));
    return Number.isInteger(last) && Number.isInteger(days) ? { last, days } : { last: 0, days: 0 };
  } catch {
    return { last: 0, days: 0 };
  }
}

function keepAnswer(today) {
  const { last, days } = readStreak();
  if (last < today) {
    try {
      localStorage.setItem("streak", JSON.stringify({ last: today, days: last === today - 1 ? days + 1 : 1 }));
    } catch {} // full, or not allowed
  }
}

const line = document.getElementById("streak");
const today = Date.parse(line.dataset.day) / 86400000;
const { last, days } = readStreak();
if (days > 1 && last >= today - 1) {
  const more = last < today ? " Today’s is the next." : "";
  line.textContent = `You have answered the hand of the day on ${days} days in a row.${more}`;
  line.hidden = false;
}
line.closest("section").querySelector("form")?.addEventListener("submit", () => keepAnswer(today));
