// Markdown to HTML, off the page's thread: some inputs take a parser minutes, and a worker can be ended.

import { Marked } from "./vendor/marked/marked.esm.js";

const MAX_TAGS = 12_000; // some six thousand elements; a browser lays out many more too slowly
const MAX_COLUMNS = 60; // each short row of a table is filled up to its header's width
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

const renderer = {
  // HTML in an answer is shown as it was written.
  html({ text, block }) {
    return block ? `<p>${escape(text)}</p>` : escape(text);
  },
  // A picture is a link: loading it would tell its host that, and what, was read.
  image({ href, text }) {
    return `<a class="image" href="${escape(href)}">${escape(text || href)}</a>`;
  },
  // The page's own headings are the first two levels.
  heading({ tokens, depth }) {
    const level = Math.min(depth + 2, 6);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
  },
  checkbox({ checked }) {
    return checked ? "☑ " : "☐ ";
  },
  code({ text, lang }) {
    const language = (lang ?? "").match(/^[\w+#.-]{1,30}/)?.[0] ?? "";
    return `<pre><code class="language-${escape(language)}">${escape(text)}\n</code></pre>`;
  },
};

const tokenizer = {
  table(source) {
    const header = source.slice(0, source.indexOf("\n") + 1);
    return header.split("|").length > MAX_COLUMNS ? undefined : false;
  },
};

const marked = new Marked({ gfm: true, breaks: true, renderer, tokenizer });

// Each block by itself, so that the page renews only those that a longer text changes.
function blocksOf(text) {
  const blocks = [];
  let tags = 0;
  for (const token of marked.lexer(text)) {
    const html = marked.parser([token]);
    tags += html.split("<").length;
    if (tags > MAX_TAGS) return null;
    if (html.trim()) blocks.push(html);
  }
  return blocks;
}

self.onmessage = ({ data: { id, text } }) => {
  let blocks = null;
  try {
    blocks = blocksOf(text);
  } catch {
    // Nested too deep, say: the page shows the plain text.
  }
  self.postMessage({ id, blocks });
};
