import { describe, expect, it } from "vitest";
import type { Connection } from "#lib/contracts/connections";
import { type Facts, verdictOf } from "#lib/flows/read-overview";

const connection = (state: Connection["state"]) => ({ id: "con_1", name: "Acme production", state }) as Connection;

const well: Facts = {
  eventsToday: 1204,
  pending: 0,
  failures: 0,
  openIssues: { processing: 0, platform: 0 },
  refusedToday: 0,
  findings: 0,
  workerSilent: false,
  lagging: false,
  firstEvent: true,
  connections: [connection("connected"), connection("expiring")],
};

describe("the overview's verdict", () => {
  it("says that all is well in one sentence, with its numbers", () => {
    expect(verdictOf(well)).toEqual({
      level: "fine",
      sentence: "All well: 2 connections healthy, 1,204 events in the last 24 hours, none failed.",
      action: null,
    });
  });

  it("names the worst thing first, with where to press", () => {
    const worse: Facts = { ...well, findings: 1 };
    expect(verdictOf(worse)).toMatchObject({
      level: "attention",
      sentence: "1 thing that should have come never did, it seems.",
      action: { href: "/findings" },
    });
    worse.refusedToday = 3;
    expect(verdictOf(worse)).toMatchObject({
      level: "attention",
      sentence: "3 requests refused in the last 24 hours.",
      action: { href: "/refused" },
    });
    worse.openIssues = { processing: 0, platform: 1 };
    expect(verdictOf(worse).action?.href).toBe("/failures?origin=platform");
    worse.connections = [connection("needs_reauthorization")];
    expect(verdictOf(worse)).toMatchObject({ level: "failed", action: { label: "Reconnect", href: "/connections/con_1" } });
    worse.failures = 1;
    expect(verdictOf(worse).sentence).not.toContain("could not be applied");
    worse.openIssues = { processing: 1, platform: 1 };
    expect(verdictOf(worse)).toMatchObject({ level: "failed", sentence: "1 event could not be applied." });
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
    expect(verdictOf({ ...well, refusedToday: 1001 }).sentence).toBe("more than 1,000 requests refused in the last 24 hours.");
  });

  it("is well when somebody looks after every failure, and says how many there are", () => {
    expect(verdictOf({ ...well, failures: 3 })).toMatchObject({
      level: "fine",
      sentence: "All well: 2 connections healthy, 1,204 events in the last 24 hours, 3 failures looked after.",
    });
  });
});
