import { describe, expect, it } from "vitest";
import { divide } from "#lib/db/connection-limits";
import { LEAST_CONNECTIONS, poolSizes, wantedConnections } from "#lib/db/pool-sizes";

const KINDS = ["web", "worker"] as const;
const limitOf = (allows: number) => ({ of: "server" as const, allows, raise: (to: number) => `max_connections = ${to + 3}` });

describe.each(KINDS)("the pools of a process (%s)", (kind) => {
  const least = LEAST_CONNECTIONS[kind];

  it("have as many connections as the process may take, and none has fewer than it needs", () => {
    const fewest = poolSizes(kind, least);
    for (let connections = least; connections <= 60; connections += 1) {
      const sizes = poolSizes(kind, connections);
      expect(Object.values(sizes).reduce((sum, size) => sum + size, 0)).toBe(connections);
      for (const [part, size] of Object.entries(sizes)) expect(size).toBeGreaterThanOrEqual(fewest[part as keyof typeof fewest] ?? 0);
    }
  });

  it("are refused below that, with the least of each", () => {
    expect(() => poolSizes(kind, least - 1)).toThrow(/needs at least \d+: web 2, receiver.* worker [23]/);
  });
});

it("without a setting the sizes are those of before", () => {
  expect(poolSizes("web", wantedConnections("web"))).toEqual({ web: 10, receiver: 3, "receiver-large": 1, worker: 4, listen: 1 });
  expect(poolSizes("worker", wantedConnections("worker"))).toEqual({
    ...{ web: 10, "receiver-large": 3, worker: 4, claims: 1, queue: 3, forwarding: 3, listen: 1 },
  });
});

it("what a server allows is never exceeded, both processes get their least, and more where there is more", () => {
  for (let allows = 17; allows <= 60; allows += 1) {
    const plan = divide(limitOf(allows), KINDS, false);
    if (plan.outcome === "too_few") throw new Error(plan.words);
    const { web, worker } = plan.sizes;
    expect(web + worker).toBeLessThanOrEqual(allows);
    expect([web >= LEAST_CONNECTIONS.web, worker >= LEAST_CONNECTIONS.worker]).toEqual([true, true]);
    expect(plan.outcome).toBe(allows < 44 ? "shrunk" : "fits");
  }
  expect(divide(limitOf(16), KINDS, false)).toMatchObject({
    outcome: "too_few",
    words:
      "Too few connections: the server allows 16; a web process needs at least 7, a worker 10. Raise it (max_connections = 47), or at least to 17.",
  });
});
