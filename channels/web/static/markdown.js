// The page's side of the Markdown worker: one question at a time, each with a deadline.

const DEADLINE_MS = 2000;
const WORKER = "/static/markdown-worker.js";

// Trusted Types: the only script address that this page ever makes a worker of.
const policy = globalThis.trustedTypes?.createPolicy("xiaomaolv", { createScriptURL: () => WORKER });

let worker = null;
let waiting = null;
let chain = Promise.resolve();
let count = 0;

function answer(blocks) {
  const { resolve, timer } = waiting;
  waiting = null;
  clearTimeout(timer);
  resolve(blocks);
}

function start() {
  worker = new Worker(policy ? policy.createScriptURL(WORKER) : WORKER, { type: "module" });
  worker.onmessage = ({ data }) => {
    if (waiting?.id === data.id) answer(data.blocks);
  };
  worker.onerror = restart;
}

function restart() {
  worker?.terminate();
  worker = null;
  if (waiting) answer(null);
}

function ask(text) {
  if (!worker) start();
  return new Promise((resolve) => {
    count += 1;
    waiting = { id: count, resolve, timer: setTimeout(restart, DEADLINE_MS) };
    worker.postMessage({ id: count, text });
  });
}

/** The HTML of each block of `text`, not yet safe; null when it can't be made in time. */
export function markdownToBlocks(text) {
  const result = chain.then(() => ask(text));
  chain = result;
  return result;
}
