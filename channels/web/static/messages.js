// The conversation on the screen: finished messages in the log, the answer being written below it.

import { h, icon } from "./dom.js";
import { t, timeOf } from "./i18n.js";
import { MARKDOWN_LIMIT, MarkdownBody, plainText } from "./render.js";

const NEAR_BOTTOM_PX = 64;
const TOLD = new Set(["failed", "pending"]);

/** What is told beside an answer, or "". Why one ended early stands in its own last words. */
export function noteOf(status, hasContent) {
  if (TOLD.has(status)) return t(`status_${status}`);
  return hasContent ? "" : t("status_empty");
}

/** An answer's body: shows the last text that it was given, at most once a frame. */
class Answer {
  node = h("div", { class: "body markdown", dir: "auto" });
  #wanted = "";
  #shown = "";
  #final = false;
  #body = new MarkdownBody(this.node);
  #loop = null;

  constructor(onGrow) {
    this.onGrow = onGrow;
  }

  write(text) {
    this.#wanted = text;
    this.#loop ??= this.#run();
  }

  /** Show `text` as the last one; resolves when it is on the screen. */
  async finish(text) {
    this.#final = true;
    this.write(text);
    await this.#loop;
  }

  async #run() {
    await null; // so that the end of the loop comes after `#loop` was set
    while (this.#wanted !== this.#shown) {
      // Beyond the limit the visible slice can't change before the end.
      if (this.#shown.length > MARKDOWN_LIMIT && !this.#final) break;
      const text = this.#wanted;
      const cost = await this.#body.show(text);
      this.#shown = text;
      this.onGrow();
      if (!this.#final) await pause(cost * 4);
    }
    this.#loop = null;
  }
}

// The next frame, or soon in a hidden tab, where no frames come; then the rest of `ms`.
function pause(ms) {
  return new Promise((resolve) => {
    const next = () => setTimeout(resolve, ms);
    if (document.hidden) setTimeout(next, 200);
    else requestAnimationFrame(next);
  });
}

export class MessageLog {
  #texts = new WeakMap();
  #pinned = true;

  /** `scroller` holds `log` (role=log) and `live`; `jump` leads back to the end. */
  constructor({ scroller, log, live, jump }) {
    Object.assign(this, { scroller, log, live, jump });
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    jump.addEventListener("click", () => this.toBottom());
    new ResizeObserver(() => this.follow()).observe(scroller);
  }

  get empty() {
    return !this.log.firstElementChild && !this.live.firstElementChild;
  }

  clear() {
    this.log.replaceChildren();
    this.live.replaceChildren();
    this.#pinned = true;
    this.jump.hidden = true;
  }

  /** The text of the message that `node` stands in, as it was written. */
  textOf(node) {
    return this.#texts.get(node.closest(".message")) ?? "";
  }

