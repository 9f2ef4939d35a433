import { expect, it } from "vitest";
import { sourceId, workspaceId } from "#lib/contracts/api/ids";
import { parseExact } from "#lib/contracts/exact-json";
import { Learner } from "#lib/event-types/learner";
import { LiveSchema } from "#lib/event-types/live-schema";
import { seenOf } from "#lib/event-types/merge";
import { MAX_FIELDS } from "#lib/event-types/schema";
import { Learning, lesson } from "#tests/support/lessons";

const treeOf = (...payloads: unknown[]) => {
  const learning = new Learning();
  for (const data of payloads) learning.teach(data as Record<string, unknown>);
  return learning.stored.tree;
};

it("counts how often each field was there, of how many, as which type", () => {
  const tree = treeOf({ id: "doc_1", pages: 3, by: { id: 7 } }, { id: "doc_2", pages: null }, { id: "doc_3", pages: 2.5, by: { id: "x" } });
  expect(tree.events).toBe(3);
  expect(tree.fields["data.pages"]).toMatchObject({
    n: 3,
    types: { number: { n: 2 }, null: { n: 1 } },
    formats: { int: { n: 1 }, decimal: { n: 1 } },
  });
  expect([seenOf(tree, "data.by"), tree.fields["data.by"]?.n]).toEqual([3, 2]);
  expect([seenOf(tree, "data.by.id"), tree.fields["data.by.id"]?.n]).toEqual([2, 2]);
  expect(tree.fields["data.by.id"]?.types).toMatchObject({
    number: { n: 1, first: ["evt_1", expect.any(Number), 1] },
    string: { n: 1, first: ["evt_3", expect.any(Number), 3] },
  });
});

it("reads elements of lists as one field, eight of each list", () => {
  const tree = treeOf({ items: Array.from({ length: 20 }, (_, n) => ({ price: n, ...(n === 1 && { note: "x" }) })) }, { items: [] });
  expect(tree.fields["data.items"]).toMatchObject({ n: 2, elements: [0, 20] });
  expect([tree.fields["data.items[]"]?.n, seenOf(tree, "data.items[].note"), tree.fields["data.items[].note"]?.n]).toEqual([8, 8, 1]);
});

it("keeps numbers as their digits", () => {
  const tree = treeOf(
    parseExact('{"amount": 1.10, "id": 900719925474099312345}'),
    parseExact('{"amount": 1.1, "id": 5}'),
    parseExact('{"amount": -0.50, "id": 6}'),
  );
  expect(tree.fields["data.amount"]?.number).toEqual(["-0.50", "1.1"]);
  expect(tree.fields["data.id"]).toMatchObject({ digits: [1, 21] });
  expect(tree.fields["data.id"]?.number).toBeUndefined();
});

