import { expect, it } from "vitest";
import { sourceId, workspaceId } from "#lib/contracts/api/ids";
import { SourceCache } from "#lib/ingest/source-cache";
import { PLATFORM_READING } from "#lib/platform/read-event";
import { platformScheme } from "#lib/platform/schemes/templates";

/** A database of sources, with what was asked of it. */
function world(names: string[]) {
  const state = { now: 0, names, secret: "first", away: false, reads: 0, lists: 0, forget: (_: string): void => undefined };
  const ask = <T>(answer: T): Promise<T> => (state.away ? Promise.reject(new Error("away")) : Promise.resolve(answer));
  const cache = new SourceCache({
    read: (name) => {
      state.reads += 1;
      const secrets = [{ id: "sec_1", value: state.secret, validUntil: null }];
      const ids = { id: sourceId.parse("src_1"), workspaceId: workspaceId.parse("wsp_1") };
      const sender = { template: "platform", scheme: platformScheme, reading: PLATFORM_READING } as const;
      const asking = { challenges: [], answer: undefined, learnsSecretUntil: undefined };
      return ask(
        state.names.includes(name) ? { ...ids, name, secrets, sealed: 0, paused: false, keepLate: true, ...sender, ...asking } : null,
      );
    },
    listNames: () => {
      state.lists += 1;
      return ask([...state.names]);
    },
    onChange: (forget) => (state.forget = forget),
    clock: { elapsed: () => state.now },
    health: { noteNotCommitted: () => undefined },
  });
  const secretOf = async (name: string) => {
    const lookup = await cache.find(name);
    return lookup.outcome === "found" ? lookup.source.secrets[0]?.value : lookup.outcome;
  };
  return { state, secretOf };
}

it("a secret is not used longer than 5 s after it was read, although nobody notified of its end", async () => {
  const { state, secretOf } = world(["platform"]);
  expect(await secretOf("platform")).toBe("first");
  state.secret = "second";
  state.now = 5001;
  expect(await secretOf("platform")).toBe("second");
});

it("a secret is read again beside a request before it is too old, so that the next one does not wait", async () => {
  const { state, secretOf } = world(["platform"]);
  await secretOf("platform");
  state.secret = "second";
  state.now = 3000;
  expect(await secretOf("platform")).toBe("first");
  state.now = 5001;
  expect(await secretOf("platform")).toBe("second");
  expect(state.reads).toBe(2);
});

it("while the database is away a known source is served for 5 s, then it is unavailable, and never unknown", async () => {
  const { state, secretOf } = world(["platform"]);
  await secretOf("platform");
  state.away = true;
  state.now = 4999;
  expect(await secretOf("platform")).toBe("first");
  state.now = 5000;
  expect(await secretOf("platform")).toBe("unavailable");
  state.now = 60_000;
  expect(await secretOf("platform")).toBe("unavailable");
});

it("an unknown name is unknown while the database is away only as long as that is certain", async () => {
  const { state, secretOf } = world(["platform"]);
  expect(await secretOf("nobody")).toBe("unknown");
  state.away = true;
  state.now = 1999;
  expect(await secretOf("nobody")).toBe("unknown");
  state.now = 2000;
  expect(await secretOf("nobody")).toBe("unavailable");
  expect(await secretOf("Not-A-Name")).toBe("unknown");
});

it("unknown names share one query in 2 s, also while the database is away, and names that no source can have cost none", async () => {
  const { state, secretOf } = world(["platform"]);
  for (const odd of ["%00", "\u0000", "Platform", "a b", "", "-a", "é", "x".repeat(64)]) expect(await secretOf(odd)).toBe("unknown");
  expect(state.lists).toBe(0);
  await Promise.all(Array.from({ length: 1000 }, (_, n) => secretOf(`nobody-${n}`)));
  for (let n = 0; n < 100; n += 1) await secretOf(`nobody-${n}`);
  expect([state.lists, state.reads]).toEqual([1, 0]);
  state.away = true;
  state.now = 10_000;
  for (let n = 0; n < 100; n += 1) expect(await secretOf(`nobody-${n}`)).toBe("unavailable");
  expect(state.lists).toBe(2);
});

it("a new source is served at once when its notification comes, and after 2 s when it was lost", async () => {
  const { state, secretOf } = world([]);
  expect(await secretOf("told")).toBe("unknown");
  state.names = ["told"];
  state.forget("wsp_1");
  expect(await secretOf("told")).toBe("first");
  state.names = ["told", "untold"];
  state.now = 2001;
  expect(await secretOf("untold")).toBe("first");
});

it("what was being read when a source changed is not kept", async () => {
  const { state, secretOf } = world(["platform"]);
  const early = secretOf("platform");
  await Promise.resolve();
  await Promise.resolve();
  state.secret = "second";
  state.forget("wsp_1");
  await early;
  expect(await secretOf("platform")).toBe("second");
});
