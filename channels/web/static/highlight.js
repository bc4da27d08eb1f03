// A light touch of colour in code: comments, strings, numbers and the usual keywords. One linear pass.

const KEYWORDS = new Set(
  `abstract and as async await bool boolean break case catch char class const continue def default defer del do
  double elif else end enum except export extends extern false final finally float fn for from func function go
  if impl implements import in instanceof int interface is lambda let local long loop match mod module mut new nil
  None nonlocal not null or package pass private protected pub public raise readonly ref return select self
  static string struct super switch then this throw trait true True False try type typeof undefined unless until
  use using val var virtual void when where while with yield
  SELECT FROM WHERE INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE JOIN LEFT ON GROUP ORDER BY LIMIT AND OR NOT
  NULL AS echo fi done esac sudo`.split(/\s+/),
);
const HASHES = new Set(
  "bash sh shell zsh py python rb ruby yaml yml toml ini r dockerfile makefile perl conf console".split(" "),
);
const DASHES = new Set(["sql", "lua", "haskell", "hs"]);
const PROSE = new Set(["", "text", "txt", "plain", "markdown", "md", "diff", "html", "xml", "svg"]);

const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|` + "`(?:\\\\.|[^`\\\\])*`";
const REST = String.raw`\b\d[\w.]*|[A-Za-z_$][\w$]*`;

function commentOf(language) {
  if (HASHES.has(language)) return String.raw`#[^\n]*`;
  if (DASHES.has(language)) return String.raw`--[^\n]*`;
  return String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
}

function kindOf(token, isComment) {
  if (isComment) return "comment";
  if (/^["'`]/.test(token)) return "string";
  if (/^\d/.test(token)) return "number";
  return KEYWORDS.has(token) ? "keyword" : null;
}

/** Wrap the tokens of `code`'s text in spans; prose and unnamed languages stay as they are. */
export function highlight(code, language) {
  const name = language.toLowerCase();
  if (PROSE.has(name)) return;
  const text = code.textContent;
  const pattern = new RegExp(`(${commentOf(name)})|${STRING}|${REST}`, "g");
  const nodes = [];
  let plainFrom = 0;
  for (const match of text.matchAll(pattern)) {
    const kind = kindOf(match[0], match[1] !== undefined);
    if (!kind) continue;
    const span = document.createElement("span");
    span.className = `token-${kind}`;
    span.textContent = match[0];
    nodes.push(text.slice(plainFrom, match.index), span);
    plainFrom = match.index + match[0].length;
  }
  code.replaceChildren(...nodes, text.slice(plainFrom));
}