it("takes keys that name people or records for data at once, and a level of many keys when new ones keep coming", () => {
  const byEmail = treeOf({ members: { "ada@example.com": { role: "owner" }, "6f1c3b1e-8f3a-4c43-9c55-0a8b1f6c2d11": { role: "viewer" } } });
  expect(Object.keys(byEmail.fields).sort()).toEqual(["data", "data.members", "data.members.*", "data.members.*.role"]);

  const wide = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field_${String.fromCharCode(97 + (n % 26))}${n}`, n]));
  const fixed = treeOf(...Array.from({ length: 150 }, () => wide));
  expect(fixed.maps).toEqual([]);
  const growing = treeOf(
    ...Array.from({ length: 150 }, (_, n) => ({ labels: { [`label ${String.fromCharCode(97 + (n % 26))} ${n}`]: "x" } })),
  );
  expect(growing.maps).toEqual(["data.labels"]);
  expect(growing.fields["data.labels.*"]).toMatchObject({ n: 150 });
  expect(Object.keys(growing.fields)).toHaveLength(3);
});

it("keeps 400 fields, 8 levels and says that there were more", () => {
  const tree = treeOf(
    Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`group${n}`, Object.fromEntries(Array.from({ length: 20 }, (_, m) => [`f${m}`, m]))]),
    ),
  );
  expect(Object.keys(tree.fields)).toHaveLength(MAX_FIELDS);
  expect(tree.full).toBe(true);
  let deep: Record<string, unknown> = { end: 1 };
  for (let n = 0; n < 20; n += 1) deep = { down: deep };
  expect(Object.keys(treeOf(deep).fields)).toHaveLength(9);
});

it("a look at two levels counts a known shape, and sends every other to be read", () => {
  const live = new Learning(50);
  const usual = () => ({ id: "doc_1", by: { id: 7, name: "x" }, list: [1] });
  for (let n = 0; n < 200; n += 1) live.teach(usual());
  expect(live.look(usual())).toBe(true);
  expect(live.look({ ...usual(), more: 1 })).toBe(false);
  expect(live.look({ id: "doc_1", list: [1] })).toBe(false);
  expect(live.look({ ...usual(), by: { id: "7", name: "x" } })).toBe(false);
  expect(live.look({ ...usual(), list: null })).toBe(false);
  live.handOn();
  const { tree } = live.stored;
  expect([tree.events, tree.walked]).toEqual([205, 204]);
  expect([seenOf(tree, "data.id"), tree.fields["data.id"]?.n]).toEqual([205, 205]);
  expect([seenOf(tree, "data.by.id"), tree.fields["data.by.id"]?.n]).toEqual([204, 204]);
  // Below, only what was read counts: one of the last four has no `by`, and one list is null.
  expect(tree.fields["data.list[]"]?.n).toBe(203);
});

it("what is only looked at counts like what is read, in its place among exceptions, however many shapes there are", () => {
  const dataOf = (n: number) => ({
    id: `doc_${n}`,
    ...Object.fromEntries(["a", "b", "c", "d", "e"].filter((_, bit) => ((n * 7) >> bit) & 1).map((key) => [key, n])),
    by: { role: n > 300 && n % 5 === 0 ? null : "owner", ...(n % 3 === 0 && { team: { size: n } }) },
  });
  const past = new Learning(50);
  for (let n = 0; n < 250; n += 1) past.teach(dataOf(n));
  const [looking, reading] = [past.branch(1000), past.branch(1000)];
  let looks = 0;
  for (let n = 250; n < 400; n += 1) {
    reading.teach(dataOf(n));
    if (looking.look(dataOf(n))) looks += 1;
  }
  for (const each of [looking, reading]) each.handOn();
  expect(looks).toBe(131);
  expect(looking.stored.watch).toEqual(reading.stored.watch);
  const seen = ({ stored: { tree } }: Learning) =>
    ["data", "data.id", "data.a", "data.e", "data.by", "data.by.role", "data.by.team"].map((path) => {
      const { n, objects, types, first, last } = tree.fields[path] ?? {};
      return { path, n, objects: path === "data.by.team" ? 0 : objects, types, first, last };
    });
  expect(seen(looking)).toEqual(seen(reading));
});

it("names the first and the last event in the order of the log, whatever the order of work", () => {
  const live = new LiveSchema("ety_1");
  for (const n of [5, 2, 9, 4]) live.teach(lesson(n, { a: 1 }));
  const { tree } = live.take();
  expect(tree.fields["data.a"]?.first[0]).toBe("evt_2");
  expect(tree.fields["data.a"]?.last[0]).toBe("evt_9");
});

it.each([
  { types: 1, read: 50 },
  { types: 10, read: 250 },
])("after 2,000 events of each, $read a second of 100 of each of $types types are read", ({ types, read }) => {
  const learner = new Learner();
  const place = { workspaceId: workspaceId.parse("wsp_1"), sourceId: sourceId.parse("src_1"), variant: "" };
  const walked = (events: number) => {
    for (let n = 0; n < events * types; n += 1) learner.teach({ ...place, type: `type.${n % types}`, lesson: lesson(n, { a: 1 }) });
    return learner.take(1).reduce((sum, { delta }) => sum + delta.tree.walked, 0);
  };
  expect(walked(2000)).toBe(2000 * types);
  walked(100);
  expect(walked(100)).toBe(read);
});
