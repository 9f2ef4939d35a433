import { expect, it } from "vitest";
import { mulberry32 } from "#tests/chaos/driver";
import { Learning } from "#tests/support/lessons";

// The claim of lib/event-types/drift-rules.ts, on traffic that does not change, and on mutations of it. Deep: more fields and events.

type Field = { key: string; present: number; isNull: number; isText: number; values: string[] };

const RATES = [0, 0, 0, 0.0001, 0.001, 0.01, 0.1, 0.5];

function sender(seed: number, fields: number, rates = RATES) {
  const random = mulberry32(seed);
  const rate = () => rates[Math.floor(random() * rates.length)] as number;
  const shape: Field[] = Array.from({ length: fields }, (_, n) => ({
    key: `f${n}`,
    present: 1 - rate(),
    isNull: rate(),
    isText: n % 2 === 0 ? 0 : rate(),
    values: Array.from({ length: 1 + (n % 6) }, (_, value) => `value ${"abcdef"[value]}`),
  }));
  const event = (): Record<string, unknown> => {
    const data: Record<string, unknown> = { id: `doc_${Math.floor(random() * 1e9)}` };
    for (const { key, present, isNull, isText, values } of shape) {
      if (random() >= present) continue;
      if (random() < isNull) data[key] = null;
      else if (key.charCodeAt(1) % 2 === 0 || random() < isText) data[key] = values[Math.floor(random() ** 3 * values.length)];
      else data[key] = Math.floor(random() * 1000);
    }
    return data;
  };
  return { event, shape };
}

it("stationary traffic of 64 fields, always, mostly, rarely and hardly ever there, as null or as text, gives no alarm in 20,000 events", () => {
  for (const seed of [1, 2]) {
    const { event } = sender(seed, 32);
    const learning = new Learning(100);
    for (let n = 0; n < 10_000; n += 1) learning.teach(event());
    expect(learning.found.map(({ kind, path }) => `${kind} ${path}`)).toEqual([]);
  }
});

it("mutations of what never had an exception are found within 6 events after 1,000", () => {
  let [eligible, found] = [0, 0];
  for (let seed = 1; seed <= 40; seed += 1) {
    const { event, shape } = sender(seed + 100, 12, [0, 0, 0, 0, 0, 0, 0.1, 0.5]);
    const learning = new Learning(10);
    const seen = Array.from({ length: 1000 }, event);
    for (const data of seen) learning.teach(data);
    expect(learning.found).toEqual([]);
    const field = shape[seed % 12] as Field;
    const mutation = (["vanish", "null", "type"] as const)[seed % 3];
    const isEligible = seen.every(
      (data) => field.key in data && data[field.key] !== null && typeof data[field.key] === typeof seen[0]?.[field.key],
    );
    if (!isEligible) continue;
    eligible += 1;
    for (let n = 0; n < 6; n += 1) {
      const data = event();
      if (mutation === "vanish") delete data[field.key];
      else data[field.key] = mutation === "null" ? null : { nested: data[field.key] };
      learning.teach(data);
    }
    learning.handOn();
    if (learning.found.some(({ path }) => path === `data.${field.key}`)) found += 1;
  }
  expect(eligible).toBeGreaterThan(12);
  expect(found).toBe(eligible);
});
