/** A symbol is never taken for a field of a payload, and this one is the same in every copy of the module. */
const DIGITS = Symbol.for("signalbox.digits");

/** Returns ECMAScript's "JSON.parse source text access", which browsers before 2025 and Node 20 don't have. */
const rawJson = (): ((text: string) => unknown) | undefined => (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

/** Marks a number that `writeJson` replaces by its text. Random: no sender can write it. */
const MARK = `number-${Math.random().toString(36).slice(2)}-`;

/** A number that a double would change: an ID of 19 digits, `1e400`, `1.10`. It is written as it was received. */
export class ExactNumber {
  readonly [DIGITS]: string;

  constructor(text: string) {
    this[DIGITS] = text;
  }

  toString(): string {
    return this[DIGITS];
  }

  toJSON(): unknown {
    return rawJson()?.(this[DIGITS]) ?? `${MARK}${this[DIGITS]}`;
  }
}

export const isExactNumber = (value: unknown): value is ExactNumber => typeof value === "object" && value !== null && DIGITS in value;

export const isNumber = (value: unknown): value is number | ExactNumber => typeof value === "number" || isExactNumber(value);

/** True for a JSON object: neither a list nor a number. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** Parses JSON like `JSON.parse`, but keeps numbers as they were written. Throws SyntaxError. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayChange(text) ? readExactly(text) : value;
}

/** Writes what `parseExact` has read, also where `JSON.rawJSON` is missing. */
export function writeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return rawJson() === undefined && text !== undefined ? text.replaceAll(new RegExp(`"${MARK}([^"]+)"`, "g"), "$1") : text;
}

export const fromPlain = (data: unknown): unknown =>
  isObject(data) && typeof data.exactJson === "string" ? parseExact(data.exactJson) : data;

/** Exponents, fractions with six zeros or a zero at the end, and -0. The characters that follow exclude most texts. */
const RESPELLED = /\d(?:[eE][-+]?\d+(?:[,\s}\]]|$)|\.\d*0(?:[,\s}\]]|$)|\.0{6})|-0(?:[,\s}\]]|$)/;
/** A decimal with this many digits survives a double unchanged. */
const SAFE_DIGITS = 15;
const STEP = SAFE_DIGITS + 1;
const MINUS = 0x2d;
const BEFORE_NUMBERS = new Set([...":[, \t\n\r"].map((character) => character.charCodeAt(0)));
const isDigitOrPoint = (code: number): boolean => (code >= 0x30 && code <= 0x39) || code === 0x2e;

/** False if doubles change no number of a text, true if they might. Costs a fraction of parsing it. */
export function mayChange(text: string): boolean {
  if (RESPELLED.test(text)) return true;
  // Every 16th character is enough to find a run of 16 digits.
  for (let at = SAFE_DIGITS; at < text.length; at += STEP) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue;
    let [first, last] = [at, at];
    while (isDigitOrPoint(text.charCodeAt(first - 1))) first -= 1;
    while (isDigitOrPoint(text.charCodeAt(last + 1))) last += 1;
    const before = text.charCodeAt(first - 1) === MINUS ? first - 2 : first - 1;
    if (last - first >= SAFE_DIGITS && (before < 0 || BEFORE_NUMBERS.has(text.charCodeAt(before)))) return true;
    at += Math.floor((last - at) / STEP) * STEP;
  }
  return false;
}

const SCALAR = /[^\s,\]}]+/y;

/** Reads valid JSON number by number. Without recursion: depth costs a list entry. */
function readExactly(text: string): unknown {
  const tree = new Tree();
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    if (character === '"') {
      const end = endOfString(text, at);
      tree.addString(unescaped(text.slice(at, end)));
      at = end;
      continue;
    }
    if (character === "{") tree.open({});
    else if (character === "[") tree.open([]);
    else if (character === "}" || character === "]") tree.close();
    else if (!/[\s,:]/.test(character)) {
      SCALAR.lastIndex = at;
      const [scalar = ""] = SCALAR.exec(text) ?? [];
      tree.add(scalarOf(scalar));
      at += scalar.length;
      continue;
    }
    at += 1;
  }
  return tree.root;
}

class Tree {
  root: unknown;
  private readonly opened: (Record<string, unknown> | unknown[])[] = [];
  private key: string | undefined;

  add(value: unknown): void {
    const inside = this.opened.at(-1);
    if (inside === undefined) this.root = value;
    else if (Array.isArray(inside)) inside.push(value);
    // An assignment to `__proto__` makes no field.
    else if (this.key === "__proto__")
      Object.defineProperty(inside, this.key, { value, enumerable: true, writable: true, configurable: true });
    else inside[this.key ?? ""] = value;
    this.key = undefined;
  }

  addString(text: string): void {
    const inside = this.opened.at(-1);
    if (this.key !== undefined || inside === undefined || Array.isArray(inside)) this.add(text);
    else this.key = text;
  }

  open(container: Record<string, unknown> | unknown[]): void {
    this.add(container);
    this.opened.push(container);
  }

  close(): void {
    this.opened.pop();
  }
}

function scalarOf(text: string): unknown {
  const number = Number(text);
  if (Number.isNaN(number)) return JSON.parse(text);
  return String(number) === text ? number : new ExactNumber(text);
}

const unescaped = (literal: string): string => (literal.includes("\\") ? JSON.parse(literal) : literal.slice(1, -1));

/** Returns where the string that starts at a quote ends; -1 if it doesn't. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === "\\") before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return -1;
}
