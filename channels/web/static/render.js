// From an answer's text to safe nodes. Nothing here loads anything from anywhere.

import DOMPurify from "./vendor/dompurify/purify.es.js";
import { h, icon } from "./dom.js";
import { highlight } from "./highlight.js";
import { t } from "./i18n.js";
import { markdownToBlocks } from "./markdown.js";

/** Longer texts are shown plain and in slices of this length. */
export const MARKDOWN_LIMIT = 100_000;
const HIGHLIGHT_LIMIT = 30_000;
const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)/i;

const CLEAN = {
  ALLOWED_TAGS: [
    "a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
  ],
  ALLOWED_ATTR: ["align", "class", "href", "start"],
  ADD_URI_SAFE_ATTR: ["align", "start"],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: WEB_ADDRESS,
  RETURN_DOM_FRAGMENT: true,
};

/** A node that shows an answer, and renews only the blocks that changed when the answer has grown. */
export class MarkdownBody {
  #blocks = [];
  #plain = false; // once Markdown was too much work, it would be for a longer text as well

  constructor(node) {
    this.node = node;
  }

  /** Show `text`, plain where Markdown would be too much work; resolves to the page's own work in ms. */
  async show(text) {
    const parsed = this.#plain || text.length > MARKDOWN_LIMIT ? null : await markdownToBlocks(text);
    const start = performance.now();
    if (parsed) this.#renew(parsed);
    else this.node.replaceChildren(plainText(text));
    this.#plain = !parsed;
    return performance.now() - start;
  }

  #renew(blocks) {
    blocks.forEach((html, index) => {
      if (html === this.#blocks[index]) return;
      const old = this.node.children[index];
      if (old) old.replaceWith(safeBlock(html));
      else this.node.append(safeBlock(html));
    });
    while (this.node.children.length > blocks.length) this.node.lastElementChild.remove();
    this.#blocks = blocks;
  }
}

// One safe element for the HTML of one block.
function safeBlock(html) {
  const fragment = DOMPurify.sanitize(html, CLEAN);
  for (const link of fragment.querySelectorAll("a")) decorateLink(link);
  for (const code of fragment.querySelectorAll("pre > code")) decorateCode(code);
  for (const table of fragment.querySelectorAll("table")) {
    const frame = h("div", { class: "table", tabindex: "0", role: "region", "aria-label": t("table") });
    table.replaceWith(frame);
    frame.append(table);
  }
  const block = fragment.children.length === 1 ? fragment.firstElementChild : h("div", {}, fragment);
  block.dir = "auto";
  return block;
}

/** Text as it was written; a very long one shows its next slice on demand. */
export function plainText(text) {
  const box = h("div", { class: "plain", dir: "auto" });
  appendSlice(box, text, 0);
  return box;
}

function appendSlice(box, text, from) {
  let end = Math.min(from + MARKDOWN_LIMIT, text.length);
  if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1])) end -= 1;
  box.append(h("div", { class: "slice" }, text.slice(from, end)));
  if (end === text.length) return;
  const more = h("button", { type: "button", class: "quiet" }, t("show_more", { n: text.length - end }));
  more.addEventListener("click", () => {
    more.remove();
    appendSlice(box, text, end);
  });
  box.append(more);
}

function hostOf(address) {
  try {
    const url = new URL(address);
    return url.protocol === "mailto:" ? url.pathname : url.host;
  } catch {
    return "";
  }
}

// A link says where it leads when its text claims to be an address itself, or is a picture.
function decorateLink(link) {
  const address = link.getAttribute("href") ?? "";
  const host = hostOf(address);
  if (!WEB_ADDRESS.test(address) || !host) {
    link.replaceWith(...link.childNodes);
    return;
  }
  const text = link.textContent;
  const spoof = /[\w-]\.[\w-]|:\/\//.test(text) && hostOf(text) !== host && !host.endsWith(text.trim());
  const disguised = /^[a-z]+:\/\/[^/]*@/i.test(address);
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  link.title = address;
  if (link.classList.contains("image")) link.prepend(icon("image"));
  if (spoof || disguised || link.classList.contains("image")) link.append(h("span", { class: "host" }, ` (${host})`));
}

function decorateCode(code) {
  const language = code.className.replace(/^language-/, "");
  code.removeAttribute("class");
  if (code.textContent.length <= HIGHLIGHT_LIMIT) highlight(code, language);
  const copy = h("button", { type: "button", class: "copy", dataset: { copy: "code" }, "aria-label": t("copy_code") });
  copy.append(icon("copy"), h("span", {}, t("copy")));
  const frame = h("figure", { class: "code" }, h("figcaption", {}, h("span", {}, language || t("code")), copy));
  const pre = code.parentElement;
  pre.tabIndex = 0;
  pre.dir = "ltr";
  pre.replaceWith(frame);
  frame.append(pre);
}
