
"use strict";
(() => {
  // The page is complete without this: it adds search and sorting to tables that stand there already.
  const tables = [...document.querySelectorAll(".evalset-report table")];
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  const cellText = (row, at) => row.cells[at].querySelector("title")?.textContent ?? row.cells[at].textContent;
  const number = (text) => (/^-?[\d,]+(\.\d+)?%?$/.test(text) ? parseFloat(text.replaceAll(",", "")) : NaN);
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    return Number.isNaN(x) || Number.isNaN(y) ? collator.compare(a, b) : x - y;
  };

  function sort(table, at) {
    const head = table.tHead.rows[0].cells[at];
    const falling = head.ariaSort === "ascending";
    for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
    head.ariaSort = falling ? "descending" : "ascending";
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => compare(cellText(a, at), cellText(b, at)) * (falling ? -1 : 1));
    table.tBodies[0].append(...rows);
  }

  for (const table of tables) {
    [...table.tHead.rows[0].cells].forEach((cell, at) => {
      if (table.tBodies[0].rows.length < 2 || !cell.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = cell.textContent;
      button.title = `Sort by ${cell.textContent}`;
      button.addEventListener("click", () => sort(table, at));
      cell.replaceChildren(button);
    });
  }

  const rows = tables.flatMap((table) => [...table.tBodies[0].rows]);
  const groups = [...document.querySelectorAll(".evalset-report details")];
  const wasOpen = new Map();
  const input = document.getElementById("search");
  const said = document.querySelector(".search output");

  function search() {
    const wanted = input.value.trim().toLowerCase();
    if (wanted && !wasOpen.size) groups.forEach((group) => wasOpen.set(group, group.open));
    let found = 0;
    for (const row of rows) {
      const rule = row.closest("details")?.querySelector("summary").textContent ?? "";
      row.hidden = wanted !== "" && !`${row.textContent} ${rule}`.toLowerCase().includes(wanted);
      if (!row.hidden) found += 1;
    }
    for (const group of groups) {
      const any = [...group.querySelectorAll("tbody tr")].some((row) => !row.hidden);
      group.hidden = !any;
      group.open = wanted ? any : (wasOpen.get(group) ?? group.open);
    }
    if (!wanted) wasOpen.clear();
    said.textContent = wanted ? `${found} of ${rows.length} rows` : "";
  }
  document.querySelector(".search").hidden = rows.length === 0;
  input.addEventListener("input", search);
})();
