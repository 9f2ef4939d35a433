import { describe, expect, it } from "vitest";
import { comparePayloads } from "#lib/client/format/compare-payloads";
import { countMatches, filterFor, pathText } from "#lib/client/format/payload-filter";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { readSearch } from "#lib/events/search/query";
import { filedTerm, termsOf } from "#lib/events/search/terms";

describe("a press on a value", () => {
  it("searches for that value at that place, in the words that the search reads", () => {
    expect(filterFor(["data", "status"], "failed")).toBe("data.status:failed");
    expect(filterFor(["data", "metadata", "name"], "Acme Ltd")).toBe('data.metadata.name:"Acme Ltd"');
    expect(filterFor(["data", "items", 3, "sku"], 42)).toBe("data.items.sku:42");
    expect(filterFor(["data", "paid"], true)).toBe("data.paid:true");
  });

  it("finds the event that it was pressed in: what it writes is a term of that event", () => {
    const data = { status: "failed", metadata: { name: "Acme Ltd" }, items: [{ sku: "A-1" }], long: "x".repeat(300) };
    const workspaceId = "ws_1" as WorkspaceId;
    const terms = termsOf({ workspaceId, eventId: "evt_1", type: "document.processed", data });
    const sought = (at: (string | number)[], value: unknown) => {
      const [term] = readSearch(filterFor(at, value) ?? "").terms;
      return term && { filed: filedTerm(workspaceId, term.path, term.text), prefix: term.prefix };
    };
    const places: [(string | number)[], unknown][] = [
      [["data", "status"], "failed"],
      [["data", "metadata", "name"], "Acme Ltd"],
      [["data", "items", 0, "sku"], "A-1"],
    ];
    for (const [path, value] of places) {
      const term = sought(path, value);
      expect(term?.prefix).toBe(false);
      expect(terms).toContain(term?.filed);
    }
    const begins = sought(["data", "long"], data.long);
    expect(begins?.prefix).toBe(true);
    expect(begins?.filed).toMatch(/x{60}$/);
    expect(terms.some((term) => term.startsWith(begins?.filed ?? "?"))).toBe(true);
  });

  it("leads nowhere where the search does not look", () => {
    expect(filterFor(["id"], "evt_1")).toBeNull();
    expect(filterFor(["data"], "x")).toBeNull();
    expect(filterFor(["data", "a b"], "x")).toBeNull();
    expect(filterFor(["data", "quote"], 'say "hi"')).toBeNull();
    expect(filterFor(["data", "empty"], "")).toBeNull();
    expect(filterFor(["data", "none"], null)).toBeNull();
  });
});

describe("a place in a payload", () => {
  it("is written as people write it", () => {
    expect(pathText(["data", "items", 0, "sku"])).toBe("data.items[0].sku");
    expect(pathText(["data", "a b", "c"])).toBe('data["a b"].c');
  });

  it("is counted when its name or its value holds what is looked for", () => {
    const payload = { status: "Failed", failed: 1, list: ["fail", { x: "no" }] };
    expect(countMatches(payload, "fail")).toBe(3);
    expect(countMatches(payload, "")).toBe(0);
  });
});

describe("two payloads", () => {
  it("are compared place by place: equal, different, on one side only", () => {
    const left = { a: 1, b: { c: "x", d: [1, 2] }, only: true };
    const right = { a: 1, b: { c: "y", d: [1] }, more: {} };
    expect(comparePayloads(left, right)).toEqual([
      { path: "a", left: 1, right: 1, same: true },
      { path: "b.c", left: "x", right: "y", same: false },
      { path: "b.d.0", left: 1, right: 1, same: true },
      { path: "b.d.1", left: 2, right: undefined, same: false },
      { path: "only", left: true, right: undefined, same: false },
      { path: "more", left: undefined, right: {}, same: false },
    ]);
  });

  it("begin with those of the field that changed, in every element", () => {
    const before = { id: 1, data: { price: 1, items: [{ price: 2 }, { price: 3, name: "x" }] } };
    const places = comparePayloads(before, { id: 2, data: { items: [{ price: null }] } }, "data.items[].price");
    expect(places.map(({ path }) => path).slice(0, 3)).toEqual(["data.items.0.price", "data.items.1.price", "id"]);
    expect(comparePayloads(before, before, "data.items").map(({ path }) => path)[0]).toBe("data.items.0.price");
    expect(comparePayloads({ id: 1, risk: "high" }, { id: 2 }, "data.risk")[0]?.path).toBe("risk");
  });
});
