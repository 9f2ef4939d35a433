import { compareDecimals, decimalKey, wholeNumber } from "./decimals.ts";
import { type ExactNumber, isNumber, mayChange } from "./exact-json.ts";

export const doubleOf = (value: unknown): number | undefined => (isNumber(value) ? Number(value) : undefined);

export function idText(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (Number.isSafeInteger(value)) return String(value);
  return isNumber(value) ? wholeNumber(String(value)) : undefined;
}

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
