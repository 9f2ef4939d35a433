import { describe, expect, it } from "vitest";
import { viewKind } from "#lib/contracts/views";
import { readMoments } from "#lib/flows/views/read-as-of";
import { readView } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { foldOf } from "#tests/support/fold-of";
import { makeApplied } from "#tests/support/log-writer";
import { PLATFORM_KINDS, randomEvents, shuffledWithRepeats } from "#tests/support/random-events";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

describe("a view as of a moment", () => {
  it("is the fold of what was created up to then, for every kind and at any moment, however the events came", async () => {
    const events = randomEvents(400, 21);
    const { workspaceId } = await makeApplied(shuffledWithRepeats(events, 0.4, 21), { workers: 2 });
    const all = foldOf(events);
    const times = [...new Set(events.map(({ created }) => created))];
    const kinds = new Set<string>();
    let compared = 0;
    for (const [at, key] of [...all.keys()].sort().entries()) {
      if (at % 3 !== 0) continue;
      const [kind = "", id = ""] = key.split(" ");
      kinds.add(kind);
      for (const until of [times[0], times[(at * 7) % times.length], times.at(-1)] as number[]) {
        const expected = foldOf(events.filter(({ created }) => created <= until)).get(key) ?? null;
        const view = await readView(workspaceId, viewKind.parse(kind), id, iso(until));
        const record =
          view &&
          (({
            events: _e,
            children: _c,
            connection: _l,
            forgotten: _f,
            asOf: _a,
            partial: _p,
            coverage: _v,
            knownFrom: _k,
            names: _n,
            ...rest
          }) => rest)(view);
        expect(record, `${key} as of ${until}`).toEqual(expected);
        compared += 1;
      }
    }
    expect([...kinds].sort()).toEqual(PLATFORM_KINDS.toSorted());
    expect(compared).toBeGreaterThan(100);
  });

  it("counts an event from the very second in which it was created", async () => {
    const { workspaceId } = await makeApplied([{ eventId: "e1", type: "document.uploaded", created: 1000, data: { documentId: "d" } }]);
    expect(await readView(workspaceId, "document", "d", iso(999))).toBeNull();
    expect(await readView(workspaceId, "document", "d", iso(1000))).toMatchObject({ state: "uploaded", partial: false });
    await expect(readView(workspaceId, "document", "d", "yesterday")).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("has a moment for each second in which something was created, with what happened", async () => {
    const event = (eventId: string, type: string, created: number) => ({ eventId, type, created, data: { documentId: "d" } });
    const { workspaceId } = await makeApplied([
      event("e3", "document.error", 20),
      event("e1", "document.uploaded", 10),
      event("e2", "document.processed", 20),
    ]);
    expect(await readMoments(workspaceId, "document", "d")).toEqual({
      data: [
        { at: iso(10), events: 1, titles: ["Document uploaded"], failed: false },
        { at: iso(20), events: 2, titles: ["Document failed", "Document processed"], failed: true },
      ],
      earlier: false,
      knownFrom: null,
    });
    expect((await readMoments((await makeWorkspace()).workspaceId, "document", "d")).data).toEqual([]);
  });
});
