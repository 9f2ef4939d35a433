import { beforeAll, describe, expect, it } from "vitest";
import type { Filter, Filters } from "#lib/contracts/api/filters";
import { AUDIT_FILTERS } from "#lib/contracts/auth/audit-filters";
import { CONNECTION_FILTERS } from "#lib/contracts/connection-filters";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { ISSUE_FILTERS } from "#lib/contracts/issue-filters";
import { VIEW_FILTERS } from "#lib/contracts/list-filters";
import { MISSING_EVENT_FILTERS } from "#lib/contracts/missing-event-filters";
import { QUARANTINE_FILTERS, type QuarantineFilter } from "#lib/contracts/quarantine-filters";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { listMissingEvents } from "#lib/missing-events/missing-event-store";
import { listQuarantine } from "#lib/quarantine/quarantine-store";
import { useDatabase } from "#tests/support/database";
import { type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { useNodeReceiver } from "#tests/support/receivers";
import { callRoute } from "#tests/support/routes";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1" });
const receiver = useNodeReceiver();
let world: ExampleWorld;

beforeAll(async () => {
  world = await makeExampleWorld();
});

type Listed = { data: Record<string, unknown>[]; nextCursor: string | null };

async function ask(route: string, query: Record<string, string>): Promise<{ status: number; body: Listed & { detail?: string } }> {
  const answer = await callRoute("GET", `api/v1/${route}`, { cookie: world.cookie }, { query });
  return { status: answer.status, body: (await answer.json()) as Listed };
}

const LISTS: [string, Filters][] = [
  ["events", EVENT_FILTERS],
  ["issues", ISSUE_FILTERS],
  ["audit", AUDIT_FILTERS],
  ["tasks", VIEW_FILTERS],
  ["quarantine", QUARANTINE_FILTERS],
  ["missing-events", MISSING_EVENT_FILTERS],
  ["connections", CONNECTION_FILTERS],
];

/** Every value of a filter that has few, and one that nothing has of any other. */
function valuesOf({ value }: Filter): string[] {
  if (value.kind === "choice" || value.kind === "choices") return [...value.values];
  if (value.kind === "flag") return ["true", "false"];
  if (value.kind === "moment") return ["2026-11-21T10:00:00Z"];
  return [value.kind === "text" && value.check ? "192.0.2.1" : "document:nothing 100%_\\"];
}

describe("every filter that a list declares", () => {
  it.each(LISTS)("of %s is a parameter of the API and of its statement, alone and with all the others", async (route, filters) => {
    for (const [name, filter] of Object.entries(filters))
      for (const value of valuesOf(filter)) expect([name, value, (await ask(route, { [name]: value })).status]).toEqual([name, value, 200]);
    const all = Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, valuesOf(filter)[0] ?? ""]));
    expect((await ask(route, all)).status).toBe(200);
  });
});

it("quarantined requests are listed by reason and source, page by page of the same filter", async () => {
  const { workspaceId, source } = await makeWorkspace();
  for (const id of ["a", "b", "c"]) await receiver.send(source, signed(envelope({ id }), "somebody else's secret"));
  await receiver.send(source, { body: envelope({ id: "unsigned" }) });
  const list = (filter: QuarantineFilter, cursor?: string) => listQuarantine(workspaceId, filter, { limit: 2, cursor });
  expect((await list({ reason: "signature_missing" })).data.map(({ reason }) => reason)).toEqual(["signature_missing"]);
  expect((await list({ source: "another" })).data).toEqual([]);
  const first = await list({ source, reason: "signature_mismatch" });
  const rest = await list({ source, reason: "signature_mismatch" }, first.nextCursor ?? "");
  expect([first.data.length, rest.data.length, rest.nextCursor]).toEqual([2, 1, null]);
  await expect(list({ source }, first.nextCursor ?? "")).rejects.toThrow(/cursor: it belongs to another filter/);
});

it("issues are listed by the source of their newest failing event, missing events by that of what implies them", async () => {
  const { data: issues } = (await ask("issues", {})).body;
  const [{ source } = {}] = issues;
  expect((await ask("issues", { source: String(source) })).body.data).toEqual(issues.filter((issue) => issue.source === source));
  expect((await ask("issues", { source: "another" })).body.data).toEqual([]);
  const made = await makeWorkspace();
  await receiver.send(made.source, signed(envelope({ id: "evt_implies" })));
  const missing = (id: string, resource: string, evidence: string) =>
    pool().query(
      `INSERT INTO missing_events (id, workspace_id, rule, resource_kind, resource_id, state, evidence, detail, since, due_at)
       VALUES ($1, $2, 'source_silent', 'source', $3, 'open', ARRAY[$4], '', now(), now())`,
      [id, made.workspaceId, resource, evidence],
    );
  await missing("mis_implied", "src_gone", "evt_implies");
  await missing("mis_silent", made.sourceId, "evt_gone");
  const ids = async (name: string) =>
    (await listMissingEvents(made.workspaceId, { source: name }, { limit: 5 })).data.map(({ id }) => id).sort();
  expect(await ids(made.source)).toEqual(["mis_implied", "mis_silent"]);
  expect(await ids("another")).toEqual([]);
});

it("connections are listed by the state that they show, an access that has run out among those that need reconnecting", async () => {
  const { workspaceId } = world;
  const made = (id: string, state: string, accessExpiresAt: Date) =>
    prisma().connection.create({ data: { id, workspaceId, name: id, state, accessExpiresAt, expiryKnown: true } });
  await made("con_over", "connected", new Date(Date.now() - 60_000));
  await made("con_good", "connected", new Date(Date.now() + 60_000));
  const listed = async (state: string) => (await ask("connections", { state })).body.data.filter(({ id }) => id !== "con_example");
  expect(await listed("needs_reauthorization")).toMatchObject([{ id: "con_over", state: "needs_reauthorization" }]);
  expect((await listed("connected")).map(({ id }) => id)).toEqual(["con_good"]);
});
