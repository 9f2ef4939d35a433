import { expect, it } from "vitest";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { readEvents, readingOfStored } from "#lib/platform/read-event";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { figure } from "#tests/support/figure";
import { ofEachKind } from "#tests/support/sample";
import { SENDERS } from "#tests/support/senders";

const ENTRIES = 1000;
const TEXT = "x".repeat(8_000_000);

const placesOf = (template: KnownTemplate) => TEMPLATES[template].reading?.items?.split("[]").length;
const LISTS = (Object.keys(SENDERS) as KnownTemplate[]).filter((template) => {
  const { items, body } = TEMPLATES[template].reading ?? {};
  return items !== undefined && body === undefined;
});

/** The list of a sender's example, with so many entries; the first makes up most of its bytes. */
function listOf(template: KnownTemplate, entries: number): Buffer {
  const body = JSON.parse(SENDERS[template].body);
  const keys = (TEMPLATES[template].reading?.items ?? "").replace(/\[\]$/, "").replaceAll("[]", ".0").split(".");
  const list: unknown[] = keys[0] === "$" ? body : keys.reduce((value, key) => value[key], body);
  const [example] = list;
  list.length = 0;
  for (let n = 0; n < entries; n += 1) list.push({ ...(example as object), resourceData: { n, text: n === 0 ? TEXT : "" } });
  return Buffer.from(JSON.stringify(body));
}

/** Milliseconds that reading it takes. */
function timeToRead(template: KnownTemplate, entries: number): number {
  const body = listOf(template, entries);
  const source = readingOfStored({ name: "lists", template, records: "none", record: null, reading: null, mapping: {} });
  const since = performance.now();
  const read = readEvents({ body, headers: {}, query: "a=1", receivedAt: new Date(0) }, source);
  const ms = performance.now() - since;
  expect(read.outcome === "events" && read.events.length, JSON.stringify(read).slice(0, 300)).toBe(entries);
  return ms;
}

it.each(ofEachKind(LISTS, placesOf))("the largest list of %s takes time by its bytes, not by its bytes for each entry", (template) => {
  timeToRead(template, 1); // compiles it
  const one = timeToRead(template, 1);
  const many = timeToRead(template, ENTRIES);
  figure(`a list of 8 MB: ${one.toFixed(0)} ms with one entry, ${many.toFixed(0)} ms with ${ENTRIES}`);
  // Each entry hashing the whole body would take a hundred times as long.
  expect(many).toBeLessThan(10 * one + 300);
});
