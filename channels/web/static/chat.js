// The conversation that is open, and the turns that run: what is sent, shown, resumed, retried.

import { api, ApiError } from "./api.js";
import { uuid } from "./dom.js";
import { t } from "./i18n.js";
import { outbox } from "./outbox.js";
import { LiveTurn } from "./turn.js";

const PAGE = 40;
const MAX_STREAMS = 3; // a browser opens six connections to one host

/** What a person reads of an error. */
export function reasonOf(error) {
  if (error.code === "unreachable") return t("unreachable");
  return error.message || error.code || t("unreachable");
}

export class Chat {
  sessionId = null;
  #turns = new Map(); // session → its running or failed turn
  #shown = null; // {turn, user, view}: what of the open session's turn is on the screen
  #earlier = null;
  #loading = false;
  #opening = 0;

  /** `ui` has log, sessions, composer, empty(bool), earlier(bool), status(text), title(text), opened(id). */
  constructor(ui, userId) {
    this.ui = ui;
    this.userId = userId;
  }

  get turn() {
    return this.#turns.get(this.sessionId) ?? null;
  }

  get running() {
    return this.turn?.running ?? false;
  }

  /** Begin a conversation that the server doesn't know of yet. */
  openNew() {
    this.#leave(uuid());
    this.ui.composer.open("new");
    this.ui.empty(true);
  }

  /** Open a conversation: its last messages, and the answer that is being written. */
  async open(id) {
    const opening = this.#leave(id);
    this.ui.composer.open(id);
    this.ui.empty(false);
    try {
      const session = await api.session(id);
      const page = await api.messages(id, PAGE);
      if (opening !== this.#opening) return;
      await this.#show(session, page);
    } catch (error) {
      if (opening !== this.#opening) return;
      const unknown = error instanceof ApiError && error.status === 404;
      if (!unknown) return this.ui.failed(t("load_failed", { message: reasonOf(error) }), () => this.open(id));
    }
    if (opening !== this.#opening) return;
    this.#takeUp(id);
    this.ui.empty(this.ui.log.empty);
    this.ui.log.toBottom();
  }

  /** Load older messages above; does nothing when there are none, or while it is at it. */
  async loadEarlier() {
    if (!this.#earlier || this.#loading) return;
    const opening = this.#opening;
    this.#loading = true;
    try {
      const page = await api.messages(this.sessionId, PAGE, this.#earlier);
      if (opening === this.#opening) await this.#prepend(page);
    } catch (error) {
      this.ui.status(t("load_failed", { message: reasonOf(error) }));
    } finally {
      this.#loading = false;
    }
  }

  /** Send `text`; false when it can't be sent now. */
  send(text) {
    if (this.running || !this.userId) {
      this.ui.status(this.userId ? t("still_writing") : t("unreachable"));
      return false;
    }
    this.#discard();
    const key = uuid();
    outbox.put(this.sessionId, key, text);
    this.ui.empty(false);
    this.ui.sessions.touch(this.sessionId, text.trim().slice(0, 60));
    this.ui.opened(this.sessionId);
    this.#begin({ userText: text, key }, this.ui.log.addUser(text, new Date().toISOString()));
    return true;
  }

  stop() {
    this.turn?.stop();
  }

  /** Forget a conversation that was deleted. */
  forget(id) {
    this.#turns.get(id)?.detach();
    this.#turns.delete(id);
    outbox.drop(id);
  }

  /** The network is back, or the page is looked at again. */
  wake() {
    for (const turn of this.#turns.values()) turn.wake();
  }

  #leave(id) {
    this.sessionId = id;
    this.#shown = null;
    this.#earlier = null;
    this.ui.log.clear();
    this.ui.earlier(false);
    this.ui.sessions.current = id;
    this.ui.composer.running = this.running;
    this.#opening += 1;
    return this.#opening;
  }

  async #show(session, page) {
    const running = this.turn?.turnId ?? session.running_turn;
    const shown = page.messages.filter((m) => !(m.role === "assistant" && m.turn_id === running));
    await this.#prepend({ ...page, messages: shown });
    if (!session.running_turn || this.turn) return;
    // What the outbox holds may be this very turn, accepted just before a reload.
    const waiting = outbox.get(session.id);
    const asked = page.messages.findLast((m) => m.role === "user");
    if (waiting && asked?.text !== waiting.text) return;
    outbox.drop(session.id);
    this.#begin({ turnId: session.running_turn, userText: asked?.text }, null);
  }

  async #prepend({ messages, next }) {
    await this.ui.log.prepend(messages);
    this.#earlier = next ?? null;
    this.ui.earlier(Boolean(next));
  }

  // Show the turn that this page already runs here, or send again what may not have arrived.
  #takeUp(id) {
    const turn = this.turn;
    const waiting = outbox.get(id);
    if (turn && !this.#shown) {
      const user = turn.turnId ? null : this.ui.log.addUser(turn.userText, null);
      this.#attach(turn, user);
      this.#changed(turn, "text");
      this.#changed(turn, "phase");
    } else if (waiting && !turn) {
      const user = this.ui.log.addUser(waiting.text, null);
      if (waiting.fresh) this.#begin({ userText: waiting.text, key: waiting.key }, user);
      else this.#noteUnsent(user, waiting.key, waiting.text, t("not_sent"));
    }
  }

  #begin(options, user) {
    const turn = new LiveTurn({
      sessionId: this.sessionId,
      userId: this.userId,
      onChange: (changed, what) => this.#changed(changed, what),
      ...options,
    });
    this.#turns.set(this.sessionId, turn);
    this.#letGoOfOthers();
    this.#attach(turn, user);
    turn.run();
  }

  // Too many streams would block every other request; the server finishes those turns by itself.
  #letGoOfOthers() {
    const others = [...this.#turns].filter(([id, turn]) => id !== this.sessionId && turn.running && turn.turnId);
    for (const [id, turn] of others.slice(0, Math.max(0, others.length - MAX_STREAMS + 1))) {
      turn.detach();
      this.#turns.delete(id);
      this.ui.sessions.mark(id, { running: false });
    }
  }

  #attach(turn, user) {
    this.#shown = { turn, user, view: this.ui.log.startAnswer(turn.turnId) };
  }

  #changed(turn, what) {
    const shown = this.#shown?.turn === turn ? this.#shown : null;
    if (what === "accepted") this.#accepted(turn, shown);
    if (what === "text") shown?.view.answer.write(turn.text);
    if (what === "phase") this.#phase(turn, shown);
  }

