import { expect, it } from "vitest";
import { readEvents, readingOfStored } from "#lib/platform/read-event";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { figure } from "#tests/support/figure";

const ENTRIES = 1000;
const TEXT = "x".repeat(8_000_000);

const LISTS = Object.entries(TEMPLATES).flatMap(([template, { reading }]) =>
  reading?.items === undefined ? [] : [{ template: template as keyof typeof TEMPLATES, items: reading.items }],
);

/** Milliseconds that reading a list takes, whose first entry makes up most of its bytes. */
function timeToRead(template: keyof typeof TEMPLATES, items: string, entries: number): number {
  const list = Array.from({ length: entries }, (_, n) => ({ changeType: "updated", resourceData: { n, text: n === 0 ? TEXT : "" } }));
  const body = Buffer.from(JSON.stringify({ [items]: list }));
  const source = readingOfStored({ name: "lists", template, records: "none", record: null, reading: null, mapping: {} });
  const since = performance.now();
  const read = readEvents({ body, headers: {}, query: "a=1", receivedAt: new Date(0) }, source);
  const ms = performance.now() - since;
  expect(read.outcome === "events" && new Set(read.events.map(({ envelope }) => envelope.id)).size).toBe(entries);
  return ms;
}

it.each(LISTS)("the largest list of $template takes time by its bytes, not by its bytes for each entry", ({ template, items }) => {
  timeToRead(template, items, 1); // compiles it
  const one = timeToRead(template, items, 1);
  const many = timeToRead(template, items, ENTRIES);
  figure(`a list of 8 MB: ${one.toFixed(0)} ms with one entry, ${many.toFixed(0)} ms with ${ENTRIES}`);
  // Each entry hashing the whole body would take a hundred times as long.
  expect(many).toBeLessThan(10 * one + 300);
});
