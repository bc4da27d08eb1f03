// What of a turn is on the screen: its question, its answer, and the line that says how it goes.

import { reasonOf } from "./api.js";
import { t } from "./i18n.js";
import { noteOf } from "./messages.js";

export class TurnView {
  /** `user` is the question's article, or null when it stands in the history. */
  constructor(ui, turn, user) {
    Object.assign(this, { log: ui.log, tell: ui.status, turn, user, answer: ui.log.startAnswer(turn.turnId) });
  }

  get article() {
    return this.answer.article;
  }

  write() {
    this.answer.answer.write(this.turn.text);
  }

  /** The server has the message and has given the turn its name. */
  accepted() {
    const { turnId } = this.turn;
    if (!turnId) return;
    this.article.dataset.turn = turnId;
    if (!this.user) return;
    this.user.dataset.turn = turnId;
    this.log.note(this.user, "");
    this.log.remove(turnId, [this.user]); // sent again after a reload, it may be in the history already
  }

  progress() {
    const { turn } = this;
    const broken = turn.phase === "reconnecting";
    const key = turn.stopping ? "stopping" : broken ? "reconnecting" : null;
    this.article.classList.toggle("broken", broken);
    const actions = broken && !turn.stopping ? [["retry", "retry_now", () => turn.wake()]] : [];
    this.log.note(this.article, key ? t(key) : "", { kind: "progress", actions });
    if (key || turn.phase === "sending") this.tell(t(key ?? "thinking"));
  }

  async finished() {
    const { turn } = this;
    this.article.classList.remove("broken");
    this.log.pictures(this.article, turn.pictures);
    this.log.note(this.article, noteOf(turn.status, turn.text || turn.pictures.length));
    await this.settle(new Date().toISOString());
  }

  /** Move the answer into the log, as far as it got. */
  settle(at = null) {
    if (this.article.isConnected) return this.log.finishAnswer(this.answer, this.turn.text, at);
  }

  interrupted(resume) {
    this.article.classList.remove("broken");
    this.log.note(this.article, t("interrupted"), { kind: "error", actions: [["retry", "retry", resume]] });
    this.tell(t("interrupted"));
  }

  failed(again) {
    const text = t("failed", { message: reasonOf(this.turn.error) });
    const actions = again ? [["retry", "retry", again]] : [];
    this.article.classList.remove("broken");
    this.log.note(this.article, text, { kind: "error", actions });
    this.tell(text);
    this.settle();
  }

  remove() {
    this.article.remove();
    this.user?.remove();
  }
}

/** Say below a question that it did not reach the bot, and why, when the server refused it. */
export function noteUnsent(ui, user, error, { again, edit, drop }) {
  const text = error?.status ? t("rejected", { message: reasonOf(error) }) : t("not_sent");
  const actions = [["retry", "retry", again], ["edit", "edit", edit], ["close", "discard", drop]];
  ui.log.note(user, text, { kind: "error", actions });
  ui.status(text);
}
