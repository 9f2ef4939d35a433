import { endOfString, unescaped } from "../json-strings.ts";

/** A text may be so much longer than its canonical one: indented, or with its characters escaped. */
const MAX_FACTOR = 2;
const MAX_EXTRA_BYTES = 1024;

/**
 * True for a JSON text that says what its canonical text says, to every reader: no key stands twice in an object (readers take the first or
 * the last), each number has the same decimal value (a double has 17 digits of it), and it is at most twice as long and 1 kB more.
 *
 * @param text valid JSON
 * @param canonical `JSON.stringify(JSON.parse(text))`
 */
export function saysTheSame(text: string, canonical: string): boolean {
  if (Buffer.byteLength(text) > MAX_FACTOR * Buffer.byteLength(canonical) + MAX_EXTRA_BYTES) return false;
  const keys: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "{" || character === "[") keys.push(character === "{" ? new Set() : null);
    if (character === "}" || character === "]") keys.pop();
    if (character === "{" || character === ",") isKeyNext = keys.at(-1) instanceof Set;
    if (character === '"') {
      const end = endOfString(text, at);
      if (isKeyNext && !isNew(keys.at(-1), unescaped(text.slice(at, end)))) return false;
      isKeyNext = false;
      at = end - 1;
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      const [number = ""] = numberAt(text, at);
      if (!isExact(number)) return false;
      at += number.length - 1;
    }
  }
  return true;
}

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

/** True where a double holds a number's decimal value, as `JSON.stringify` writes it. */
function isExact(number: string): boolean {
  const again = String(Number(number));
  return number === again || decimalOf(number) === decimalOf(again);
}

/** A number's sign, digits without zeros at either end, and exponent; texts of one value give one text. */
function decimalOf(number: string): string | null {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (whole === "") return null;
  if (significant === "") return "0";
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}