  #accepted(turn, shown) {
    outbox.drop(turn.sessionId);
    if (!shown || !turn.turnId) return;
    if (shown.user) {
      shown.user.dataset.turn = turn.turnId;
      this.ui.log.note(shown.user, "");
    }
    shown.view.article.dataset.turn = turn.turnId;
    // A message that was sent again after a reload may be in the history already.
    if (shown.user) this.ui.log.remove(turn.turnId, [shown.user]);
  }

  #phase(turn, shown) {
    if (turn.phase === "done" || (turn.phase === "failed" && !shown)) this.#turns.delete(turn.sessionId);
    this.ui.sessions.mark(turn.sessionId, { running: turn.running, unread: !turn.running && !shown });
    if (!turn.running) this.ui.sessions.refresh();
    if (!shown) return;
    this.ui.composer.running = turn.running;
    if (turn.phase === "done") this.#finished(turn, shown);
    else if (turn.phase === "failed") this.#failed(turn, shown);
    else this.#progress(turn, shown);
  }

  #progress(turn, { view }) {
    const key = turn.stopping ? "stopping" : turn.phase === "reconnecting" ? "reconnecting" : null;
    view.article.classList.toggle("broken", turn.phase === "reconnecting");
    const actions = key === "reconnecting" ? [["retry", "retry_now", () => turn.wake()]] : [];
    this.ui.log.note(view.article, key ? t(key) : "", { kind: "progress", actions });
    if (key) this.ui.status(t(key));
  }

  async #finished(turn, { view }) {
    this.#shown = null;
    view.article.classList.remove("broken");
    const status = turn.text || turn.status !== "complete" ? turn.status : "empty";
    this.ui.log.note(view.article, status === "complete" ? "" : t(`status_${status}`));
    await this.ui.log.finishAnswer(view, turn.text, new Date().toISOString());
  }

  #failed(turn, shown) {
    const { error } = turn;
    const { view, user } = shown;
    view.article.classList.remove("broken");
    if (!turn.turnId) {
      view.article.remove();
      const rejected = error.status > 0;
      const text = rejected ? t("rejected", { message: reasonOf(error) }) : t("not_sent");
      this.#noteUnsent(user, turn.key, turn.userText, text);
    } else if (error.status === 404) {
      this.#turns.delete(turn.sessionId);
      this.open(turn.sessionId); // the turn is over and gone: the history tells how it ended
      return;
    } else if (error.code === "unreachable") {
      const resume = ["retry", "retry", () => turn.run()];
      this.ui.log.note(view.article, t("interrupted"), { kind: "error", actions: [resume] });
    } else {
      this.#turns.delete(turn.sessionId);
      this.ui.log.finishAnswer(view, turn.text, null);
      const again = turn.userText ? [["retry", "retry", () => this.#again(turn, shown)]] : [];
      this.ui.log.note(view.article, t("failed", { message: reasonOf(error) }), { kind: "error", actions: again });
    }
    this.ui.status(t("status_failed"));
  }

  #again(turn, { view, user }) {
    if (this.running) return;
    view.article.remove();
    user?.remove();
    this.send(turn.userText);
  }

  #noteUnsent(user, key, text, reason) {
    const drop = () => {
      if (this.turn?.key === key) this.#turns.delete(this.sessionId);
      if (outbox.get(this.sessionId)?.key === key) outbox.drop(this.sessionId);
      user.remove();
      if (this.ui.log.empty) this.ui.sessions.remove(this.sessionId);
      this.ui.empty(this.ui.log.empty);
    };
    const again = () => {
      if (this.running) return;
      this.ui.log.note(user, "");
      outbox.put(this.sessionId, key, text);
      this.#begin({ userText: text, key }, user);
    };
    const edit = () => {
      drop();
      this.ui.composer.fill(text);
    };
    const actions = [["retry", "retry", again], ["edit", "edit", edit], ["close", "discard", drop]];
    this.ui.log.note(user, reason, { kind: "error", actions });
  }

  // A turn that failed for good makes room for the next one; what it wrote stays on the screen.
  #discard() {
    if (this.#shown?.view.article.isConnected) this.ui.log.finishAnswer(this.#shown.view, this.#shown.turn.text, null);
    this.#turns.delete(this.sessionId);
    this.#shown = null;
  }
}
