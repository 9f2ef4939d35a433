import { expect, it } from "vitest";
import { isObject } from "#lib/contracts/exact-json";
import { isClosedEnumeration } from "#lib/event-types/live-field";
import { seenOf } from "#lib/event-types/merge";
import { partsOfPath } from "#lib/event-types/paths";
import type { FieldPath, SchemaTree } from "#lib/event-types/schema";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import { sampleEvents } from "#lib/sandbox/payloads";
import { mulberry32 } from "#tests/chaos/driver";
import { Learning } from "#tests/support/lessons";
import { atSize } from "#tests/support/sample";

// The sandbox's 16 types: a history of 1,000 events each, then 40 changes of each as senders make them.

type Data = Record<string, unknown>;
const MUTATIONS = ["vanish", "null", "type", "value", "nest", "rename"] as const;
type Mutation = (typeof MUTATIONS)[number];

const HISTORY = 1001;
const WITHIN = 6;

/** The object that holds a field, a copy of all that leads to it; undefined where a list or a map lies between. */
function holderOf(data: Data, path: FieldPath): { holder: Data; key: string } | undefined {
  const parts = partsOfPath(path) ?? [];
  let holder: unknown = data;
  for (const part of parts.slice(0, -1)) holder = part.kind === "key" && isObject(holder) ? holder[part.key] : undefined;
  const last = parts.at(-1);
  return last?.kind === "key" && isObject(holder) ? { holder, key: last.key } : undefined;
}

function mutate(data: Data, path: FieldPath, mutation: Mutation): Data {
  const copy = structuredClone(data);
  const found = holderOf(copy, path);
  if (!found) return copy;
  const { holder, key } = found;
  const value = holder[key];
  if (mutation === "vanish") delete holder[key];
  else if (mutation === "null") holder[key] = null;
  else if (mutation === "type") holder[key] = typeof value === "string" ? 7 : "seven";
  else if (mutation === "value") holder[key] = "never seen";
  else if (mutation === "nest") holder[key] = { value };
  else {
    delete holder[key];
    holder[`${key}V2`] = value;
  }
  return copy;
}

/** Why the rules can say nothing of a change; null where they can. */
function whyNot(tree: SchemaTree, path: FieldPath, mutation: Mutation): string | null {
  const stats = tree.fields[path];
  if (!stats || !partsOfPath(path)?.every(({ kind }) => kind === "key")) return "in a list or a map";
  if (mutation === "value") return isClosedEnumeration(stats) ? null : "no enumeration";
  const types = Object.keys(stats.types);
  if (stats.n < seenOf(tree, path) && (mutation === "vanish" || mutation === "rename")) return "optional before";
  if (seenOf(tree, path) < 1000) return "seen too seldom";
  if (mutation === "null") return types.includes("null") ? "null before" : null;
  if (mutation === "nest") return types.includes("object") ? "an object before" : null;
  return mutation === "type" && types.length > 1 ? "several types before" : null;
}

it("of what the rules can tell, all is found within 6 events after 1,000 of the past, and nothing of what stays the same", () => {
  const types = EVENT_TYPES.slice(0, atSize(EVENT_TYPES.length, 6));
  const counts = { eligible: 0, found: 0, unchanged: 0 };
  const notEligible = new Map<string, number>();
  for (const [at, type] of types.entries()) {
    const random = mulberry32(at + 1);
    const dataOf = (n: number): Data => ({ ...sampleEvents(n).find((event) => event.type === type)?.data });
    const past = new Learning(50);
    for (let n = 0; n < HISTORY; n += 1) past.teach(dataOf(n));
    past.handOn();
    expect(past.found).toEqual([]);
    const paths = Object.keys(past.stored.tree.fields).filter((path) => path !== "data");
    for (let n = 0; n < 40; n += 1) {
      const path = paths[Math.floor(random() * paths.length)] as FieldPath;
      const mutation = MUTATIONS[n % MUTATIONS.length] as Mutation;
      const why = whyNot(past.stored.tree, path, mutation);
      if (why !== null) {
        notEligible.set(why, (notEligible.get(why) ?? 0) + 1);
        continue;
      }
      counts.eligible += 1;
      const branch = past.branch();
      for (let event = 0; event < WITHIN; event += 1) branch.teach(mutate(dataOf(HISTORY + event), path, mutation));
      if (branch.found.some((found) => found.path === path)) counts.found += 1;
    }
    const same = past.branch();
    for (let event = 0; event < 100; event += 1) same.teach(dataOf(HISTORY + event));
    counts.unchanged += same.found.length;
  }
  process.stdout.write(
    `${types.length} types x 40 changes: ${counts.eligible} eligible, ${counts.found} found within ${WITHIN}; not: ${JSON.stringify(Object.fromEntries(notEligible))}\n`,
  );
  expect(counts.eligible).toBeGreaterThan(types.length * 10);
  expect(counts.found).toBe(counts.eligible);
  expect(counts.unchanged).toBe(0);
});
