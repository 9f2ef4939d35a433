import { writeJson } from "#lib/contracts/json/exact-json";
import { isSameNumber } from "#lib/contracts/json/numbers";

/** One path in two payloads: its value in each; undefined where it is absent. */
export type Difference = { path: string; left: unknown; right: unknown; same: boolean };

/** At most this many paths are compared. */
const MAX_LEAVES = 2000;

/** Two payloads path by path, in the order of the first, then what only the second has. */
export function comparePayloads(left: unknown, right: unknown): Difference[] {
  const [a, b] = [leavesOf(left), leavesOf(right)];
  return [...new Set([...a.keys(), ...b.keys()])].map((path) => ({
    path,
    left: a.get(path),
    right: b.get(path),
    same: a.has(path) && b.has(path) && isSame(a.get(path), b.get(path)),
  }));
}

/** Of leaves: a number is its value, however it is written. */
const isSame = (left: unknown, right: unknown) => isSameNumber(left, right) || writeJson(left) === writeJson(right);

function leavesOf(value: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const walk = (at: unknown, path: string) => {
    if (leaves.size >= MAX_LEAVES) return;
    const entries = typeof at === "object" && at !== null ? Object.entries(at) : []; // none of an exact number
    if (entries.length === 0) leaves.set(path, at);
    for (const [key, child] of entries) walk(child, path === "" ? key : `${path}.${key}`);
  };
  walk(value, "");
  return leaves;
}
