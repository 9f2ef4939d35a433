import { writeJson } from "#lib/contracts/exact-json";
import { isSameNumber } from "#lib/contracts/exact-numbers";

/** Values are undefined if absent. */
export type Difference = { path: string; left: unknown; right: unknown; same: boolean };

const MAX_LEAVES = 2000;

/** Compares two payloads place by place. @param first a schema's path (`data.items[].price`), whose places come before the others */
export function comparePayloads(left: unknown, right: unknown, first?: string): Difference[] {
  const [a, b] = [leavesOf(left), leavesOf(right)];
  const places = [...new Set([...a.keys(), ...b.keys()])].map((path) => ({
    path,
    left: a.get(path),
    right: b.get(path),
    same: a.has(path) && b.has(path) && isSame(a.get(path), b.get(path)),
  }));
  if (first === undefined) return places;
  const rank = ({ path }: Difference) => Number(!isAt(path, first));
  return places.sort((x, y) => rank(x) - rank(y));
}

/** True for the places of a schema's path, and of what it holds: `data` stands elsewhere in the bodies of some senders, or is the body. */
function isAt(place: string, path: string): boolean {
  const shape = `.${place.replaceAll(/\.\d+(?=\.|$)/g, "[]")}`;
  const field = path.replace(/^data/, "");
  return shape.endsWith(field) || shape.includes(`${field}.`) || shape.includes(`${field}[`);
}

/** Numbers are compared by value, however they are written. */
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
