// Buttons that copy what a field has for other sites, and one that shares the address where the browser can. They are
// made here, so that without this script, or in a browser that cannot, none stands there that does nothing.
"use strict";

function addButton(label, text, press) {
  const button = document.createElement("button");
  const more = document.createElement("span");
  button.type = "button";
  button.className = "button second";
  more.className = "visually-hidden";
  more.textContent = ` ${label.textContent}`;
  button.append(text, more);
  button.addEventListener("click", press);
  return button;
}

for (const field of document.querySelectorAll("[id^=share-][readonly]")) {
  const label = document.querySelector(`label[for="${field.id}"]`);
  const row = document.createElement("p");
  const said = document.createElement("span");
  row.className = "row";
  said.setAttribute("role", "status");
  if (navigator.clipboard) {
    row.append(addButton(label, "Copy", async () => {
      said.textContent = "";
      try {
        await navigator.clipboard.writeText(field.value);
        said.textContent = "Copied";
      } catch {
        field.select();
        said.textContent = "Copy the marked text";
      }
    }));
  }
  if (navigator.share && field.id === "share-address") {
    row.append(addButton(label, "Share…", () => {
      navigator.share({ title: document.title, url: field.value }).catch(() => {}); // the reader thought better of it
    }));
  }
  row.append(said);
  field.after(row);
}
