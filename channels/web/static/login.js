// The login page: sends the token, says what was wrong, goes back to where the person was.

import { api } from "./api.js";
import { byId } from "./dom.js";
import { t, translatePage } from "./i18n.js";

const RETURN = /^#\/c\/[\w.~%:-]{1,200}$/;

function goBack() {
  let hash = "";
  try {
    hash = sessionStorage.getItem("return") ?? "";
    sessionStorage.removeItem("return");
  } catch {
    // Then the start page it is.
  }
  location.assign(RETURN.test(hash) ? `/${hash}` : "/");
}

async function submit(event) {
  event.preventDefault();
  const token = byId("token");
  const error = byId("error");
  const button = byId("login");
  error.textContent = "";
  button.disabled = true;
  try {
    await api.login(token.value);
    goBack();
  } catch (problem) {
    error.textContent = problem.status === 0 ? t("login_failed") : problem.message || t("login_wrong");
    if (problem.status === 401 || problem.status === 403) error.textContent = t("login_wrong");
    token.setAttribute("aria-invalid", "true");
    token.select();
  } finally {
    button.disabled = false;
  }
}

translatePage();
document.title = `${t("login_title")} · ${t("app")}`;
byId("form").addEventListener("submit", submit);
document.documentElement.dataset.ready = "";
document.documentElement.dataset.usable = "";
byId("token").focus();
