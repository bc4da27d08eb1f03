// Small helpers over the DOM. Text only ever enters the page as text nodes.

const SVG = "http://www.w3.org/2000/svg";

/** Icons on a 24 by 24 grid, drawn with a stroke. */
const ICONS = {
  plus: ["M12 5v14", "M5 12h14"],
  menu: ["M4 7h16", "M4 12h16", "M4 17h16"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  trash: ["M5 7h14", "M10 11v6", "M14 11v6", "M7 7l1 12h8l1-12", "M9.5 7V4.5h5V7"],
  copy: ["M9 9h10v11H9z", "M5 15V4h10"],
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  send: ["M12 19V5", "M6 11l6-6 6 6"],
  stop: ["M7.5 7.5h9v9h-9z"],
  down: ["M12 5v14", "M6 13l6 6 6-6"],
  search: ["M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z", "M15.5 15.5L20 20"],
  help: ["M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z", "M9.6 9.3a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.2 1-1.2 1.9", "M12 16.7v.1"],
  light: ["M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8z", "M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"],
  dark: ["M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"],
  system: ["M4 5h16v11H4z", "M9 20h6", "M12 16v4"],
  leave: ["M14 5H6v14h8", "M11 12h9", "M17 9l3 3-3 3"],
  retry: ["M19 12a7 7 0 1 1-2-4.9", "M17.5 3v4.5H13"],
  edit: ["M5 19l1-4L16.5 4.5l3 3L9 18z"],
  image: ["M4 5.5h16v13H4z", "M4.5 16l4.5-4.5 4 4 2.5-2.5 4 3.5", "M15.5 9.5v.1"],
  bell: ["M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5z", "M10.5 20.5h3"],
  spark: ["M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8z"],
  book: ["M5 5.5c2.5-1 5-1 7 .5 2-1.5 4.5-1.5 7-.5v13c-2.5-1-5-1-7 .5-2-1.5-4.5-1.5-7-.5z", "M12 6v13"],
};

/** Make an element: `h("a", {href, class, dataset: {…}, onclick}, "text", node)`. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "dataset") Object.assign(node.dataset, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const d of ICONS[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** Put the icons of `data-icon` into the page as it was served. */
export function fillIcons(root) {
  for (const node of root.querySelectorAll("[data-icon]")) node.prepend(icon(node.dataset.icon));
}

export function byId(id) {
  return document.getElementById(id);
}

/** localStorage that never throws: private windows and full disks only forget. */
export const storage = {
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      if (value === null || value === "") localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Nothing depends on it.
    }
  },
};

/** A random UUID; `crypto.randomUUID` is missing on plain http:// addresses other than localhost. */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Copy to the clipboard, also where the clipboard API is missing (plain http://). */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = h("textarea", { class: "visually-hidden", "aria-hidden": "true" });
    box.value = text;
    const focused = document.activeElement;
    document.body.append(box);
    box.select();
    const copied = document.execCommand("copy");
    box.remove();
    focused?.focus();
    return copied;
  }
}
