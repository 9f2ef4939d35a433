import { describe, expect, it } from "vitest";
import { readSearch } from "#lib/events/search/query";
import { termsOf } from "#lib/events/search/terms";
import { expectPace } from "#tests/support/load";

const event = { eventId: "evt_Ab1", type: "document.error" };

describe("what an event is found by", () => {
  it("holds its id, its type, each value with its path, and the words of each value", () => {
    const terms = termsOf({ ...event, data: { status: "Failed", name: "Invoice-2024.pdf", items: [{ sku: "A1" }], ok: true, n: 0.95 } });
    expect(terms).toEqual(
      expect.arrayContaining([
        ...["evt_ab1", "document.error", "data.status:failed", "failed", "data.name:invoice-2024.pdf", "invoice-2024.pdf"],
        ...["invoice", "2024", "pdf", "data.items.sku:a1", "a1", "data.ok:true", "data.n:0.95", "0.95"],
      ]),
    );
    expect(terms).not.toContain("true");
  });

  it("stays small and storable, whatever the payload", () => {
    const deep = (depth: number): unknown => (depth === 0 ? "x" : { a: deep(depth - 1) });
    const terms = termsOf({
      ...event,
      data: {
        big: "word ".repeat(100_000),
        deep: deep(1000),
        many: Array.from({ length: 5000 }, (_, n) => `w${n}`),
        nul: "a\u0000b\ud800",
        // One character that becomes eighteen.
        ["\ufdfa".repeat(100)]: "\ufdfa".repeat(100),
      },
    });
    expect(terms.length).toBeLessThanOrEqual(200);
    for (const term of terms) {
      expect(term.length).toBeLessThanOrEqual(202);
      expect(term).not.toContain("\u0000");
      expect(term.isWellFormed()).toBe(true);
    }
  });
});

it("costs no more than its length, whatever stands at the edges of a word", () => {
  // U+2057 becomes four marks.
  const values = Array.from({ length: 170 }, () => `b a${"\u2057".repeat(1990)}\u00e9`);
  const since = performance.now();
  expect(termsOf({ ...event, data: { values } })).toContain("b");
  expectPace(performance.now() - since, 2000);
});

it.each([
  ["...(word)!", "word"],
  ["¿qué?", "qué"],
  ["«été»", "été"],
  ["--x--", "x"],
])("cuts the marks around %s", (text, word) => {
  expect(termsOf({ ...event, data: { text } })).toContain(word);
});

describe("the search box", () => {
  it.each([
    ["words, all of which must occur", "Acme invoice", "'acme':* & 'invoice':*"],
    ["a short word to the letter", "no 7", "'no' & '7'"],
    ["a path and its value", "data.status:Failed", "'data.status:failed'"],
    ["a path without its data", "errorCode:E_1", "'data.errorcode:e_1'"],
    ["a value with blanks", 'data.name:"Acme Ltd"', "'data.name:acme ltd'"],
    ["the beginning of a value", "data.name:acme*", "'data.name:acme':*"],
    ["quotes and backslashes that would end a term", "o'hara\\x", "'o' & 'hara\\\\x':*"],
    ["an address, which is no path", "https://acme.test/a", "'https://acme.test/a':*"],
    ["nothing but marks", "--- &|!", null],
  ])("reads %s", (_, q, tsquery) => {
    expect(readSearch(q).tsquery).toBe(tsquery);
  });

  it("takes type, state, source and resource for filters", () => {
    expect(readSearch("type:task.created state:failed source:platform document:doc_1 acme")).toEqual({
      filters: [{ type: ["task.created"] }, { state: ["failed"] }, { source: "platform" }, { resource: "document:doc_1" }],
      tsquery: "'acme':*",
      word: "acme",
    });
    expect(readSearch("status:broken").tsquery).toBe("'data.status:broken'");
  });
});
