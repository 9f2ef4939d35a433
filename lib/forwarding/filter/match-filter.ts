import type { EventFilter } from "#lib/contracts/forwarding/event-filter";

const MISSING = Symbol("missing");

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * True when a payload is as the filter says. A missing field matches nothing but
 * `{"$exist": false}`; an array matches when it contains what is asked for. Pure.
 *
 * @param payload a parsed envelope
 * @param filter checked by `eventFilter` (contracts)
 */
export const matchesFilter = (payload: unknown, filter: EventFilter): boolean => matches(payload, filter);

function matches(value: unknown, operand: unknown): boolean {
  if (Array.isArray(operand)) return Array.isArray(value) && operand.every((each) => contains(value, each));
  if (!isObject(operand)) return Array.isArray(value) ? contains(value, operand) : value === operand;
  // Of an array of objects, one and the same element must match all that is said of it.
  if (Array.isArray(value) && Object.keys(operand).some((name) => !name.startsWith("$")))
    return value.some((element) => matches(element, operand));
  return Object.entries(operand).every(([name, argument]) =>
    name.startsWith("$")
      ? holds(name, value, argument)
      : matches(isObject(value) && Object.hasOwn(value, name) ? value[name] : MISSING, argument),
  );
}

const contains = (array: unknown[], wanted: unknown): boolean => array.some((element) => element === wanted);

function holds(operator: string, value: unknown, argument: unknown): boolean {
  if (operator === "$exist") return (value !== MISSING) === argument;
  // With these a field that is missing may still match, by a `$exist` within.
  if (operator === "$and") return (argument as unknown[]).every((each) => matches(value, each));
  if (operator === "$or") return (argument as unknown[]).some((each) => matches(value, each));
  if (value === MISSING) return false;
  switch (operator) {
    case "$not":
      return !matches(value, argument);
    case "$eq":
      return matches(value, argument);
    case "$neq":
      return !matches(value, argument);
    case "$in":
      return (argument as unknown[]).some((each) => matches(value, each));
    case "$nin":
      return !(argument as unknown[]).some((each) => matches(value, each));
    default:
      return (Array.isArray(value) ? value : [value]).some((each) => compares(operator, each, argument));
  }
}

/** Numbers with numbers, texts with texts (by code units); anything else does not compare. */
function compares(operator: string, value: unknown, argument: unknown): boolean {
  if (operator === "$startsWith" || operator === "$endsWith") {
    if (typeof value !== "string") return false;
    const wanted = (Array.isArray(argument) ? argument : [argument]) as string[];
    return wanted.some((each) => (operator === "$startsWith" ? value.startsWith(each) : value.endsWith(each)));
  }
  if (typeof value !== typeof argument || (typeof value !== "number" && typeof value !== "string")) return false;
  const [left, right] = [value, argument as number | string];
  if (operator === "$gt") return left > right;
  if (operator === "$gte") return left >= right;
  if (operator === "$lt") return left < right;
  return operator === "$lte" && left <= right;
}
