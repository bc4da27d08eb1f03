// One turn as the page sees it: sent once, streamed, resumed after every break, ended once.

import { api, ApiError } from "./api.js";
import { zone } from "./i18n.js";
import { readEvents } from "./stream.js";

const MAX_ATTEMPTS = 10; // about 90 s of trying in a row without one event
const BACKOFF_MS = [400, 800, 1600, 3200, 6400, 12_000];
const RUNNING = new Set(["sending", "streaming", "reconnecting"]);

function backoff(attempt, retryAfterS) {
  const base = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length) - 1];
  return Math.max(base * (0.8 + 0.4 * Math.random()), (retryAfterS ?? 0) * 1000);
}

function parsed(data) {
  try {
    const value = JSON.parse(data);
    return value !== null && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}

/**
 * `phase`: sending, streaming, reconnecting, done, failed. `onChange(turn, what)` is told of each change,
 * with `what` one of "text", "phase", "accepted".
 */
export class LiveTurn {
  text = "";
  phase = "sending";
  status = null;
  error = null;
  choices = []; // what may be pressed below the answer
  pictures = []; // what tools brought to be shown with it
  stopping = false;
  #seen = new Set();
  #lastEventId = "";
  #abort = null;
  #wake = null;
  #detached = false;

  constructor({ sessionId, userId, userText, key, turnId = null, onChange }) {
    Object.assign(this, { sessionId, userId, userText, key, turnId, onChange });
  }

  get running() {
    return RUNNING.has(this.phase);
  }

  /** Run until the turn has ended, failed, or was detached. May be called again after a failure. */
  async run() {
    this.error = null;
    this.#set(this.turnId ? "reconnecting" : "sending");
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const { ended, heard, retryAfterS } = await this.#attempt();
      if (ended || this.#detached) return;
      if (heard) attempt = 1;
      this.#set("reconnecting");
      await this.#pause(backoff(attempt, retryAfterS));
      if (this.#detached) return;
    }
    this.#fail({ code: "unreachable" });
  }

  /** Stop the answer; what was written stays. */
  async stop() {
    if (!this.running || this.stopping) return;
    this.stopping = true;
    this.onChange(this, "phase");
    if (!this.turnId) return; // sent as soon as the turn is known
    try {
      await api.stop(this.turnId);
    } catch {
      this.stopping = false;
      this.onChange(this, "phase");
    }
  }

  /** Answer what its tools wait for: "once", "always" or "deny". */
  async decide(decision) {
    const { approvals } = await api.approvals(this.sessionId);
    const asked = approvals.filter((one) => one.turn_id === this.turnId);
    for (const one of asked) await api.decide(one.id, decision, this.userId);
  }

  /** Let go of the connection; the server goes on. Only sensible once the turn is known. */
  detach() {
    this.#detached = true;
    this.#abort?.abort();
    this.#wake?.();
  }

  /** Try again now instead of waiting for the back-off. */
  wake() {
    this.#wake?.();
  }

  async #attempt() {
    const abort = new AbortController();
    this.#abort = abort;
    let heard = false;
    try {
      const response = this.turnId
        ? await api.resume(this.turnId, this.#lastEventId, abort.signal)
        : await api.send(this.#message(), this.key, abort.signal);
      if (response.headers.get("Content-Type")?.includes("application/json")) {
        return { ended: this.#finish(await response.json()) };
      }
      for await (const event of readEvents(response, () => abort.abort())) {
        heard = true;
        if (this.#take(event)) return { ended: true };
      }
    } catch (error) {
      if (error instanceof ApiError && !error.retryable) return { ended: this.#fail(error) };
      return { ended: false, heard, retryAfterS: error.retryAfterS };
    }
    return { ended: false, heard };
  }

  #message() {
    return { session_id: this.sessionId, user_id: this.userId, text: this.userText, tz: zone() };
  }

  /** Take one event; true when the turn has ended. An event that was seen before changes nothing. */
  #take({ id, event, data }) {
    const value = parsed(data);
    if (event === "turn" && value.restarted) {
      this.#seen.clear();
      this.text = "";
      this.onChange(this, "text");
    }
    if (id) {
      if (this.#seen.has(id)) return false;
      this.#seen.add(id);
      this.#lastEventId = id;
    }
    switch (event) {
      case "turn":
        return this.#accepted(value.turn_id);
      case "delta":
        return this.#write(value.text);
      case "done":
        return this.#finish(value);
      case "error":
        return this.#fail(value);
      default:
        return false;
    }
  }

  #accepted(turnId) {
    this.turnId = turnId ?? this.turnId;
    this.onChange(this, "accepted");
    this.#set("streaming");
    if (this.stopping) api.stop(this.turnId).catch(() => {});
    return false;
  }

  #write(text) {
    this.text += text ?? "";
    if (this.phase !== "streaming") this.#set("streaming");
    this.onChange(this, "text");
    return false;
  }

  #finish(value) {
    this.turnId = value.turn_id ?? this.turnId;
    if (typeof value.reply === "string") this.text = value.reply;
    this.status = value.status ?? "complete";
    this.choices = Array.isArray(value.choices) ? value.choices : [];
    this.pictures = Array.isArray(value.pictures) ? value.pictures : [];
    this.onChange(this, "accepted");
    this.#set("done");
    return true;
  }

  #fail(error) {
    this.error = { code: error.code, message: error.message, status: error.status };
    this.status = "failed";
    this.#set("failed");
    return true;
  }

  #set(phase) {
    this.phase = phase;
    if (!this.running) this.stopping = false;
    this.onChange(this, "phase");
  }

  #pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}
