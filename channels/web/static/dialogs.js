// The two dialogs: a question before something is deleted, and the help.

import { byId } from "./dom.js";

/** Ask before deleting; resolves to whether the person agreed. */
export function confirmDelete(text) {
  const dialog = byId("confirm");
  byId("confirm-text").textContent = text;
  dialog.returnValue = "";
  dialog.showModal();
  byId("confirm-cancel").focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "delete"), { once: true });
  });
}

export function setUpDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    // A click on the backdrop counts as one on the dialog itself.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
  byId("help-button").addEventListener("click", showHelp);
}

export function showHelp() {
  byId("help").showModal();
}
