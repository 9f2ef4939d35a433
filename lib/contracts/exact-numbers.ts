import { type ExactNumber, isNumber, mayChange } from "./exact-json.ts";

export const doubleOf = (value: unknown): number | undefined => (isNumber(value) ? Number(value) : undefined);

/** Reads an ID: text or a whole number. */
export function idText(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" || isDotSegment(value) ? undefined : value;
  if (Number.isSafeInteger(value)) return String(value);
  return isNumber(value) ? wholeNumber(String(value)) : undefined;
}

/** True for what no path of a URL can hold, also when it is escaped: every client takes it out (RFC 3986 section 5.2.4). */
export const isDotSegment = (text: string): boolean => text === "." || text === "..";

const keyOf = (number: number | ExactNumber): string => decimalKey(String(number));

/** Returns one value for every spelling of a number: the double if it is exact, else a text. */
export function numberKey(number: number | ExactNumber): number | string {
  if (typeof number === "number") return number;
  const double = Number(number);
  return Number.isFinite(double) && decimalKey(String(double)) === keyOf(number) ? double : keyOf(number);
}

/** Compares by decimal value: 0 for `1.10` and `1.1`. */
export function compareNumbers(first: number | ExactNumber, second: number | ExactNumber): number {
  const [a, b] = [Number(first), Number(second)];
  // Rounding never changes the order of two numbers.
  if (a !== b) return a < b ? -1 : 1;
  return typeof first === "number" && typeof second === "number" ? 0 : compareDecimals(String(first), String(second));
}

export const isSameNumber = (a: unknown, b: unknown): boolean => isNumber(a) && isNumber(b) && (a === b || keyOf(a) === keyOf(b));

/** Returns data for the browser from a server component: as text if it may hold exact numbers, since React passes no class instances. */
export function toPlain(data: unknown): unknown {
  const text = JSON.stringify(data);
  return text !== undefined && mayChange(text) ? { exactJson: text } : data;
}

/** JSON numbers by decimal value: without doubles, and without writing out an unbounded exponent. */
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** `digits` without zeros at either end, times 10 to the power of `exponent`; empty for zero. */
type Decimal = { negative: boolean; digits: string; exponent: bigint };

function decimalOf(number: string): Decimal {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = PARTS.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  // Not `/0+$/`: if the zeros don't end the text it takes the square of their number.
  let length = digits.length;
  while (digits[length - 1] === "0") length -= 1;
  if (length === 0) return { negative: false, digits: "", exponent: 0n };
  return {
    negative: sign !== "",
    digits: digits.slice(0, length),
    exponent: BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - length),
  };
}

/** Returns one text for each value: the same for `1.10`, `1.1` and `11e-1`. */
export function decimalKey(number: string): string {
  const { negative, digits, exponent } = decimalOf(number);
  return digits === "" ? "0" : `${negative ? "-" : ""}${digits}e${exponent}`;
}

export function compareDecimals(first: string, second: string): number {
  const [a, b] = [decimalOf(first), decimalOf(second)];
  const [signA, signB] = [signOf(a), signOf(b)];
  if (signA !== signB) return signA - signB;
  const [sizeA, sizeB] = [sizeOf(a), sizeOf(b)];
  // Without zeros at the end, digits compare as texts do.
  const size = sizeA === sizeB ? compareTexts(a.digits, b.digits) : sizeA < sizeB ? -1 : 1;
  return signA < 0 ? -size : size;
}

const signOf = ({ negative, digits }: Decimal) => (digits === "" ? 0 : negative ? -1 : 1);
const sizeOf = ({ digits, exponent }: Decimal) => BigInt(digits.length) + exponent;
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Writes a number without exponent, as PostgreSQL's `numeric` does: `1500` for `1.5e3`. Null if it takes more than `most` characters. */
export function plainDecimal(number: string, most: number): string | null {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = PARTS.exec(number) ?? [];
  const shift = Number(exponent);
  if (whole.length + fraction.length + Math.abs(shift) > most) return null;
  const digits = `${"0".repeat(Math.max(0, -shift))}${whole}${fraction}${"0".repeat(Math.max(0, shift - fraction.length))}`;
  const point = digits.length - Math.max(0, fraction.length - shift);
  const [before, after] = [digits.slice(0, point).replace(/^0+(?=\d)/, ""), digits.slice(point)];
  const isZero = /^0*$/.test(digits);
  return `${isZero ? "" : sign}${before}${after === "" ? "" : `.${after}`}`;
}

/** Returns the digits of a whole number in any notation (`7.0`, `1e3`); undefined for a fraction, or more digits than an ID has. */
export function wholeNumber(number: string): string | undefined {
  const plain = plainDecimal(number, MAX_ID_DIGITS);
  const [whole, fraction = ""] = plain?.split(".") ?? [];
  return /^0*$/.test(fraction) ? whole : undefined;
}

const MAX_ID_DIGITS = 100;
