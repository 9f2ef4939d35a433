import { expect, it } from "vitest";
import { mulberry32 } from "#tests/chaos/driver";
import { figure } from "#tests/support/figure";
import { Learning } from "#tests/support/lessons";
import { atSize } from "#tests/support/sample";

// The claim of lib/event-types/drift-rules.ts, on traffic that does not change, on traffic that is no more even than a real sender's, and on
// mutations. Deep: more events.

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

const told = ({ found }: Learning): string[] => found.map(({ kind, path, after }) => `${kind} ${path} after ${after}`);

it("stationary traffic, its fields always, mostly, rarely and hardly ever there, as null or as text, gives no alarm", () => {
  const [fields, events] = [32, atSize(25_000, 10_000)];
  const seeds = atSize(4, 2);
  const alarms: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { event } = sender(seed, fields);
    const learning = new Learning(100);
    for (let n = 0; n < events; n += 1) learning.teach(event());
    alarms.push(...told(learning));
  }
  figure(`stationary: ${seeds * events} events of ${fields} fields each, ${alarms.length} alarms`);
  expect(alarms).toEqual([]);
});

const MINUTE = 60_000;

/**
 * A sender with customers of different size and habit. A customer's documents have the optional fields that its settings ask for; the largest of
 * 200 sends a sixth. Events come at a day's rhythm, several a minute, those of one record one after the other; now and then a customer imports
 * hundreds of documents within minutes, and a tenth of the customers begins only in the course of it.
 */
function mixedTraffic(seed: number, events: number) {
  const random = mulberry32(seed);
  const fields = Array.from({ length: 24 }, (_, n) => ({ key: `f${n}`, used: [1, 1, 1, 1, 0.9, 0.5, 0.1, 0.02][n % 8] as number }));
  const customers = Array.from({ length: 200 }, (_, n) => ({
    begins: n % 10 === 9 ? Math.floor(random() * events) : 0,
    has: new Set(fields.filter(({ used }) => random() < used).map(({ key }) => key)),
    usesNull: random() < 0.2,
  }));
  const pick = (n: number) => {
    for (;;) {
      const customer = customers[Math.floor(random() ** 2.5 * customers.length)];
      if (customer && customer.begins <= n) return customer;
    }
  };
  let at = Date.UTC(2026, 0, 1);
  let record = 0;
  let [customer, bulk, steps] = [pick(0), 0, 0];
  return (n: number): { data: Record<string, unknown>; more: Parameters<Learning["teach"]>[1] } => {
    if (steps === 0) {
      record += 1;
      steps = 1 + Math.floor(random() * 4);
      if (bulk > 0) bulk -= 1;
      else {
        customer = pick(n);
        if (random() < 0.0005) bulk = 300;
      }
    }
    steps -= 1;
    const isNight = new Date(at).getUTCHours() < 6;
    at += bulk > 0 ? 200 : -Math.log(1 - random()) * (isNight ? 5 : 0.5) * MINUTE;
    const data: Record<string, unknown> = {
      id: `doc_${record}`,
      status: ["open", "read", "done"][steps % 3],
      size: Math.floor(random() * 1e5),
    };
    for (const [place, { key }] of fields.entries()) {
      if (customer.has.has(key)) data[key] = place % 3 === 0 ? (random() < 0.5 ? "yes" : "no") : { value: Math.floor(random() * 100) };
      else if (customer.usesNull && place % 8 > 3) data[key] = null;
    }
    return { data, more: { ref: [`evt_${n}`, Math.floor(at), n], record: { kind: "document", id: `doc_${record}` } } };
  };
}

it("mixed traffic, of customers with habits of their own, imports, nights and newcomers, gives at most one alarm in 100,000 events", () => {
  const [events, seeds] = [atSize(25_000, 5000), 4];
  const alarms: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const next = mixedTraffic(seed, events);
    const learning = new Learning(50);
    for (let n = 1; n <= events; n += 1) {
      const { data, more } = next(n);
      learning.teach(data, more);
    }
    alarms.push(...told(learning));
  }
  figure(`mixed: ${seeds * events} events, ${alarms.length} alarms ${alarms.join(", ")}`);
  expect(alarms.length).toBeLessThanOrEqual(1);
});

it("a type of 20 events a day tells what it has not seen before, each once and with its event, and claims nothing of it", () => {
  const [days, seeds] = [90, atSize(40, 5)];
  const counts = { events: 0, first: 0, alarms: 0 };
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { event } = sender(seed + 500, 12);
    const learning = new Learning(1);
    const seen = new Map<string, string>();
    let number = 0;
    for (let day = 0; day < days; day += 1)
      for (let n = 0; n < 20; n += 1) {
        const data = event();
        number += 1;
        for (const key of Object.keys(data)) if (!seen.has(key)) seen.set(key, `evt_${number}`);
        learning.teach(data, { ref: [`evt_${number}`, Date.UTC(2026, 0, 1 + day, 8, n * 30), number] });
      }
    counts.events += number;
    counts.alarms += learning.found.length;
    const appeared = learning.news.filter(({ kind }) => kind === "field_appeared");
    counts.first += appeared.length;
    expect(new Set(appeared.map(({ path }) => path)).size).toBe(appeared.length);
    for (const { path, event: first } of appeared) expect(first?.[0], path).toBe(seen.get(path.slice("data.".length)));
  }
  figure(`20 events a day: ${seeds} types, ${counts.events} events, ${counts.first} fields told as new, ${counts.alarms} alarms`);
  expect(counts.alarms).toBe(0);
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
