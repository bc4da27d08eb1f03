// The button that goes through: as the system, light, dark.

import { icon, storage } from "./dom.js";
import { label, t } from "./i18n.js";

const ORDER = ["system", "light", "dark"];

function current() {
  const theme = document.documentElement.dataset.theme;
  return ORDER.includes(theme) ? theme : "system";
}

function show(button) {
  button.replaceChildren(icon(current()));
  label(button, t(`theme_${current()}`));
}

export function setUpTheme(button) {
  show(button);
  button.addEventListener("click", () => {
    const next = ORDER[(ORDER.indexOf(current()) + 1) % ORDER.length];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    storage.set("theme", next === "system" ? null : next);
    show(button);
  });
}
