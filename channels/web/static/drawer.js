// On a narrow screen the list of conversations is a drawer over the page.

import { byId } from "./dom.js";

const narrow = matchMedia("(max-width: 52rem)");

export class Drawer {
  /** `main` can't be reached while the drawer is open. */
  constructor({ main, sidebar, open, close, veil }) {
    Object.assign(this, { main, sidebar, opener: open });
    open.addEventListener("click", () => this.open());
    close.addEventListener("click", () => this.close());
    veil.addEventListener("click", () => this.close());
    narrow.addEventListener("change", () => this.#apply(false));
    this.#apply(false);
  }

  get isOpen() {
    return narrow.matches && document.body.classList.contains("drawer-open");
  }

  open() {
    this.#apply(true);
    if (narrow.matches) byId("drawer-close").focus();
  }

  close() {
    if (!this.isOpen) return;
    this.#apply(false);
    this.opener.focus();
  }

  #apply(open) {
    document.body.classList.toggle("drawer-open", open && narrow.matches);
    this.opener.setAttribute("aria-expanded", String(open && narrow.matches));
    this.main.inert = open && narrow.matches;
    this.sidebar.inert = narrow.matches && !open;
  }
}
