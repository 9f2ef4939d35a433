import { compareDecimals, decimalKey, wholeNumber } from "./decimals.ts";
import { type ExactNumber, isNumber, mayChange } from "./exact-json.ts";

/** The nearest double, for arithmetic; undefined for what is no number. */
export const doubleOf = (value: unknown): number | undefined => (isNumber(value) ? Number(value) : undefined);

/** An identifier as text: what is text or a whole number; undefined for anything else. */
export function idText(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (Number.isSafeInteger(value)) return String(value);
  return isNumber(value) ? wholeNumber(String(value)) : undefined;
}

const keyOf = (number: number | ExactNumber): string => decimalKey(String(number));

/** One value for every spelling of a number, and for no other number: the double that is it, or a text. Anything else is its own. */
export function numberKey(number: number | ExactNumber): number | string {
  if (typeof number === "number") return number;
  const double = Number(number);
  return Number.isFinite(double) && decimalKey(String(double)) === keyOf(number) ? double : keyOf(number);
}

/** Compares by decimal value: negative where the first is less, 0 for `1.10` and `1.1`. */
export function compareNumbers(first: number | ExactNumber, second: number | ExactNumber): number {
  const [a, b] = [Number(first), Number(second)];
  // Rounding never turns two numbers around.
  if (a !== b) return a < b ? -1 : 1;
  return typeof first === "number" && typeof second === "number" ? 0 : compareDecimals(String(first), String(second));
}

/** True for two numbers of one decimal value, however they are written. */
export const isSameNumber = (a: unknown, b: unknown): boolean => isNumber(a) && isNumber(b) && (a === b || keyOf(a) === keyOf(b));

/** Data that a server component can hand to the browser: as text where it may hold exact numbers, since it passes no object of a class. */
export function toPlain(data: unknown): unknown {
  const text = JSON.stringify(data);
  return text !== undefined && mayChange(text) ? { exactJson: text } : data;
}
