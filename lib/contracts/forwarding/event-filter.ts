import { findJsonProblem } from "../api/bounds.ts";
import { type ExactNumber, isExactNumber, isNumber, isObject } from "../exact-json.ts";
import { plainDecimal } from "../exact-numbers.ts";

const COMPARISONS = ["$eq", "$neq", "$gt", "$gte", "$lt", "$lte", "$startsWith", "$endsWith"] as const;
const LISTS = ["$in", "$nin"] as const;
const COMBINATIONS = ["$or", "$and"] as const;
const OPERATORS = [...COMPARISONS, ...LISTS, ...COMBINATIONS, "$not", "$exist"] as const;
export type Operator = (typeof OPERATORS)[number];

export const isOperator = (name: string): name is Operator => (OPERATORS as readonly string[]).includes(name);

const MAX_BYTES = 20_000;
const DEEPEST = 20;

/** Fields, nested like the payload, and operators (docs/forwarding.md). */
export type EventFilter = { [field: string]: unknown };

export type FilterProblem = { path: string; message: string };

/** Characters of a number without its exponent, as the database stores it. */
const MAX_NUMBER = 1000;

type Scalar = string | number | ExactNumber | boolean | null;
const isScalar = (value: unknown): value is Scalar => value === null || ["string", "boolean"].includes(typeof value) || isNumber(value);

/** Returns why a value is no filter, or null. An unknown operator is never ignored: it would let everything pass. */
export function findFilterProblem(value: unknown): FilterProblem | null {
  if (!isObject(value)) return { path: "", message: "must be a JSON object" };
  const problem = findJsonProblem(value) ?? inObject(value, "", 0);
  if (problem) return problem;
  // Last: serializing a value without a bound on its nesting overflows the stack.
  if (JSON.stringify(value).length > MAX_BYTES) return { path: "", message: `must have at most ${MAX_BYTES} characters` };
  return null;
}

function inObject(value: Record<string, unknown>, path: string, depth: number): FilterProblem | null {
  if (depth > DEEPEST) return { path, message: `must not be nested deeper than ${DEEPEST} levels` };
  const names = Object.keys(value);
  if (names.length === 0 && depth > 0) return { path, message: "is empty: add a field or an operator" };
  for (const name of names) {
    const at = path === "" ? name : `${path}.${name}`;
    const problem = name.startsWith("$") ? inOperator(name, value[name], at, depth + 1) : inOperand(value[name], at, depth + 1);
    if (problem) return problem;
  }
  return null;
}

function inOperand(value: unknown, path: string, depth: number): FilterProblem | null {
  if (isScalar(value)) return inScalars([value], path);
  if (Array.isArray(value))
    return value.every(isScalar)
      ? inScalars(value, path)
      : { path, message: "a list can only hold strings, numbers, true, false and null" };
  return isObject(value) ? inObject(value, path, depth) : { path, message: "must be JSON" };
}

const inScalars = (values: readonly Scalar[], path: string): FilterProblem | null =>
  values.some((value) => isExactNumber(value) && plainDecimal(String(value), MAX_NUMBER) === null)
    ? { path, message: `must be a number of at most ${MAX_NUMBER} digits, written without its exponent` }
    : null;

function inOperator(name: string, operand: unknown, path: string, depth: number): FilterProblem | null {
  if (!isOperator(name)) return { path, message: `${name} is not an operator. Known: ${OPERATORS.join(", ")}` };
  if (name === "$exist") return typeof operand === "boolean" ? null : { path, message: "must be true or false" };
  if (name === "$not") return inOperand(operand, path, depth);
  if ((LISTS as readonly string[]).includes(name))
    return Array.isArray(operand) && operand.every(isScalar)
      ? inScalars(operand, path)
      : { path, message: "must be a list of strings, numbers, true, false and null" };
  if ((COMBINATIONS as readonly string[]).includes(name)) return inCombination(operand, path, depth);
  if (name === "$startsWith" || name === "$endsWith")
    return typeof operand === "string" || (Array.isArray(operand) && operand.every((each) => typeof each === "string"))
      ? null
      : { path, message: "must be a string, or a list of strings of which one must match" };
  if (name === "$eq" || name === "$neq") return inOperand(operand, path, depth);
  return typeof operand === "string" || isNumber(operand) ? inScalars([operand], path) : { path, message: "must be a number or a string" };
}

function inCombination(operand: unknown, path: string, depth: number): FilterProblem | null {
  if (!Array.isArray(operand) || operand.length === 0) return { path, message: "must be a list of at least one filter" };
  for (const [index, each] of operand.entries()) {
    const problem = inOperand(each, `${path}[${index}]`, depth + 1);
    if (problem) return problem;
  }
  return null;
}
