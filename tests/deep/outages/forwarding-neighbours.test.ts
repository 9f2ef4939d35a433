import { describe, expect, test } from "vitest";
import { inTransaction, pool } from "#lib/db/pool";
import { runSenders } from "#lib/flows/forwarding/sending/run-senders";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination, receive } from "#tests/support/forwarding/destinations";
import { countStates, startSenders, until, useTargets } from "#tests/support/forwarding/senders";
import { startTarget } from "#tests/support/forwarding/target";
import { expectPace } from "#tests/support/pace";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1" });

const { open, target } = useTargets();

describe("destinations beside each other", () => {
  test("one that is dead and one that answers after 10 s cost eight good ones nothing", async () => {
    const { workspaceId, source } = await makeWorkspace();
    let atSlow = 0;
    let mostAtSlow = 0;
    const slow = await target((_one, _request, response) => {
      mostAtSlow = Math.max(mostAtSlow, ++atSlow);
      response.once("close", () => (atSlow -= 1));
      setTimeout(() => response.end(), 10_000).unref();
    });
    const gone = await startTarget();
    await gone.close();
    for (const { url } of [slow, gone]) await makeDestination(workspaceId, { url });
    const good = await Promise.all(Array.from({ length: 8 }, () => target()));
    for (const { url } of good) await makeDestination(workspaceId, { url });
    open.push(startSenders());
    for (let n = 0; n < 50; n += 1) await receive(source);
    await applyAll();
    const applied = Date.now();
    await until(
      () => good.map(({ received }) => received.length),
      (counts) => counts.every((count) => count === 50),
    );
    expectPace(Date.now() - applied, 8000);
    expect(slow.received.length).toBeGreaterThan(0);
    expect(mostAtSlow).toBeLessThanOrEqual(10);
  });

  test("concurrency and rate hold, and each event is sent once, while two workers run and one of them stops", async () => {
    const { workspaceId, source } = await makeWorkspace();
    let at = 0;
    let most = 0;
    const { url, received } = await target((_one, _request, response) => {
      at += 1;
      most = Math.max(most, at);
      setTimeout(() => {
        at -= 1;
        response.end();
      }, 20);
    });
    const { id } = await makeDestination(workspaceId, { url, concurrency: 3, rate: 100 });
    const first = startSenders();
    open.push(startSenders());
    for (let n = 0; n < 120; n += 1) await receive(source);
    await applyAll();
    await until(
      () => received.length,
      (count) => count > 30,
    );
    await first.stop();
    await until(
      () => countStates(id),
      ({ delivered }) => delivered === 120,
    );
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(120);
    expect(received).toHaveLength(120);
    expect(most).toBeLessThanOrEqual(3);
    const span = (received.at(-1)?.at ?? 0) - (received[0]?.at ?? 0);
    expect((119 / span) * 1000).toBeLessThan(115);
  });

  test("one whose row another client keeps locked costs the others nothing, and loses no result", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const [locked, free] = [await target(), await target()];
    const [{ id: lockedId }, { id: freeId }] = [
      await makeDestination(workspaceId, { url: locked.url }),
      await makeDestination(workspaceId, { url: free.url }),
    ];
    open.push(startSenders());
    await inTransaction(pool(), async (another) => {
      await another.query("SELECT FROM destinations WHERE id = $1 FOR NO KEY UPDATE", [lockedId]);
      for (let n = 0; n < 40; n += 1) await receive(source);
      await applyAll();
      await until(
        () => countStates(freeId),
        ({ delivered }) => delivered === 40,
      );
      expect(await countStates(lockedId)).toEqual({ pending: 40 });
    });
    await until(
      () => countStates(lockedId),
      ({ delivered }) => delivered === 40,
    );
    expect([locked.received.length, free.received.length]).toEqual([40, 40]);
  });

  test("a sender whose lease has ended begins nothing more", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const { url, received } = await target();
    const { id } = await makeDestination(workspaceId, { url });
    await pool().query(
      "INSERT INTO destination_senders (destination_id, workspace_id, sender, until) VALUES ($1, $2, 'somebody else', now() + interval '1 hour')",
      [id, workspaceId],
    );
    const stopping = new AbortController();
    const running = runSenders(stopping.signal);
    await receive(source);
    await applyAll();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(received).toHaveLength(0);
    await pool().query("UPDATE destination_senders SET until = now() - interval '1 second' WHERE destination_id = $1", [id]);
    await until(
      () => received.length,
      (count) => count === 1,
    );
    stopping.abort();
    await running;
  });
});
