// Puts the parts together, and listens to the address, the keyboard and the network.

import { api, reasonOf } from "./api.js";
import { Chat } from "./chat.js";
import { Composer } from "./composer.js";
import { confirmDelete, setUpDialogs, showHelp } from "./dialogs.js";
import { byId, copyText, fillIcons, h, icon, storage } from "./dom.js";
import { Drawer } from "./drawer.js";
import { t, translatePage } from "./i18n.js";
import { MemoryPanel } from "./memory.js";
import { MessageLog } from "./messages.js";
import { SessionList } from "./sessions.js";
import { TaskPanel } from "./tasks.js";
import { setUpTheme } from "./theme-button.js";

const ROUTE = /^#\/c\/([\w.~%:-]{1,200})$/;
const TOAST_MS = 4000;
const STATE_RETRY_MS = 5000;
const NEED_THE_SERVER = ["new-chat", "new-chat-top", "tasks-button", "memory-button"]; // disabled until it answers
const LOOK_MS = 10_000; // a reminder that fires, a message from another device

let toastTimer = null;
let chat = null; // until the server has told who the page speaks for
let early = null; // the text that was sent before, or before its conversation was loaded

function toast(text) {
  const node = byId("toast");
  node.textContent = text;
  node.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => node.classList.remove("shown"), TOAST_MS);
}

const log = new MessageLog({ scroller: byId("scroller"), log: byId("log"), live: byId("live"), jump: byId("jump") });
const sessions = new SessionList({ list: byId("sessions"), search: byId("search"), onDelete: remove });
const composer = new Composer({
  form: byId("composer"),
  box: byId("message"),
  send: byId("send"),
  stop: byId("stop"),
  onSend: (text) => {
    if (chat && !chat.loading) return chat.send(text);
    early = text;
    return false;
  },
  onStop: () => chat.stop(),
});
const drawer = new Drawer({
  main: byId("main"),
  sidebar: byId("sidebar"),
  open: byId("drawer-open"),
  close: byId("drawer-close"),
  veil: byId("veil"),
});

const ui = {
  log,
  sessions,
  composer,
  empty: (empty) => {
    byId("welcome").hidden = !empty;
    byId("load-error").hidden = true;
  },
  earlier: (more) => (byId("earlier").hidden = !more),
  status: (text) => (byId("status").textContent = text),
  opened: (id) => {
    history.replaceState(null, "", `#/c/${encodeURIComponent(id)}`);
    sessions.current = id;
    composer.open(id);
  },
  loaded: sendWhatWasEarly,
  failed: (text, again) => {
    byId("load-error").hidden = false;
    byId("load-error-text").textContent = text;
    byId("load-error-retry").onclick = again;
  },
};

/** The conversation that the address names; null for a new one. */
function addressed() {
  const id = location.hash.match(ROUTE)?.[1];
  return id ? decodeURIComponent(id) : null;
}

function route() {
  const id = addressed();
  drawer.close();
  if (!id) chat.openNew();
  else if (id !== chat.sessionId) chat.open(id);
  composer.focus();
}

function newChat() {
  drawer.close();
  if (location.hash.length > 2) history.pushState(null, "", "#/");
  chat.openNew();
  composer.focus();
}

async function remove(session) {
  if (!(await confirmDelete(t("delete_text", { title: session.title })))) return;
  try {
    await api.deleteSession(session.id);
  } catch (error) {
    if (error.status !== 404) {
      toast(t("delete_failed", { message: reasonOf(error) }));
      return;
    }
  }
  chat.forget(session.id);
  storage.set(`draft:${session.id}`, null);
  sessions.remove(session.id);
  toast(t("deleted"));
  if (session.id === chat.sessionId) newChat();
  else byId("new-chat").focus();
}

