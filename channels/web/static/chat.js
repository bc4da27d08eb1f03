// The conversation that is open, and the turns that run: what is sent, shown, resumed, retried.

import { api, ApiError, reasonOf } from "./api.js";
import { uuid } from "./dom.js";
import { t } from "./i18n.js";
import { outbox } from "./outbox.js";
import { LiveTurn } from "./turn.js";
import { noteUnsent, TurnView } from "./turn-view.js";

const PAGE = 40;
const MAX_STREAMS = 3; // a browser opens six connections to one host

export class Chat {
  sessionId = null;
  loading = false; // the open conversation is not here yet; what was sent now would be shown twice
  #turns = new Map(); // session → its running or failed turn
  #shown = null; // the view of the open session's turn
  #earlier = null;
  #loadingEarlier = false;
  #opening = 0;
  #syncedAt = null; // when the open conversation, as it is shown, was changed last

  /**
   * `ui` has log, sessions, composer, empty(bool), earlier(bool), status(text), opened(id), loaded(),
   * failed(text, again).
   */
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
    this.loading = true;
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
    } finally {
      if (opening === this.#opening) this.loading = false;
    }
    if (opening !== this.#opening) return;
    this.#takeUp(id);
    this.ui.empty(this.ui.log.empty);
    this.ui.log.toBottom();
    this.ui.loaded();
  }

  /** Load older messages above; does nothing when there are none, or while it is at it. */
  async loadEarlier() {
    if (!this.#earlier || this.#loadingEarlier) return;
    const opening = this.#opening;
    this.#loadingEarlier = true;
    try {
      const page = await api.messages(this.sessionId, PAGE, this.#earlier);
      if (opening === this.#opening) await this.#prepend(page);
    } catch (error) {
      this.ui.status(t("load_failed", { message: reasonOf(error) }));
    } finally {
      this.#loadingEarlier = false;
    }
  }

  /** Send `text`, shown as `shown`; false when it can't be sent now. */
  send(text, shown = text) {
    if (this.running || !this.userId) {
      this.ui.status(this.userId ? t("still_writing") : t("unreachable"));
      return false;
    }
    this.#discard();
    const key = uuid();
    outbox.put(this.sessionId, key, text);
    this.ui.empty(false);
    this.ui.log.choices(null, []);
    this.ui.sessions.touch(this.sessionId, shown.trim().slice(0, 60));
    this.ui.opened(this.sessionId);
    this.#begin({ userText: text, key }, this.ui.log.addUser(shown, new Date().toISOString()));
    return true;
  }

  /** Show what was added to the open conversation from elsewhere; `session` is its entry in the list. */
  async sync(session) {
    if (!session || this.turn || this.loading || this.#loadingEarlier || session.updated_at === this.#syncedAt) return;
    const opening = this.#opening;
    const { messages } = await api.messages(session.id, PAGE);
    if (opening !== this.#opening || this.turn) return;
    this.#syncedAt = session.updated_at;
    await this.ui.log.append(messages);
    this.ui.empty(this.ui.log.empty);
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
    this.loading = false;
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
    this.#syncedAt = session.updated_at;
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
      this.#shown = new TurnView(this.ui, turn, user);
      this.#changed(turn, "text");
      this.#changed(turn, "phase");
    } else if (waiting && !turn) {
      const user = this.ui.log.addUser(waiting.text, null);
      if (waiting.fresh) this.#begin({ userText: waiting.text, key: waiting.key }, user);
      else this.#unsent(user, waiting.key, waiting.text, null);
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
    this.#shown = new TurnView(this.ui, turn, user);
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

  #changed(turn, what) {
    const view = this.#shown?.turn === turn ? this.#shown : null;
    if (what === "text") view?.write();
    if (what === "accepted") {
      outbox.drop(turn.sessionId);
      view?.accepted();
    }
    if (what === "phase") this.#phase(turn, view);
  }

  #phase(turn, view) {
    if (turn.phase === "done" || (turn.phase === "failed" && !view)) this.#turns.delete(turn.sessionId);
    this.ui.sessions.mark(turn.sessionId, { running: turn.running, unread: !turn.running && !view });
    if (!turn.running) this.ui.sessions.refresh();
    if (!view) return;
    this.ui.composer.running = turn.running;
    if (turn.running) view.progress();
    else if (turn.phase === "failed") this.#failed(turn, view);
    else {
      this.#shown = null;
      const settled = view.finished();
      if (turn.choices.length) settled.then(() => this.#offer(turn, view));
      if (turn.status === "waiting") settled.then(() => this.#askFor(turn, view));
    }
  }

  // What the bot asks can be answered with one press; it is said as any message is.
  #offer(turn, view) {
    if (this.sessionId !== turn.sessionId || this.running) return;
    this.ui.log.choices(view.article, turn.choices, ({ label, says }) => this.send(says, label));
  }

  // A tool waits for a word: the question stands in the answer, and its answer is a button.
  #askFor(turn, view) {
    const decide = (decision) => async () => {
      await turn.decide(decision).catch((error) => this.ui.status(reasonOf(error)));
      this.ui.log.note(view.article, "");
      if (this.sessionId !== turn.sessionId || this.running) return;
      view.article.remove();
      this.#begin({ turnId: turn.turnId, userText: turn.userText }, null);
    };
    const icons = { once: "check", always: "check", deny: "close" };
    const actions = Object.entries(icons).map(([decision, icon]) => [icon, `approve_${decision}`, decide(decision)]);
    this.ui.log.note(view.article, t("status_waiting"), { actions });
  }

  #failed(turn, view) {
    const { error } = turn;
    if (!turn.turnId) {
      view.article.remove();
      this.#unsent(view.user, turn.key, turn.userText, error);
    } else if (error.code === "unreachable") {
      view.interrupted(() => turn.run());
    } else if (error.status === 404) {
      this.#turns.delete(turn.sessionId);
      this.open(turn.sessionId); // the turn is over and gone: the history tells how it ended
    } else {
      this.#turns.delete(turn.sessionId);
      view.failed(turn.userText ? () => this.#again(turn, view) : null);
    }
  }

  #again(turn, view) {
    if (this.running) return;
    view.remove();
    this.send(turn.userText);
  }

  #unsent(user, key, text, error) {
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
    noteUnsent(this.ui, user, error, { again, edit, drop });
  }

  // A turn that failed for good makes room for the next one; what it wrote stays on the screen.
  #discard() {
    this.#shown?.settle();
    this.#turns.delete(this.sessionId);
    this.#shown = null;
  }
}
