// The server's routes, and its errors as one class.

import { t } from "./i18n.js";

const RETRYABLE = new Set([408, 425, 429, 502, 503, 504]);

/** An answer of the server that is not a success. `status` is 0 when there was no answer at all. */
export class ApiError extends Error {
  constructor(status, { code = "http_error", message = "", field } = {}, retryAfterS = null) {
    super(message || `HTTP ${status}`);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.field = field;
    this.retryAfterS = retryAfterS;
  }

  get retryable() {
    return this.status === 0 || RETRYABLE.has(this.status);
  }
}

/** What a person reads of an error. */
export function reasonOf(error) {
  if (error.code === "unreachable") return t("unreachable");
  return error.message || error.code || t("unreachable");
}

async function errorFrom(response) {
  let body = {};
  try {
    body = (await response.json()).error ?? {};
  } catch {
    // Not ours: a proxy's page, say. The status tells enough.
  }
  const wait = Number.parseFloat(response.headers.get("Retry-After") ?? "");
  return new ApiError(response.status, body, Number.isFinite(wait) ? wait : null);
}

function toLogin() {
  const hash = location.hash;
  try {
    if (hash) sessionStorage.setItem("return", hash);
  } catch {
    // Then the start page it is.
  }
  location.assign("/login");
}

async function request(method, path, { body, headers = {}, signal, form } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
      body: body === undefined ? form : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      redirect: form ? "manual" : "follow",
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, { code: "unreachable", message: String(error.message ?? error) });
  }
  if (response.status === 401 && path !== "/login") toLogin();
  if (!response.ok && response.type !== "opaqueredirect") throw await errorFrom(response);
  return response;
}

async function json(method, path, options) {
  return (await request(method, path, options)).json();
}

function query(values) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return set.length ? `?${new URLSearchParams(set)}` : "";
}

const part = encodeURIComponent;

export const api = {
  state: () => json("GET", "/v1/ui/state"),
  sessions: (limit, before) => json("GET", `/v1/sessions${query({ limit, before })}`),
  session: (id) => json("GET", `/v1/sessions/${part(id)}`),
  messages: (id, limit, before) => json("GET", `/v1/sessions/${part(id)}/messages${query({ limit, before })}`),
  deleteSession: (id) => request("DELETE", `/v1/sessions/${part(id)}`),
  stop: (turnId) => request("POST", `/v1/turns/${part(turnId)}/stop`),
  approvals: (session) => json("GET", `/v1/approvals${query({ session_id: session })}`),
  decide: (id, decision, user) => json("POST", `/v1/approvals/${part(id)}`, { body: { decision, user_id: user } }),
  jobs: (user) => json("GET", `/v1/jobs${query({ user_id: user, limit: 200 })}`),
  firings: (user, from, to) => json("GET", `/v1/firings${query({ user_id: user, from, to })}`),
  jobAct: (id, act, body) => json("POST", `/v1/jobs/${part(id)}/${act}`, { body }),
  deleteJob: (id) => request("DELETE", `/v1/jobs/${part(id)}`),
  memory: (user, wish) => json("GET", `/v1/memory${query({ user_id: user, ...wish })}`),
  memoryExport: (user) => `/v1/memory/export${query({ user_id: user })}`,
  pauseMemory: (user, paused) => json("POST", `/v1/memory/pause${query({ user_id: user })}`, { body: { paused } }),
  correctMemory: (user, id, text) => json("POST", `/v1/memory/${part(id)}${query({ user_id: user })}`, { body: { text } }),
  forgetMemory: (user, id) => request("DELETE", `/v1/memory/${part(id)}${query({ user_id: user })}`),
  login: (token) => request("POST", "/login", { body: { token } }),
  logout: () => request("POST", "/logout", { form: new URLSearchParams() }),

  /** Open the stream of a new turn; the same key sent twice is one turn. */
  send(message, key, signal) {
    const headers = { Accept: "text/event-stream", "Idempotency-Key": key };
    return request("POST", "/v1/messages", { body: { ...message, stream: true }, headers, signal });
  },

  /** Open the stream of a turn after the event `lastEventId`, or from its start. */
  resume(turnId, lastEventId, signal) {
    const headers = { Accept: "text/event-stream" };
    if (lastEventId) headers["Last-Event-ID"] = lastEventId;
    return request("GET", `/v1/turns/${part(turnId)}/events`, { headers, signal });
  },
};
