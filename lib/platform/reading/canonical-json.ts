import { decimalKey } from "#lib/contracts/json/decimals";
import { endOfString } from "#lib/contracts/json/exact-json";
import { unescaped } from "../json-strings.ts";

/** Growth allowed over the canonical text: indentation, escaped characters. */
const MAX_FACTOR = 2;
const MAX_EXTRA_BYTES = 1024;

const MAX_QUOTED = 40;

/**
 * Returns what `text` says beyond `canonical` (`JSON.stringify(JSON.parse(text))`); null if every reader reads the same: no duplicate keys
 * (readers take the first or the last), equal decimal values (a double has 17 digits), at most twice as long plus 1 kB.
 */
export function differenceFromSigned(text: string, canonical: string): string | null {
  const [bytes, signedBytes] = [Buffer.byteLength(text), Buffer.byteLength(canonical)];
  if (bytes > MAX_FACTOR * signedBytes + MAX_EXTRA_BYTES)
    return `it has ${bytes} bytes where ${signedBytes} were signed (at most twice as many and 1 kB are accepted)`;
  const keys: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "{" || character === "[") keys.push(character === "{" ? new Set() : null);
    if (character === "}" || character === "]") keys.pop();
    if (character === "{" || character === ",") isKeyNext = keys.at(-1) instanceof Set;
    if (character === '"') {
      const end = endOfString(text, at);
      const key = isKeyNext ? text.slice(at, end) : null;
      if (key !== null && !isNew(keys.at(-1), unescaped(key))) return `the key ${quoted(key)} stands twice in one object`;
      isKeyNext = false;
      at = end - 1;
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      const [number = ""] = numberAt(text, at);
      if (!isExact(number)) return `the number ${quoted(number)} is another than the one that was signed`;
      at += number.length - 1;
    }
  }
  return null;
}

const quoted = (text: string) => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

function isNew(keys: Set<string> | null | undefined, key: string | null): boolean {
  if (!keys || key === null || keys.has(key)) return false;
  keys.add(key);
  return true;
}

function numberAt(text: string, at: number): RegExpExecArray | [] {
  const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  number.lastIndex = at;
  return number.exec(text) ?? [];
}

/** True if a double holds a number's decimal value, as `JSON.stringify` writes it. */
function isExact(number: string): boolean {
  const again = String(Number(number));
  return number === again || decimalKey(number) === decimalKey(again);
}
