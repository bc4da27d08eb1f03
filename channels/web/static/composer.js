// The message box: grows with its text, keeps a draft for each conversation, respects input methods.

import { storage } from "./dom.js";

// On phones and tablets the key is for a new line, as everywhere there; the button sends.
const touch = matchMedia("(hover: none) and (pointer: coarse)");

export class Composer {
  #draft = "draft:new";

  /** `onSend(text)` returns whether the message was taken; `onStop()` stops the answer. */
  constructor({ form, box, send, stop, onSend, onStop }) {
    Object.assign(this, { form, box, send, stop, onSend });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    box.addEventListener("keydown", (event) => this.#pressed(event));
    box.addEventListener("input", () => this.#changed());
    stop.addEventListener("click", () => {
      onStop();
      box.focus();
    });
  }

  /** Show the draft of the conversation `name`. */
  open(name) {
    this.#draft = `draft:${name}`;
    this.box.value = storage.get(this.#draft) ?? "";
    this.#fit();
  }

  /** Replace what stands in the box, and go there. */
  fill(text) {
    this.box.value = text;
    this.#changed();
    this.focus();
  }

  focus() {
    this.box.focus();
    this.box.setSelectionRange(this.box.value.length, this.box.value.length);
  }

  /** While an answer is written the button stops it. */
  set running(running) {
    const focused = document.activeElement === this.send || document.activeElement === this.stop;
    this.send.hidden = running;
    this.stop.hidden = !running;
    if (focused) this.box.focus();
  }

  #pressed(event) {
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    // While an input method composes, Enter chooses a word. Safari ends the composition first and says 229.
    if (event.isComposing || event.keyCode === 229) return;
    if (touch.matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (!event.repeat) this.submit();
  }

  /** Send what stands in the box; it stays there if it is not taken. */
  submit() {
    const text = this.box.value;
    if (!text.trim()) return;
    const draft = this.#draft;
    if (!this.onSend(text.toWellFormed?.() ?? text)) return;
    storage.set(draft, null);
    this.box.value = "";
    this.#fit();
    this.box.focus();
  }

  #changed() {
    storage.set(this.#draft, this.box.value);
    this.#fit();
  }

  #fit() {
    this.send.disabled = !this.box.value.trim();
    // The grid cell holds a mirror of the text (see layout.css), so the box needs no measuring.
    this.box.parentElement.dataset.mirror = `${this.box.value.slice(0, 4000)}\n`;
  }
}
