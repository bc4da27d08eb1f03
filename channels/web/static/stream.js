// Reading server-sent events from a fetch response (EventSource can't POST).

// The server beats every 15 s; after two missing beats the connection counts as dead.
export const SILENCE_MS = 35_000;

/** Parses the event-stream format piece by piece; pieces may end anywhere. */
export class EventParser {
  #buffer = "";
  #data = [];
  #event = "";
  #id = "";
  #started = false;
  #heldCr = false;

  /** Take the next piece of text; returns the events that it completes. */
  push(text) {
    if (!this.#started && text) {
      this.#started = true;
      if (text.startsWith("\ufeff")) text = text.slice(1);
    }
    this.#buffer += text;
    // Without a line end there is nothing to do yet; splitting each time would be quadratic for long events.
    if (!this.#heldCr && !/[\r\n]/.test(text)) return [];
    const events = [];
    // A trailing CR is left for the next piece: an LF may follow it.
    const lines = this.#buffer.split(/\r\n|\n|\r(?!$)/);
    this.#buffer = lines.pop();
    this.#heldCr = this.#buffer.endsWith("\r");
    for (const line of lines) {
      const event = this.#line(line);
      if (event) events.push(event);
    }
    return events;
  }

  #line(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null; // a comment: the heartbeat
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }

  #dispatch() {
    const event = { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") };
    const empty = this.#data.length === 0;
    this.#data = [];
    this.#event = "";
    return empty ? null : event;
  }
}

/** Yield the events of `response`; calls `onSilence` (which must abort it) when nothing comes for too long. */
export async function* readEvents(response, onSilence, silenceMs = SILENCE_MS) {
  const parser = new EventParser();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const reader = response.body.getReader();
  try {
    for (;;) {
      const timer = setTimeout(onSilence, silenceMs);
      let piece;
      try {
        piece = await reader.read();
      } finally {
        clearTimeout(timer);
      }
      if (piece.done) return;
      yield* parser.push(decoder.decode(piece.value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
