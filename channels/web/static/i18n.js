// The page's texts, in the browser's language.

const LANGUAGES = ["en", "zh", "es", "hi", "ar"];

function pick() {
  for (const wish of navigator.languages ?? [navigator.language]) {
    const base = wish.toLowerCase().split("-")[0];
    if (LANGUAGES.includes(base)) return [base, wish];
  }
  return ["en", "en"];
}

const [chosen, region] = pick();
const texts = (await import(`./i18n/${chosen}.js`)).default;

/** The text of `key`, with `{name}` filled in; numbers are written as the locale writes them. */
export function t(key, values = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? value.toLocaleString(region) : String(value);
  });
}

/** Translate the page as it was served: `data-text`, `data-label` (name and tooltip), `data-placeholder`. */
export function translatePage() {
  document.documentElement.lang = chosen === "zh" ? "zh-Hans" : chosen;
  document.documentElement.dir = chosen === "ar" ? "rtl" : "ltr";
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = t(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) label(node, t(node.dataset.label));
  for (const node of document.querySelectorAll("[data-placeholder]")) {
    node.placeholder = t(node.dataset.placeholder);
  }
}

export function label(node, text) {
  node.setAttribute("aria-label", text);
  if (node.matches("button, a")) node.title = text;
}

/** The zone of this device, as in "Europe/Berlin". */
export function zone() {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

/** A date as the locale writes it. */
export function written(date, options) {
  return new Intl.DateTimeFormat(region, options).format(date);
}

const clock = new Intl.DateTimeFormat(region, { hour: "2-digit", minute: "2-digit", hour12: false });
const day = new Intl.DateTimeFormat(region, { month: "short", day: "numeric" });
const full = new Intl.DateTimeFormat(region, { dateStyle: "full", timeStyle: "short" });

/** A `<time>` that is short for today and exact in its tooltip; null for what is no time. */
export function timeOf(at) {
  const date = new Date(at);
  if (at === null || at === undefined || Number.isNaN(date.getTime())) return null;
  const node = document.createElement("time");
  const today = date.toDateString() === new Date().toDateString();
  node.dateTime = date.toISOString();
  node.title = full.format(date);
  node.textContent = today ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
  return node;
}
