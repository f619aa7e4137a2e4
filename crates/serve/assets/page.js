// What pages do beyond being read: they follow the campaign, keep a theme, copy texts, and move by keys. Each page is complete without.
"use strict";
(() => {
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const status = find("#status");
  let clear = 0;
  const say = (text) => {
    status.textContent = text;
    clearTimeout(clear);
    clear = setTimeout(() => { status.textContent = ""; }, 6000);
  };

  // The theme: what the reader chose, or what the system prefers.
  const stored = () => { try { return localStorage.getItem("elenchus-theme"); } catch { return null; } };
  const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const button = find("#theme");
  const paint = (theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    if (button) button.textContent = isDark() ? "Light theme" : "Dark theme";
  };
  const toggle = () => {
    const theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("elenchus-theme", theme); } catch { /* Without storage, the choice holds for this page. */ }
    paint(theme);
  };
  if (button) {
    button.hidden = false;
    button.addEventListener("click", toggle);
  }
  paint(stored());

  // Everything that needs this script appears with it. Called again when a part of the page was replaced.
  const prepare = (from) => {
    for (const element of all("[data-copy]", from)) {
      element.hidden = false;
      element.onclick = () => copy(find(element.dataset.copy).textContent, element);
    }
    for (const form of all("form[data-post]", from)) form.onsubmit = (event) => { event.preventDefault(); send(form); };
  };

  const copy = async (text, from) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages that do not come from this machine have no clipboard of their own.
      const area = document.createElement("textarea");
      area.value = text;
      from.after(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say("Copied.");
  };

  const send = async (form) => {
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    try {
      // A field named `action` hides the property of that name.
      const answer = await fetch(form.getAttribute("action"), { method: "POST", headers: { "content-type": "application/json" }, body });
      const said = (answer.headers.get("content-type") || "").startsWith("application/json") ? await answer.json() : { error: await answer.text() };
      say(answer.ok ? "Done." : said.error);
    } catch {
      say("The server does not answer.");
    }
    await refresh();
  };

  // Fetches the page again and replaces what has changed. A part in which somebody types or reads on stays as it is.
  let fetching = false;
  const refresh = async () => {
    if (fetching) return;
    fetching = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of all("[data-live]")) {
        const other = fresh.getElementById(part.id);
        if (!other || other.innerHTML === part.dataset.source) continue;
        const focused = part.contains(document.activeElement) ? document.activeElement : null;
        if (focused && focused.matches("input, select, textarea")) continue;
        const place = focused ? all("a, button, summary, pre", part).indexOf(focused) : -1;
        const open = all("details", part).map((details) => details.open);
        part.dataset.source = other.innerHTML;
        part.replaceChildren(...other.cloneNode(true).childNodes);
        all("details", part).forEach((details, number) => { if (open[number] !== undefined) details.open = open[number]; });
        if (place >= 0) all("a, button, summary, pre", part)[place]?.focus();
        prepare(part);
      }
    } catch {
      // The next event tries again.
    } finally {
      fetching = false;
    }
  };
  if (document.body.dataset.events) {
    for (const part of all("[data-live]")) part.dataset.source = part.innerHTML;
    const events = new EventSource(document.body.dataset.events);
    let greeted = false;
    events.addEventListener("hello", () => { if (greeted) refresh(); greeted = true; });
    events.addEventListener("change", () => { if (!document.hidden) refresh(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
    addEventListener("pagehide", () => events.close());
  }
  prepare(document);

  // In files there is no server to filter: a field hides rows.
  const search = find("#search");
  if (search?.dataset.rows) {
    search.form.hidden = false;
    search.form.addEventListener("submit", (event) => event.preventDefault());
    search.addEventListener("input", () => {
      const wanted = search.value.toLowerCase();
      for (const row of all(search.dataset.rows)) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
  }

  // Keys.
  const rows = () => all("#list tbody tr").filter((row) => !row.hidden);
  const move = (by) => {
    const list = rows();
    if (list.length === 0) return;
    const at = list.findIndex((row) => row.contains(document.activeElement));
    const next = list[Math.max(0, Math.min(list.length - 1, at < 0 ? (by > 0 ? 0 : list.length - 1) : at + by))];
    list.forEach((row) => row.classList.toggle("chosen", row === next));
    find("a", next)?.focus();
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
    const act = { j: () => move(1), k: () => move(-1), t: toggle, "/": () => search?.focus() }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
