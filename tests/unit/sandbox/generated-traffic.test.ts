import { expect, test } from "vitest";
import { envelopeSchema } from "#lib/platform/read-event";
import { generateTraffic } from "#lib/sandbox/scenarios";

const END = Date.UTC(2026, 10, 21, 9, 30) / 1000;
const tell = (seed = 7) => generateTraffic({ seed, documents: 1000, days: 14, endAt: END });

test("a thousand documents over two weeks: envelopes in order, each id once, none from the future, none too old", () => {
  const events = tell();
  expect(events.length).toBeGreaterThan(5000);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  for (const event of events) expect(envelopeSchema.safeParse(event).success).toBe(true);
  const created = events.map((event) => event.created);
  expect(created).toEqual([...created].sort((a, b) => a - b));
  expect(created.at(-1)).toBeLessThanOrEqual(END);
  expect(created[0]).toBeGreaterThanOrEqual(END - 14 * 86_400);
});

test("the same seed tells the same days, another seed others", () => {
  expect(tell()).toEqual(tell());
  expect(tell(8)).not.toEqual(tell());
});

test("most documents run through, some wait, some fail", () => {
  const count = (type: string) => tell().filter((event) => event.type === type).length;
  expect(count("task.completed")).toBeGreaterThan(450);
  expect(count("task.completed")).toBeLessThan(count("task.created") * 0.8);
  for (const type of ["document.error", "automation.error", "document.deleted", "integration.error"])
    expect(count(type), type).toBeGreaterThan(0);
});
