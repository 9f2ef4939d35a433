type Layout = { colon: string; comma: string; indent: string; newline: string };

const LAYOUTS: [words: string, layout: Layout][] = [
  ["without whitespace", { colon: ":", comma: ",", indent: "", newline: "" }],
  ["with a space after each colon and comma (Python style)", { colon: ": ", comma: ", ", indent: "", newline: "" }],
  ["indented by two spaces", { colon: ": ", comma: ",", indent: "  ", newline: "\n" }],
  ["indented by four spaces", { colon: ": ", comma: ",", indent: "    ", newline: "\n" }],
  ["indented by tabs", { colon: ": ", comma: ",", indent: "\t", newline: "\n" }],
];

const SPELLINGS: [words: string, spell: (text: string) => string][] = [
  ["", (text) => text],
  [", non-ASCII characters escaped", escapeNonAscii],
  [", escapes decoded", (text) => JSON.stringify(JSON.parse(text))],
  [", slashes escaped", (text) => escapeNonAscii(text).replaceAll(/(?<!\\)\//g, "\\/")],
  [", slashes not escaped", (text) => text.replaceAll("\\/", "/")],
  [", <, > and & escaped (Go style)", (text) => text.replaceAll(/[<>&]/g, escapeUnit)],
];

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Yields other spellings; numbers, key order and duplicate keys stay. `json` must be valid: on anything else the tokenizer is slow. */
export function* jsonStyles(json: string): Generator<{ text: string; words: string }> {
  const tokens = json.match(TOKEN) ?? [];
  for (const [spelling, spell] of SPELLINGS) {
    const spelt = tokens.map((token) => (token.startsWith('"') ? spell(token) : token));
    for (const [words, layout] of LAYOUTS) yield { text: layOut(spelt, layout), words: `${words}${spelling}` };
  }
  const sorted = sortKeys(JSON.parse(json));
  yield { text: JSON.stringify(sorted), words: "with its keys sorted" };
  const spaced = layOut(JSON.stringify(sorted).match(TOKEN) ?? [], { colon: ": ", comma: ", ", indent: "", newline: "" });
  yield { text: spaced, words: "with its keys sorted and a space after each colon and comma" };
}

function layOut(tokens: string[], { colon, comma, indent, newline }: Layout): string {
  let depth = 0;
  const breakLine = () => (newline === "" ? "" : newline + indent.repeat(depth));
  const pieces = tokens.map((token, index) => {
    if (token === ":") return colon;
    if (token === ",") return comma + breakLine();
    if (token === "{" || token === "[") {
      const next = tokens[index + 1];
      if (next === "}" || next === "]") return token;
      depth += 1;
      return token + breakLine();
    }
    if (token !== "}" && token !== "]") return token;
    const before = tokens[index - 1];
    if (before === "{" || before === "[") return token;
    depth -= 1;
    return breakLine() + token;
  });
  return pieces.join("");
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}

function escapeNonAscii(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
