import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { readDeliveries, readDelivery } from "#lib/flows/forwarding/read-deliveries";
import { previewFilter } from "#lib/flows/forwarding/test-destination";
import { restartDelivery } from "#lib/forwarding/delivery-store";
import { readCompleteMetrics } from "#tests/support/complete-metrics";
import { useDatabase } from "#tests/support/database";
import { makeDestination, receive, receiveAndApply } from "#tests/support/forwarding/destinations";
import { countStates, startSenders, until, untilArrived, untilAtLeast, untilStates, useTargets } from "#tests/support/forwarding/senders";
import type { Target } from "#tests/support/forwarding/target";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target, withDestination } = useTargets();

describe("forwarding", () => {
  beforeEach(() => {
    open.push(startSenders());
  });

  test("an event reaches a destination with its original bytes, signed so that an independent library verifies it", async () => {
    const { workspaceId, source, id, secret, received } = await withDestination();
    const body = await receiveAndApply(source, { id: "evt_é\n1", data: { documentId: "doc_1", name: "Überweisung" } });
    await untilArrived(received, 1);
    const [{ headers, body: bytes }] = received as [Target["received"][number]];
    expect(bytes.toString()).toBe(body);
    expect(new Webhook(secret ?? "").verify(bytes.toString(), headers as Record<string, string>)).toEqual(JSON.parse(body));
    expect(headers["webhook-id"]).toMatch(/^msg_[0-9a-f]{40}$/);
    expect(headers["signalbox-event-id"]).toBe("evt_%C3%A9%0A1");
    expect(headers["signalbox-attempt"]).toBe("1");
    await untilStates(id, { delivered: 1 });
    const [delivery] = (await readDeliveries(workspaceId, { destination: id }, { limit: 10 })).data;
    expect(delivery).toMatchObject({ state: "delivered", attempts: 1, subject: "document:doc_1", last: { outcome: "delivered" } });
    const detail = await readDelivery(workspaceId, delivery?.id ?? "");
    expect(detail?.body?.text).toBe(body);
    expect(detail?.attemptLog).toMatchObject([{ number: 1, outcome: "delivered", response: { status: 200, body: { text: "ok" } } }]);
    expect(detail?.attemptLog[0]?.request.headers["webhook-signature"]).toBe(headers["webhook-signature"]);
  });

  test("a failed attempt is tried again by the schedule, under the same id, and says why it failed", async () => {
    let answers = 0;
    const { workspaceId, source, id, received } = await withDestination({}, (_one, _request, response) => {
      response.statusCode = answers++ === 0 ? 500 : 204;
      response.end("no disk");
    });
    await receiveAndApply(source);
    const [waiting] = await until(
      async () => (await readDeliveries(workspaceId, { destination: id }, { limit: 1 })).data,
      ([delivery]) => delivery?.state === "retrying",
    );
    expect(waiting?.last).toMatchObject({ outcome: "server_error", detail: "Answered 500" });
    const { rows } = await pool().query<{ ms: number }>(
      "SELECT extract(epoch FROM f.due_at - a.at) * 1000 AS ms FROM forward_deliveries f JOIN forward_attempts a ON a.delivery_id = f.id WHERE f.destination_id = $1",
      [id],
    );
    expect(Number(rows[0]?.ms)).toBeGreaterThan(2500);
    await pool().query("UPDATE forward_deliveries SET due_at = now() - interval '1 second'");
    await untilStates(id, { delivered: 1 });
    expect(received[0]?.headers["webhook-id"]).toBe(received[1]?.headers["webhook-id"]);
    expect(received.map(({ headers }) => headers["signalbox-attempt"])).toEqual(["1", "2"]);
  });

  test("types, sources and the payload filter decide what is handed on, and other workspaces' events never are", async () => {
    const [here, there] = [await makeWorkspace(), await makeWorkspace()];
    const { url, received } = await target();
    await makeDestination(here.workspaceId, {
      url,
      types: ["document.processed"],
      sources: [here.source],
      filter: { data: { status: "completed", tags: "invoice" } },
    });
    await receive(here.source, { id: "evt_matches", data: { documentId: "doc_1", status: "completed", tags: ["invoice", "paid"] } });
    await receive(here.source, { id: "evt_other_tag", data: { documentId: "doc_1", status: "completed", tags: ["letter"] } });
    await receive(here.source, {
      id: "evt_other_type",
      type: "document.uploaded",
      data: { documentId: "doc_1", status: "completed", tags: ["invoice"] },
    });
    await receiveAndApply(there.source, { id: "evt_elsewhere", data: { documentId: "doc_1", status: "completed", tags: ["invoice"] } });
    await untilAtLeast(() => received.length, 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(received.map(({ headers }) => headers["signalbox-event-id"])).toEqual(["evt_matches"]);
  });

  test("a beginning with * hands on every type that begins so, of any sender, and none other", async () => {
    const { workspaceId, source, received } = await withDestination({ types: ["invoice.*", "task.created"] });
    const types = ["invoice.paid", "invoice.payment.failed", "invoices.paid", "invoice", "task.created", "task.assigned"];
    for (const type of types) await receiveAndApply(source, { id: `evt_${type}`, type, data: { taskId: "task_1" } });
    const wanted = ["evt_invoice.paid", "evt_invoice.payment.failed", "evt_task.created"];
    await untilAtLeast(() => received.length, wanted.length);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(received.map(({ headers }) => headers["signalbox-event-id"]).sort()).toEqual(wanted);
    expect(await previewFilter(workspaceId, { types: ["invoice.*"], sources: [], filter: null }, new Date())).toMatchObject({
      matching: 2,
      of: 6,
    });
  });

  test("the preview of a filter counts exactly what the same filter then sends", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const filter = { data: { $or: [{ amount: { $gte: 50 } }, { tags: "invoice" }], status: { $neq: "failed" } } };
    const send = async () => {
      for (let n = 0; n < 20; n += 1)
        await receiveAndApply(source, {
          type: n % 5 === 0 ? "document.uploaded" : "document.processed",
          data: {
            documentId: `doc_${n}`,
            amount: (n * 37) % 100,
            tags: n % 3 === 0 ? ["invoice"] : [],
            status: n % 4 === 0 ? "failed" : "completed",
          },
        });
    };
    await send();
    const settings = { types: ["document.processed"], sources: [source], filter };
    const { matching, of } = await previewFilter(workspaceId, settings, new Date());
    expect([matching > 0, matching < of, of]).toEqual([true, true, 20]);
    const { url, received } = await target();
    const { id } = await makeDestination(workspaceId, { url, ...settings });
    await send();
    await until(
      () => countStates(id),
      ({ delivered, pending = 0 }) => delivered === matching && pending === 0,
    );
    expect(received).toHaveLength(matching);
  }, 120_000);

  test("an event that can't be applied is handed on all the same", async () => {
    const { source, received } = await withDestination();
    await receiveAndApply(source, { id: "evt_without_id", type: "task.created", data: { title: "no ID" } });
    await untilArrived(received, 1);
    expect(received[0]?.headers["signalbox-event-id"]).toBe("evt_without_id");
  });

  test("each destination has its attempts, its latency as a histogram, its depth and its breaker's state", async () => {
    let answers = 0;
    const { source, id } = await withDestination({ concurrency: 1 }, (_one, _request, response) => {
      if (answers++ === 0) response.writeHead(500, { "retry-after": "3600" });
      setTimeout(() => response.end(), 30);
    });
    for (let n = 0; n < 3; n += 1) await receiveAndApply(source);
    await untilStates(id, { delivered: 2, pending: 1 });
    const text = await readCompleteMetrics();
    const value = (name: string, labels: string) => {
      const line = text.split("\n").find((each) => each.startsWith(`signalbox_forward_${name}{${labels}}`));
      return line === undefined ? null : Number(line.split(" ").at(-1));
    };
    const of = `destination="${id}"`;
    expect(value("attempts_total", `${of},outcome="delivered"`)).toBe(2);
    expect(value("attempts_total", `${of},outcome="failed"`)).toBe(1);
    expect(value("latency_seconds_count", of)).toBe(2);
    expect(value("latency_seconds_bucket", `${of},le="0.025"`)).toBe(0);
    expect(value("latency_seconds_bucket", `${of},le="15"`)).toBe(2);
    expect(value("latency_seconds_bucket", `${of},le="+Inf"`)).toBe(2);
    expect(value("latency_seconds_sum", of)).toBeGreaterThanOrEqual(0.06);
    expect(value("depth", of)).toBe(1);
    expect(value("breaker_state", of)).toBe(0);
    expect(text).toContain("# TYPE signalbox_forward_latency_seconds histogram");
  });
});

test("a delivery that is sent again is due in the moment when that is written, though its time is kept in milliseconds", async () => {
  const { workspaceId, source, id } = await withDestination();
  await receiveAndApply(source);
  const { data } = await readDeliveries(workspaceId, { destination: id }, { limit: 1 });
  await pool().query("ALTER TABLE forward_deliveries ADD CONSTRAINT due_at_once CHECK (starts = 0 OR due_at <= now()) NOT VALID");
  for (let times = 0; times < 20; times += 1) {
    await pool().query("UPDATE forward_deliveries SET attempts = 1, due_at = now() - interval '1 second' WHERE destination_id = $1", [id]);
    expect(await restartDelivery(workspaceId, Number(data[0]?.id.slice("dlv_".length)))).toBe("waiting");
  }
});