  /** Add older messages above; a screen reader is not told of them. */
  async prepend(messages) {
    const articles = await Promise.all(messages.map((message) => this.#stored(message)));
    const fromBottom = this.scroller.scrollHeight - this.scroller.scrollTop;
    this.log.setAttribute("aria-live", "off");
    this.log.prepend(...articles);
    this.scroller.scrollTop = this.scroller.scrollHeight - fromBottom;
    this.follow();
    requestAnimationFrame(() => this.log.setAttribute("aria-live", "polite"));
  }

  /** Add messages at the end that came from elsewhere, such as a reminder; a screen reader is told. */
  async append(messages) {
    const fresh = messages.filter((message) => !this.#has(message));
    const articles = await Promise.all(fresh.map((message) => this.#stored(message)));
    this.log.append(...articles);
    this.follow();
  }

  #has({ id, role, turn_id: turnId }) {
    const same = ({ dataset, classList }) => turnId && dataset.turn === turnId && classList.contains(role);
    return [...this.log.children].some((article) => article.dataset.id === id || same(article));
  }

  addUser(text, at, turnId) {
    this.#settle();
    const article = this.#article("user", text, at, turnId);
    article.querySelector(".body").append(plainText(text));
    this.log.append(article);
    this.toBottom();
    return article;
  }

  /** Begin an answer; returns what writes it. */
  startAnswer(turnId) {
    const article = this.#article("assistant", "", null, turnId);
    const answer = new Answer(() => this.follow());
    article.querySelector(".body").replaceWith(answer.node);
    article.classList.add("writing");
    this.#settle();
    this.live.append(article);
    this.follow();
    return { article, answer };
  }

  /** Move a finished answer into the log, which reads it out once. */
  async finishAnswer({ article, answer }, text, at) {
    this.#texts.set(article, text);
    await answer.finish(text);
    article.classList.remove("writing");
    const time = timeOf(at);
    if (time) article.querySelector("footer").prepend(time);
    if (article.parentElement === this.live) this.#settle();
    this.follow();
  }

  remove(turnId, except = []) {
    for (const article of this.log.querySelectorAll(".message")) {
      if (article.dataset.turn === turnId && !except.includes(article)) article.remove();
    }
  }

  /** Put a line below a message: what became of it, and what can be done. Without a text it goes. */
  note(article, text, { kind = "", actions = [] } = {}) {
    article.querySelector(".note")?.remove();
    if (!text) return;
    const buttons = actions.map(([name, key, run]) => {
      const button = h("button", { type: "button", class: "quiet", onclick: run }, icon(name), t(key));
      return button;
    });
    const note = h("div", { class: `note ${kind}` }, h("span", { class: "note-text" }, text), ...buttons);
    article.querySelector("footer").before(note);
    this.follow();
  }

  /** Show what tools brought for an answer below its text. One that is gone, or is no picture, leaves nothing. */
  pictures(article, pictures) {
    if (!pictures.length) return;
    const figures = pictures.map(({ url, caption }) => {
      const figure = h("figure", { class: "picture" });
      const image = h("img", { src: url, alt: caption || t("picture"), decoding: "async" });
      image.addEventListener("load", () => this.follow());
      image.addEventListener("error", () => figure.remove());
      figure.append(h("a", { href: url, target: "_blank", rel: "noopener" }, image));
      if (caption) figure.append(h("figcaption", { dir: "auto" }, caption));
      return figure;
    });
    article.querySelector("footer").before(h("div", { class: "pictures" }, ...figures));
  }

  /** Buttons below an answer, and nowhere else any more: they belong to the last question. */
  choices(article, choices, press) {
    for (const old of this.log.querySelectorAll(".choices")) old.remove();
    if (!choices.length) return;
    const buttons = choices.map((choice) =>
      h("button", { type: "button", class: "quiet", onclick: () => press(choice) }, choice.label),
    );
    article.querySelector("footer").before(h("div", { class: "note choices" }, ...buttons));
    this.follow();
  }

  toBottom() {
    this.#pinned = true;
    this.follow();
  }

  /** Stay at the end if the reader was there. */
  follow() {
    if (this.#pinned) this.scroller.scrollTop = this.scroller.scrollHeight;
    this.jump.hidden = this.#pinned || this.#atBottom();
  }

  // What stands below the log goes into it, before anything else is added there.
  #settle() {
    this.log.append(...this.live.children);
  }

  #atBottom() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM_PX;
  }

  #scrolled() {
    this.#pinned = this.#atBottom();
    this.jump.hidden = this.#pinned;
  }

  async #stored(message) {
    const article = this.#article(message.role, message.text, message.at, message.turn_id);
    article.dataset.id = message.id;
    const body = article.querySelector(".body");
    if (message.role === "user") body.append(plainText(message.text));
    else await new MarkdownBody(body).show(message.text);
    this.pictures(article, message.pictures ?? []);
    const isUser = message.role === "user";
    const note = noteOf(message.status, isUser || message.text || message.pictures?.length);
    if (note && !(isUser && message.status === "pending")) {
      this.note(article, note, { kind: message.status === "failed" ? "error" : "" });
    }
    return article;
  }

  #article(role, text, at, turnId) {
    const copy = h("button", { type: "button", class: "copy", dataset: { copy: "message" } });
    copy.append(icon("copy"), h("span", {}, t("copy")));
    copy.setAttribute("aria-label", t("copy_message"));
    const article = h(
      "article",
      { class: `message ${role}`, dataset: turnId ? { turn: turnId } : {} },
      h("h2", { class: "visually-hidden" }, t(role === "user" ? "you" : "bot")),
      h("div", { class: role === "user" ? "body" : "body markdown", dir: "auto" }),
      h("footer", { "aria-live": "off" }, timeOf(at), copy),
    );
    this.#texts.set(article, text);
    return article;
  }
}
