// The panel of tasks: what is planned, as a list or on the calendar, and what can be done with it.

import { api, reasonOf } from "./api.js";
import { byId, h, icon } from "./dom.js";
import { t, timeOf, written } from "./i18n.js";

const SNOOZES = ["10m", "1h", "tomorrow"];
const WEEK = 7;
const SHOWN_A_DAY = 3;

function dayKey(date) {
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

export class TaskPanel {
  #jobs = [];
  #view = "list";
  #month = new Date();
  #loading = 0; // the newest look; an older one that comes late is not shown

  /** `user` is whose tasks are shown; `toast` says what went wrong. */
  constructor({ dialog, opener, user, toast }) {
    Object.assign(this, { dialog, user, toast, body: byId("tasks-body") });
    opener.addEventListener("click", () => this.open());
    byId("tasks-close").addEventListener("click", () => dialog.close());
    byId("tasks-list").addEventListener("click", () => this.#show("list"));
    byId("tasks-calendar").addEventListener("click", () => this.#show("calendar"));
  }

  open() {
    this.#month = new Date();
    this.dialog.showModal();
    this.#show(this.#view);
  }

  #show(view) {
    this.#view = view;
    for (const name of ["list", "calendar"]) byId(`tasks-${name}`).setAttribute("aria-pressed", String(name === view));
    return this.#load();
  }

  async #load() {
    const mine = ++this.#loading;
    try {
      const shown = this.#view === "list" ? await this.#list() : await this.#calendar();
      if (mine === this.#loading) this.body.replaceChildren(...shown);
    } catch (error) {
      if (mine === this.#loading) {
        this.body.replaceChildren(h("p", { role: "alert" }, t("tasks_failed", { message: reasonOf(error) })));
      }
    }
  }

  async #list() {
    this.#jobs = (await api.jobs(this.user)).jobs;
    if (!this.#jobs.length) return [h("p", { class: "soft" }, t("tasks_none"))];
    return [h("ul", { class: "task-list" }, ...this.#jobs.map((job) => this.#row(job)))];
  }

  #row(job) {
    const paused = job.state === "paused";
    const next = job.next_due ? h("span", {}, t("task_next", { time: "" }), timeOf(job.next_due)) : null;
    const kind = job.kind === "agent" ? ["spark", "task_agent"] : ["bell", "task_reminder"];
    const mark = h("span", { class: "task-kind", title: t(kind[1]) }, icon(kind[0]));
    const state = paused ? h("span", { class: "badge" }, t("task_paused")) : next;
    return h(
      "li",
      { class: paused ? "task paused" : "task" },
      mark,
      h("p", { class: "task-text", dir: "auto" }, job.text),
      h("p", { class: "soft task-when", dir: "auto" }, h("span", {}, job.when), state),
      h("div", { class: "task-acts" }, ...this.#acts(job, paused)),
    );
  }

  #acts(job, paused) {
    const act = (key, run, extra = "") => h("button", { type: "button", class: `quiet ${extra}`, onclick: run }, t(key));
    const turn = paused ? "resume" : "pause";
    const buttons = [act(`task_${turn}`, () => this.#do(() => api.jobAct(job.id, turn)))];
    if (!paused) {
      const again = SNOOZES.map((wish) => act(`task_${wish}`, () => this.#do(() => api.jobAct(job.id, "snooze", { for: wish }))));
      buttons.push(h("span", { class: "task-snooze" }, h("span", { class: "soft" }, t("task_snooze")), ...again));
    }
    const remove = act("task_delete", () => this.#delete(job, remove), "danger-text");
    return [...buttons, remove];
  }

  // Deleting takes a second press of the same button.
  #delete(job, button) {
    if (button.dataset.sure === undefined) {
      button.dataset.sure = "";
      button.textContent = t("task_delete_sure");
      return;
    }
    this.#do(() => api.deleteJob(job.id));
  }

  async #do(act) {
    try {
      await act();
    } catch (error) {
      if (error.status !== 404) this.toast(reasonOf(error));
    }
    await this.#load();
    this.body.focus();
  }

  async #calendar() {
    const first = new Date(this.#month.getFullYear(), this.#month.getMonth(), 1);
    const from = new Date(first);
    from.setDate(1 - ((first.getDay() + WEEK - 1) % WEEK)); // weeks begin on Monday
    const to = new Date(first.getFullYear(), first.getMonth() + 1, 1);
    while ((to.getDay() + WEEK - 1) % WEEK) to.setDate(to.getDate() + 1);
    const { firings } = await api.firings(this.user, from.toISOString(), to.toISOString());
    const days = new Map();
    for (const firing of firings) {
      const key = dayKey(new Date(firing.at));
      days.set(key, [...(days.get(key) ?? []), firing]);
    }
    return [this.#monthBar(first), this.#grid(from, to, first.getMonth(), days)];
  }

  #monthBar(first) {
    const move = (key, by, turned) =>
      h(
        "button",
        { type: "button", class: `icon-button ${turned}`, "aria-label": t(key), title: t(key), onclick: () => this.#turn(by) },
        icon("down"),
      );
    const name = h("h3", { "aria-live": "polite" }, written(first, { year: "numeric", month: "long" }));
    return h("div", { class: "month-bar" }, move("month_before", -1, "back"), name, move("month_after", 1, "on"));
  }

  #turn(by) {
    this.#month = new Date(this.#month.getFullYear(), this.#month.getMonth() + by, 1);
    this.#load();
  }

  #grid(from, to, month, days) {
    const cells = [];
    for (let n = 0; n < WEEK; n++) {
      const day = new Date(from.getFullYear(), from.getMonth(), from.getDate() + n);
      cells.push(h("div", { class: "weekday", role: "columnheader" }, written(day, { weekday: "short" })));
    }
    const rows = [h("div", { role: "row", class: "week" }, ...cells)];
    for (let day = new Date(from); day < to; ) {
      const week = [];
      for (let n = 0; n < WEEK; n++) {
        week.push(this.#cell(day, month, days.get(dayKey(day)) ?? []));
        day = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1);
      }
      rows.push(h("div", { role: "row", class: "week" }, ...week));
    }
    return h("div", { class: "month", role: "grid", "aria-labelledby": "tasks-title" }, ...rows);
  }

  #cell(day, month, firings) {
    const today = dayKey(day) === dayKey(new Date());
    const classes = ["day", day.getMonth() === month ? "" : "other", today ? "today" : ""].filter(Boolean).join(" ");
    const shown = firings.slice(0, SHOWN_A_DAY).map(({ at, text }) => {
      const time = written(new Date(at), { hour: "2-digit", minute: "2-digit", hour12: false });
      return h("span", { class: "entry", dir: "auto", title: `${time} ${text}` }, h("b", {}, time), h("span", {}, ` ${text}`));
    });
    if (firings.length > SHOWN_A_DAY) shown.push(h("span", { class: "entry more" }, `+${firings.length - SHOWN_A_DAY}`));
    const label = t("day_tasks", { day: written(day, { dateStyle: "full" }), n: firings.length });
    return h("div", { class: classes, role: "gridcell", "aria-label": label }, h("span", { class: "number" }, String(day.getDate())), ...shown);
  }
}
