// The list of conversations: newest first, by day, searchable, each can be deleted.

import { api } from "./api.js";
import { h, icon } from "./dom.js";
import { label, t } from "./i18n.js";

const PAGE = 50;
const DAY_MS = 86_400_000;
const SEARCH_PAGES = 20; // how far a search looks back

function groupOf(at) {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const time = new Date(at).getTime();
  if (time >= midnight) return "today";
  if (time >= midnight - DAY_MS) return "yesterday";
  return time >= midnight - 7 * DAY_MS ? "week" : "older";
}

export class SessionList {
  #sessions = new Map();
  #running = new Set();
  #unread = new Set();
  #next = null;
  #current = null;
  #failed = false;
  #drawn = "";

  /** `onDelete(session)` is asked when a delete button is pressed. */
  constructor({ list, search, onDelete }) {
    Object.assign(this, { list, search, onDelete });
    search.addEventListener("input", () => this.#searched());
  }

  /** Load the newest page again; older ones that were loaded stay. */
  async refresh() {
    try {
      const { sessions, next } = await api.sessions(PAGE);
      if (this.#sessions.size <= sessions.length) this.#next = next ?? null;
      if (!next) this.#forgetAllBut(new Set(sessions.map(({ id }) => id)));
      for (const session of sessions) this.#sessions.set(session.id, session);
      this.#failed = false;
    } catch {
      this.#failed = true;
    }
    this.#draw();
  }

  // Those that were deleted elsewhere; one whose first message is on its way is not listed yet.
  #forgetAllBut(ids) {
    for (const id of this.#sessions.keys()) {
      if (!ids.has(id) && !this.#running.has(id)) this.#sessions.delete(id);
    }
  }

  async more() {
    const { sessions, next } = await api.sessions(PAGE, this.#next);
    for (const session of sessions) this.#sessions.set(session.id, session);
    this.#next = next ?? null;
    this.#draw();
  }

  get(id) {
    return this.#sessions.get(id);
  }

  /** Show a conversation at once that the server is only now learning of. */
  touch(id, title) {
    const known = this.#sessions.get(id);
    const now = new Date().toISOString();
    this.#sessions.set(id, { id, title, created_at: now, ...known, updated_at: now });
    this.#draw();
  }

  remove(id) {
    this.#sessions.delete(id);
    this.#draw();
  }

  set current(id) {
    this.#current = id;
    this.#unread.delete(id);
    this.#draw();
  }

  /** Mark a conversation as being answered, or as answered while another one was open. */
  mark(id, { running, unread = false }) {
    if (running) this.#running.add(id);
    else this.#running.delete(id);
    if (unread) this.#unread.add(id);
    this.#draw();
  }

  async #searched() {
    this.#draw();
    for (let page = 0; this.search.value && this.#next && page < SEARCH_PAGES; page += 1) {
      try {
        await this.more();
      } catch {
        return; // what is loaded is searched
      }
    }
  }

  #draw() {
    const state = [this.search.value, this.#current, this.#next, this.#failed];
    const looks = JSON.stringify([...state, [...this.#sessions], [...this.#running], [...this.#unread]]);
    if (looks === this.#drawn) return; // so that a refresh doesn't disturb a pointer or a focus
    this.#drawn = looks;
    const query = this.search.value.trim().toLocaleLowerCase();
    const sessions = [...this.#sessions.values()]
      .filter(({ title }) => (title ?? "").toLocaleLowerCase().includes(query))
      .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
    const focused = document.activeElement?.closest?.("[data-session]")?.dataset.session;
    const nodes = [];
    let group = null;
    for (const session of sessions) {
      if (groupOf(session.updated_at) !== group) {
        group = groupOf(session.updated_at);
        nodes.push(h("li", { class: "group" }, h("h2", {}, t(group))));
      }
      nodes.push(this.#item(session));
    }
    if (!sessions.length) nodes.push(h("li", { class: "hint" }, this.#hint(query)));
    if (this.#next) nodes.push(this.#moreButton());
    this.list.replaceChildren(...nodes);
    if (focused) this.list.querySelector(`[data-session="${CSS.escape(focused)}"] a`)?.focus();
  }

  #hint(query) {
    if (this.#failed) return t("sessions_failed");
    return query ? t("no_match", { query: this.search.value.trim() }) : t("no_sessions");
  }

  #item(session) {
    const title = session.title || t("untitled");
    const link = h("a", { href: `#/c/${encodeURIComponent(session.id)}`, dir: "auto", title }, title);
    const item = h("li", { class: "session", dataset: { session: session.id } }, link);
    if (session.id === this.#current) link.setAttribute("aria-current", "page");
    if (this.#running.has(session.id)) item.classList.add("running");
    if (this.#unread.has(session.id)) item.classList.add("unread");
    const remove = h("button", { type: "button", class: "icon-button small" }, icon("trash"));
    label(remove, t("delete_named", { title }));
    remove.addEventListener("click", () => this.onDelete({ ...session, title }));
    item.append(remove);
    return item;
  }

  #moreButton() {
    const button = h("button", { type: "button", class: "quiet" }, t("more"));
    button.addEventListener("click", () => this.more().catch(() => this.#draw()));
    return h("li", { class: "hint" }, button);
  }
}
