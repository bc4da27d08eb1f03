// The panel of memory: what is remembered of the person, and what they may do about it.

import { api, reasonOf } from "./api.js";
import { byId, h } from "./dom.js";
import { t, timeOf, written } from "./i18n.js";

const PAGE = 30;
const SEARCH_MS = 250; // after the last key

export class MemoryPanel {
  #view = "facts";
  #paused = false;
  #loading = 0; // the newest look; an older one that comes late is not shown
  #timer = null;

  /** `user` is whose memory is shown; `toast` says what was done, or went wrong. */
  constructor({ dialog, opener, user, toast }) {
    Object.assign(this, { dialog, user, toast, body: byId("memory-body"), search: byId("memory-search") });
    opener.addEventListener("click", () => this.open());
    byId("memory-close").addEventListener("click", () => dialog.close());
    byId("memory-facts").addEventListener("click", () => this.#show("facts"));
    byId("memory-all").addEventListener("click", () => this.#show("all"));
    byId("memory-pause").addEventListener("click", () => this.#pause());
    byId("memory-export").href = api.memoryExport(user);
    this.search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#load(), SEARCH_MS);
    });
  }

  open() {
    this.search.value = "";
    this.dialog.showModal();
    this.#show("facts");
  }

  #show(view) {
    this.#view = view;
    for (const name of ["facts", "all"]) byId(`memory-${name}`).setAttribute("aria-pressed", String(name === view));
    return this.#load();
  }

  get #query() {
    return this.search.value.trim();
  }

  async #load() {
    const mine = ++this.#loading;
    try {
      const told = await this.#page();
      if (mine !== this.#loading) return;
      this.#setPaused(told.paused);
      this.body.replaceChildren(...this.#shown(told));
    } catch (error) {
      if (mine !== this.#loading) return;
      this.body.replaceChildren(h("p", { role: "alert" }, t("memory_failed", { message: reasonOf(error) })));
    }
  }

  #page(before) {
    const q = this.#query || undefined;
    const kind = this.#view === "facts" && !q ? "facts" : undefined;
    return api.memory(this.user, { q, kind, before, limit: PAGE });
  }

  #shown({ memories, next }) {
    if (!memories.length) return [h("p", { class: "soft" }, this.#nothing())];
    const list = h("ul", { class: "memory-list" }, ...memories.map((memory) => this.#row(memory)));
    return next ? [list, this.#more(list, next)] : [list];
  }

  #nothing() {
    if (this.#query) return t("memory_no_match", { query: this.#query });
    return t(this.#view === "facts" ? "memory_no_facts" : "memory_none");
  }

  #more(list, next) {
    const button = h("button", { type: "button", class: "quiet", onclick: () => more() }, t("more"));
    const more = async () => {
      const mine = this.#loading;
      try {
        const told = await this.#page(next);
        if (mine !== this.#loading) return;
        const rows = told.memories.map((memory) => this.#row(memory));
        list.append(...rows);
        if (told.next) button.replaceWith(this.#more(list, told.next));
        else button.remove();
        rows[0]?.querySelector("button")?.focus();
      } catch (error) {
        this.toast(reasonOf(error));
      }
    };
    return button;
  }

  #row(memory) {
    const over = memory.status === "superseded";
    const until = memory.true_until && written(new Date(memory.true_until), { dateStyle: "medium" });
    const who = memory.role === "assistant" ? t("bot") : memory.name || t("you");
    const note = over ? h("span", { class: "badge" }, until ? t("memory_until", { date: until }) : t("memory_over")) : null;
    const row = h(
      "li",
      { class: over ? "memory over" : "memory" },
      h("p", { class: "memory-text", dir: "auto" }, memory.text),
      h("p", { class: "soft memory-where" }, h("bdi", {}, who), timeOf(memory.at), note),
    );
    row.append(this.#acts(memory, row));
    return row;
  }

  #acts(memory, row) {
    const act = (key, run, extra = "") => h("button", { type: "button", class: `quiet ${extra}`, onclick: run }, t(key));
    const forget = act("memory_forget", () => this.#forget(memory, forget), "danger-text");
    const own = memory.role !== "assistant" && memory.status !== "superseded";
    const correct = own ? act("memory_correct", () => this.#correct(memory, row, correct)) : null;
    return h("div", { class: "task-acts" }, correct, forget);
  }

  // Forgetting takes a second press of the same button: it is for good.
  #forget(memory, button) {
    if (button.dataset.sure === undefined) {
      button.dataset.sure = "";
      button.textContent = t("memory_forget_sure");
      return;
    }
    this.#do(() => api.forgetMemory(this.user, memory.id), "memory_forgotten");
  }

  #correct(memory, row, opener) {
    const box = h("textarea", { rows: 2, dir: "auto", maxlength: 4000, "aria-label": t("memory_correct_label") });
    box.value = memory.text;
    const back = () => {
      form.replaceWith(row.querySelector(".memory-text") ?? h("p", { class: "memory-text", dir: "auto" }, memory.text));
      acts.hidden = false;
      opener.focus();
    };
    const save = (event) => {
      event.preventDefault();
      const text = box.value.trim();
      if (!text || text === memory.text) back();
      else this.#do(() => api.correctMemory(this.user, memory.id, text), "memory_corrected");
    };
    const form = h(
      "form",
      { class: "memory-form", onsubmit: save },
      box,
      h("button", { type: "submit", class: "quiet" }, t("memory_save")),
      h("button", { type: "button", class: "quiet", onclick: back }, t("cancel")),
    );
    // Escape leaves the correction, not the panel.
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        back();
      }
    });
    const acts = row.querySelector(".task-acts");
    acts.hidden = true;
    row.querySelector(".memory-text").replaceWith(form);
    box.focus();
  }

  async #pause() {
    try {
      const { paused } = await api.pauseMemory(this.user, !this.#paused);
      this.#setPaused(paused);
      this.toast(t(paused ? "memory_paused" : "memory_resumed"));
    } catch (error) {
      this.toast(reasonOf(error));
    }
  }

  #setPaused(paused) {
    this.#paused = paused;
    byId("memory-pause").setAttribute("aria-checked", String(!paused));
  }

  async #do(act, done) {
    try {
      await act();
      this.toast(t(done));
    } catch (error) {
      if (error.status !== 404) {
        this.toast(reasonOf(error));
        return;
      }
    }
    await this.#load();
    this.body.focus();
  }
}
