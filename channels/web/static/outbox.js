// Messages on their way: kept until the server has said that it has them, so a reload loses none.

import { storage } from "./dom.js";

const FRESH_MS = 120_000;

export const outbox = {
  put(sessionId, key, text) {
    storage.set(`outbox:${sessionId}`, JSON.stringify({ key, text, at: Date.now() }));
  },

  /** `{key, text, fresh}` or null; a fresh one is sent again by itself, an old one only when asked. */
  get(sessionId) {
    try {
      const { key, text, at } = JSON.parse(storage.get(`outbox:${sessionId}`));
      if (typeof key !== "string" || typeof text !== "string") return null;
      return { key, text, fresh: Date.now() - at < FRESH_MS };
    } catch {
      return null;
    }
  },

  drop(sessionId) {
    storage.set(`outbox:${sessionId}`, null);
  },
};
