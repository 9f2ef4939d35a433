import { describe, expect, it } from "vitest";
import type { Connection } from "#lib/contracts/connections";
import { conditionsOf, type Facts, verdictOf } from "#lib/flows/overview/verdict";

const connection = (state: Connection["state"]) => ({ id: "con_1", name: "Acme production", state }) as Connection;

const suspects = (count: number, ...sources: string[]) => ({ count, sources: sources.length > 0 ? sources : ["stripe"] });

const well: Facts = {
  eventsToday: 1204,
  pending: 0,
  failures: 0,
  openIssues: { processing: 0, platform: 0, forwarding: 0 },
  failingEvents: 0,
  quarantine: { genuine: suspects(0), signed: suspects(0), largest: null },
  missingEvents: 0,
  workerSilent: false,
  refused: null,
  lagging: false,
  firstEvent: true,
  backup: { lastGoodAt: null, overdue: false, storeOverdue: false, missing: 0, proofFailed: false },
  connections: [connection("connected"), connection("expiring")],
  destinations: [],
  exhausted: [],
  silentSources: [],
  pausedSources: [],
  failingChannels: [],
  outage: { unavailable: 0, awayMs: 0 },
  records: null,
};

describe("the overview's verdict", () => {
  it("says that all is well in one sentence, with its numbers", () => {
    expect(verdictOf(well)).toEqual({
      level: "fine",
      sentence: "All systems normal: 2 connections healthy, 1,204 events in the last 24 hours, none failed.",
      action: null,
    });
  });

  it("counts the destinations among what is well", () => {
    const destinations: Facts["destinations"] = [
      { id: "dst_1", name: "Billing", state: "active" },
      { id: "dst_2", name: "Archive", state: "paused" },
    ];
    expect(verdictOf({ ...well, destinations }).sentence).toContain(
      "2 connections healthy, 1 destination receiving (1 paused), 1,204 events",
    );
  });

  it("says after an update that records are rebuilt, how far that is, and what to do where it does not go on", () => {
    const said = (rebuild: "waiting" | "running" | "failed" | "stopped") => verdictOf({ ...well, records: { rebuild, percent: 42 } });
    expect(said("running")).toMatchObject({ level: "attention", sentence: expect.stringContaining("in the background: 42% done.") });
    expect(said("waiting").sentence).toContain("starts within minutes");
    expect(said("failed").sentence).toContain("tried again within an hour");
    expect(said("stopped").sentence).toContain("Owners and admins can start it again in Settings > Records.");
    expect(conditionsOf({ ...well, missingEvents: 1, records: { rebuild: "running", percent: 0 } })).toHaveLength(2);
  });

  it("names a silent source, and doesn't count it among the missing events again", () => {
    const silent: Facts = { ...well, missingEvents: 1, silentSources: ["platform"] };
    expect(conditionsOf(silent)).toEqual([
      {
        level: "attention",
        sentence: "platform has sent nothing for much longer than usual.",
        action: { label: "View silent source", href: "/missing-events?rule=source_silent" },
      },
    ]);
    expect(conditionsOf({ ...silent, missingEvents: 3 })[1]?.sentence).toBe("2 expected events not received.");
  });

  it("names the worst thing first, with where to press", () => {
    const worse: Facts = { ...well, missingEvents: 1 };
    expect(verdictOf(worse)).toMatchObject({
      level: "attention",
      sentence: "1 expected event not received.",
      action: { href: "/missing-events" },
    });
    worse.quarantine = { ...well.quarantine, genuine: suspects(3) };
    expect(verdictOf(worse)).toMatchObject({
      level: "attention",
      sentence: "stripe: 3 quarantined requests are likely from a real sender, by signature or body.",
      action: { href: "/quarantine?source=stripe" },
    });
    worse.openIssues = { processing: 0, platform: 1, forwarding: 0 };
    expect(verdictOf(worse).action?.href).toBe("/issues?origin=platform");
    worse.destinations = [{ id: "dst_1", name: "Billing", state: "suspended" }];
    expect(verdictOf(worse)).toMatchObject({
      level: "failed",
      sentence: "Nothing reaches Billing: the destination is suspended.",
      action: { href: "/destinations/dst_1" },
    });
    worse.destinations = [{ id: "dst_1", name: "Billing", state: "active" }];
    worse.exhausted = [{ destinationId: "dst_1", failing: 3 }];
    expect(verdictOf(worse)).toMatchObject({
      level: "failed",
      sentence: "3 events did not reach Billing and won't be tried again.",
      action: { label: "View exhausted deliveries", href: "/destinations/dst_1?state=exhausted" },
    });
    worse.failures = 41;
    expect(verdictOf(worse).sentence).not.toContain("could not be applied");
    worse.openIssues = { processing: 1, platform: 1, forwarding: 0 };
    worse.failingEvents = 1;
    expect(verdictOf(worse)).toMatchObject({ level: "failed", sentence: "1 event could not be applied." });
    worse.connections = [connection("needs_reauthorization")];
    expect(verdictOf(worse)).toMatchObject({ level: "failed", action: { label: "Reconnect", href: "/connections/con_1" } });
    worse.workerSilent = true;
    expect(verdictOf(worse).sentence).toContain("worker has stopped");
  });

  it("does not call it well while nothing is connected", () => {
    expect(verdictOf({ ...well, connections: [] }).sentence).toBe(
      "1,204 events in the last 24 hours, none failed. Nothing is connected yet.",
    );
    expect(verdictOf({ ...well, connections: [], eventsToday: 0, firstEvent: false }).sentence).toBe("Nothing is connected yet.");
  });

  it("says of more than a thousand that they are more than a thousand", () => {
    expect(verdictOf({ ...well, quarantine: { ...well.quarantine, genuine: suspects(1001) } }).sentence).toBe(
      "stripe: more than 1,000 quarantined requests are likely from a real sender, by signature or body.",
    );
  });

  it("lists every condition with its button, the red ones first: a broken connection is never hidden", () => {
    const broken = { ...connection("needs_reauthorization"), id: "con_2", name: "Beta" } as Connection;
    const bad: Facts = {
      ...well,
      failingEvents: 12,
      openIssues: { processing: 2, platform: 1, forwarding: 0 },
      missingEvents: 4,
      lagging: true,
      pending: 7,
      quarantine: { ...well.quarantine, genuine: suspects(1) },
      connections: [connection("retrying"), connection("needs_reauthorization"), broken],
    };
    expect(conditionsOf(bad).map(({ level, sentence, action }) => [level, sentence, action?.href])).toEqual([
      ["failed", "Acme production needs to be reconnected.", "/connections/con_1"],
      ["failed", "Beta needs to be reconnected.", "/connections/con_2"],
      ["failed", "12 events could not be applied.", "/issues?origin=processing"],
      ["attention", "7 events pending, the oldest for more than a minute.", "/events?state=pending"],
      ["attention", "Acme production couldn't renew its access; retrying automatically.", "/connections/con_1"],
      ["attention", "The platform reports 1 open issue.", "/issues?origin=platform"],
      ["attention", "stripe: 1 quarantined request is likely from a real sender, by signature or body.", "/quarantine?source=stripe"],
      ["attention", "4 expected events not received.", "/missing-events"],
    ]);
    expect(verdictOf(bad)).toEqual(conditionsOf(bad)[0]);
  });

  it("leaves a few wrong signatures to scanners, and names many of them", () => {
    const signed = (n: number) => verdictOf({ ...well, eventsToday: 90, quarantine: { ...well.quarantine, signed: suspects(n) } });
    expect(signed(9).level).toBe("fine");
    expect(signed(10)).toMatchObject({
      level: "attention",
      sentence: "stripe: 10 requests with an invalid signature in the last 24 hours.",
    });
    expect(verdictOf({ ...well, eventsToday: 5000, quarantine: { ...well.quarantine, signed: suspects(50) } }).level).toBe("fine");
  });

  it("says of how many sources quarantined requests are, and names a single one in sentence and link", () => {
    const said = (...sources: string[]) =>
      verdictOf({
        ...well,
        quarantine: { ...well.quarantine, largest: { count: 12, sources, words: "signed with almost the right secret" } },
      });
    expect(said("acme")).toMatchObject({
      sentence: "acme: 12 requests signed with almost the right secret are in quarantine.",
      action: { href: "/quarantine?source=acme" },
    });
    expect(said("acme", "stripe")).toMatchObject({
      sentence: "2 sources: 12 requests signed with almost the right secret are in quarantine.",
      action: { href: "/quarantine" },
    });
  });

  it("is well when somebody looks after every failure, and says how many there are", () => {
    expect(verdictOf({ ...well, failures: 3 })).toMatchObject({
      level: "fine",
      sentence: "All systems normal: 2 connections healthy, 1,204 events in the last 24 hours, 3 failures acknowledged.",
    });
  });

  it("says that the backup is overdue, to everyone, without a link that only some may open", () => {
    expect(verdictOf({ ...well, backup: { ...well.backup, overdue: true } })).toMatchObject({
      level: "attention",
      sentence: expect.stringContaining("There is no backup yet"),
      action: null,
    });
  });

  it("says that backups don't reach the store, and that the test restore of one failed, each in a line of its own", () => {
    const backup = { ...well.backup, lastGoodAt: "2026-11-24T00:00:00.000Z", storeOverdue: true, proofFailed: true };
    expect(conditionsOf({ ...well, backup }).map(({ level, sentence, action }) => [level, sentence, action])).toEqual([
      ["attention", "Backups are made, but are not reaching the store. Owners and admins can see why in Settings > Backups.", null],
      ["attention", "The latest test restore of a stored backup failed. Owners and admins can see why in Settings > Backups.", null],
    ]);
  });
});
