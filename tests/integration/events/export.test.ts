import { beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { exportEvents } from "#lib/flows/events/export-events";
import { useDatabase } from "#tests/support/database";
import { fillLog } from "#tests/support/large-log";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();
let workspaceId: WorkspaceId;
let source: string;

beforeAll(async () => {
  const made = await makeWorkspace();
  ({ workspaceId, source } = made);
  await fillLog({ ...made, events: 1000 });
});

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

describe("an export", () => {
  it("holds each event once, newest first, with a body whose signature still verifies", async () => {
    const webhook = signed(envelope({ id: "evt_umlaut", data: { documentId: "doc_ü", note: '="1+1"\n' } }));
    expect((await receiver.send(source, webhook)).status).toBe(200);
    const lines = (await textOf(exportEvents(workspaceId, {}, "ndjson", new Date()))).trimEnd().split("\n");
    const events = lines.map(
      (line) => JSON.parse(line) as { id: string; raw: string; receivedAt: string; headers: Record<string, string> },
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(1001);
    expect(events).toHaveLength(1001);
    expect(events.map(({ receivedAt }) => receivedAt)).toEqual(
      events
        .map(({ receivedAt }) => receivedAt)
        .sort()
        .reverse(),
    );
    const own = events.find(({ id }) => id === "evt_umlaut");
    expect(own?.raw).toBe(webhook.body);
    expect(sign(own?.raw ?? "")).toBe(own?.headers["x-webhook-signature"]);
  });

  it("keeps to a filter and to a period", async () => {
    const { rows } = await pool().query<{ from: Date; to: Date }>(
      "SELECT (array_agg(received_at ORDER BY seq))[200] AS from, (array_agg(received_at ORDER BY seq))[300] AS to FROM events WHERE workspace_id = $1",
      [workspaceId],
    );
    const period = { from: rows[0]?.from.toISOString(), to: rows[0]?.to.toISOString() };
    expect((await textOf(exportEvents(workspaceId, period, "ndjson", new Date()))).trimEnd().split("\n")).toHaveLength(100);
    const some = await textOf(exportEvents(workspaceId, { ...period, type: ["task.created"] }, "ndjson", new Date()));
    expect(some.trimEnd().split("\n")).toHaveLength(20);
    expect(await textOf(exportEvents(workspaceId, { resource: "doc_of_nobody" }, "ndjson", new Date()))).toBe("");
  });

  it("writes CSV that a spreadsheet reads as text, never as a formula", async () => {
    await receiver.send(source, signed(envelope({ id: "=HYPERLINK(1)", type: 'odd,"type"' })));
    const text = await textOf(exportEvents(workspaceId, { period: "1h", type: ['odd,"type"'] }, "csv", new Date()));
    const [head, line, ...rest] = text.split("\r\n");
    expect(head).toBe(
      "id,type,source,state,created,received_at,resources,repeats,conflicts,bytes,body,last_failure,repaired,reported_message",
    );
    expect(line).toMatch(/^'=HYPERLINK\(1\),"odd,""type""",/);
    expect(rest).toEqual([""]);
  });
});
