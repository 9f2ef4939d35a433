/** Keys that stand in a path as they are. Others are written as JSON strings, so that a path can be read back. */
const PLAIN_KEY = /^[\p{L}\p{N}_$:/-]+$/u;

export const ELEMENT = "[]";
export const ANY_KEY = "*";

export const keyPath = (parent: string, key: string): string => `${parent}.${PLAIN_KEY.test(key) ? key : JSON.stringify(key)}`;
export const elementPath = (parent: string): string => `${parent}${ELEMENT}`;
export const entryPath = (parent: string): string => `${parent}.${ANY_KEY}`;

/** A part of a path: a key, any element of a list, any entry of a map. */
export type PathPart = { kind: "key"; key: string } | { kind: "element" } | { kind: "entry" };

const PART = /\[\]|\.\*(?=$|[.[])|\.?("(?:[^"\\]|\\.)*")|\.?([^."[\]]+)/uy;

/** Reads a path, its root left out: `data.a[]."b.c"` is key a, element, key b.c. Null if it is none. */
export function partsOfPath(path: string): PathPart[] | null {
  const root = /^[^."[\]]+/.exec(path)?.[0] ?? "";
  const parts: PathPart[] = [];
  PART.lastIndex = root.length;
  while (PART.lastIndex < path.length) {
    const found = PART.exec(path);
    if (!found) return null;
    const [text, quoted, plain] = found;
    if (text === ELEMENT) parts.push({ kind: "element" });
    else if (quoted !== undefined) parts.push({ kind: "key", key: JSON.parse(quoted) as string });
    else if (plain !== undefined) parts.push({ kind: "key", key: plain });
    else parts.push({ kind: "entry" });
  }
  return parts;
}

/** Returns the path of the field that holds it, and its last part as it is written; null for the root. */
export function splitPath(path: string): { parent: string; key: string } | null {
  if (path.endsWith(ELEMENT)) return { parent: path.slice(0, -ELEMENT.length), key: ELEMENT };
  if (path.endsWith('"')) {
    // The quoted key begins at the last `."` that is not inside it: a quote inside is written \".
    let at = path.length - 2;
    while (at > 0 && !(path[at] === '"' && path[at - 1] !== "\\")) at -= 1;
    return { parent: path.slice(0, at - 1), key: path.slice(at) };
  }
  const dot = path.lastIndexOf(".");
  return dot < 0 ? null : { parent: path.slice(0, dot), key: path.slice(dot + 1) };
}