async function copyClicked(button) {
  const code = button.dataset.copy === "code" && button.closest("figure").querySelector("pre").textContent;
  const copied = await copyText(code === false ? log.textOf(button) : code);
  const key = copied ? "copied" : "copy_failed";
  button.replaceChildren(icon(copied ? "check" : "copy"), h("span", {}, t(key)));
  ui.status(t(key));
  setTimeout(() => button.replaceChildren(icon("copy"), h("span", {}, t("copy"))), 2000);
}

function isTyping(target) {
  return target.matches?.("input, textarea, [contenteditable]");
}

function pressed(event) {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  const command = event.ctrlKey || event.metaKey;
  const run = {
    Escape: () => (drawer.isOpen ? drawer.close() : chat.stop()),
    k: command && !event.shiftKey ? newChat : null,
    f: command && event.shiftKey ? focusSearch : null,
    F: command && event.shiftKey ? focusSearch : null,
    "/": !command && !isTyping(event.target) ? () => composer.focus() : null,
    "?": !command && !isTyping(event.target) ? showHelp : null,
  }[event.key];
  if (!run) return;
  if (event.key !== "Escape") event.preventDefault();
  run();
}

function focusSearch() {
  drawer.open();
  byId("search").focus();
}

function showNotice(notice) {
  if (!notice || storage.get(`notice:${notice.kind}`)) return;
  byId("notice-text").textContent = notice.text;
  byId("notice").hidden = false;
  byId("notice-close").addEventListener("click", () => {
    storage.set(`notice:${notice.kind}`, "dismissed");
    byId("notice").hidden = true;
    composer.focus();
  });
}

// The page can't do anything before it knows who it speaks for: it waits for the server.
async function loadState() {
  for (;;) {
    try {
      return await api.state();
    } catch (error) {
      ui.failed(reasonOf(error), () => location.reload());
      await new Promise((resolve) => setTimeout(resolve, STATE_RETRY_MS));
    }
  }
}

async function look() {
  if (document.hidden) return;
  await sessions.refresh();
  await chat.sync(sessions.get(chat.sessionId)).catch(() => {});
}

/** What needs no server is heard from the beginning. */
function listenEarly() {
  document.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) copyClicked(copy);
    const example = event.target.closest("[data-example]");
    if (example) composer.fill(t(example.dataset.example));
  });
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address names the conversation
    composer.focus();
  });
}

function listen() {
  addEventListener("hashchange", route);
  addEventListener("online", () => chat.wake());
  document.addEventListener("keydown", pressed);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    chat.wake();
    look();
  });
  setInterval(look, LOOK_MS);
  byId("new-chat").addEventListener("click", newChat);
  byId("new-chat-top").addEventListener("click", newChat);
  byId("earlier").addEventListener("click", () => chat.loadEarlier());
  byId("logout").addEventListener("click", async () => {
    await api.logout().catch(() => {});
    location.assign("/login");
  });
  for (const id of NEED_THE_SERVER) byId(id).disabled = false;
}

// Who goes on typing after Enter has not sent that text: it stays in the box.
function sendWhatWasEarly() {
  if (chat.loading) return;
  if (early !== null && byId("message").value === early) composer.submit();
  early = null;
}

async function start() {
  translatePage();
  fillIcons(document);
  setUpTheme(byId("theme"));
  setUpDialogs();
  listenEarly();
  composer.open(addressed() ?? "new");
  document.documentElement.dataset.ready = "";
  const state = await loadState();
  chat = new Chat(ui, state.user_id);
  new TaskPanel({ dialog: byId("tasks"), opener: byId("tasks-button"), user: state.user_id, toast });
  new MemoryPanel({ dialog: byId("memory"), opener: byId("memory-button"), user: state.user_id, toast });
  byId("logout").hidden = !state.auth_required;
  byId("version").textContent = t("version", { version: state.version });
  showNotice(state.notice);
  listen();
  sessions.refresh();
  route();
  document.documentElement.dataset.usable = "";
  sendWhatWasEarly();
}

start();
