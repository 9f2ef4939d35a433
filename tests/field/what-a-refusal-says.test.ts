import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { NotKept } from "#components/quarantine/not-kept";
import { parse } from "#lib/api/read-request";
import { env } from "#lib/config/env";
import { filterShape } from "#lib/contracts/api/parameters";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { ISSUE_FILTERS } from "#lib/contracts/issue-filters";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { readOverview } from "#lib/flows/overview/read-overview";
import { diagnoseRound, diagnosisWords, readDiagnoses } from "#lib/flows/quarantine/diagnoses";
import { listMissingEvents } from "#lib/missing-events/missing-event-store";
import { shapeNotes } from "#lib/platform/event-catalogue";
import { readEnvelope } from "#lib/platform/read-event";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

// What a refused request, event or parameter is told, seen on a running installation.

useDatabase();
const receiver = useNodeReceiver();
const { newestQuarantined } = useSenders(receiver);

const notAnEvent = (fields: string) => readEnvelope(Buffer.from(`{"type":"a","created":1,"data":{},${fields}}`), {});

it.each([
  ["id must be text, not a number", '"id":12345678901234567890'],
  ["id must be text, not a number", '"id":1.10'],
  ["data must be an object, not a number", '"id":"evt_1","data":1e400'],
  ["id must have at most 400 characters", `"id":"${"x".repeat(401)}"`],
  ["id must not be empty", '"id":""'],
  ["created must be a whole number", '"id":"evt_1","created":1.5'],
  ["id is missing", '"more":1'],
])("an event is refused in words: %s", (detail, fields) => {
  expect(notAnEvent(fields)).toEqual({ outcome: "invalid_envelope", detail });
});

it("a payload that differs from the documentation is noted in words", () => {
  expect(shapeNotes("document.processed", { organizationId: "acme", status: true, metadata: [] })).toEqual([
    "data.documentId is missing",
    "data.organizationId must start with org_",
    "data.status must be text, not true",
    "data.metadata must be an object, not a list",
  ]);
});

it.each([
  ["yes or no", EVENT_FILTERS, { everFailed: "maybe" }, "everFailed: must be true or false"],
  ["one value of a list", EVENT_FILTERS, { state: "done" }, /^state: must be one of pending, /],
  ["the second of a list", EVENT_FILTERS, { state: ["failed", "done"] }, /^state\.1: must be one of pending, /],
  ["one choice", ISSUE_FILTERS, { origin: "mars" }, /^origin: must be one of \w+, /],
])("a parameter that is refused says what it takes: %s", (_, filters, query, words) => {
  expect(() => parse(filterShapeOf(filters), query)).toThrow(words);
});

const filterShapeOf = (filters: Parameters<typeof filterShape>[0]) => z.object(filterShape(filters));

it.each([
  ["too large once decoded", () => gzipSync(envelope({ data: { text: "x".repeat(env().WEBHOOK_MAX_BYTES) } })), /WEBHOOK_MAX_BYTES/],
  ["not in the coding that its header names", () => Buffer.from([1, 2, 255]), /can't be decoded/],
])("a signed body that is %s is diagnosed as that, not as no JSON", async (_, make, verdict) => {
  const { source, workspaceId } = await makeWorkspace();
  const body = make();
  await receiver.send(source, { body, headers: { "x-webhook-signature": sign(body), "content-encoding": "gzip" } });
  const kept = await newestQuarantined(workspaceId);
  expect(kept).toMatchObject({ reason: "malformed_json", verdict: expect.stringMatching(verdict), parseError: null });
  expect(kept?.diagnosis?.evidence).toEqual([{ label: "Not an event", value: kept?.detail }]);
  expect(kept?.fix).toMatch(/Raise WEBHOOK_MAX_BYTES|header content-encoding/);
  expect(diagnosisWords("malformed_json", kept?.diagnosis?.about ?? null)).toMatch(/decoded$/);
});

it("limits are named where requests were not kept for them, not where they can't be decoded, and nowhere beside accepted ones", async () => {
  const { source, sourceId, workspaceId } = await makeWorkspace();
  const own = createReceiver();
  receiver.renew(own);
  for (const id of ["a", "b"]) await receiver.send(source, signed(envelope({ id }), "another"));
  await receiver.send(source, { body: envelope(), headers: { "content-encoding": "gzip" } });
  for (let n = 0; n < 4; n += 1) await receiver.send(source, signed(`{"n":${n}}`));
  await own.rejections.flush();
  await diagnoseRound({ spendMs: 5000 })();
  const said = async () => {
    const { data } = await readDiagnoses(workspaceId, {});
    return Object.fromEntries(data.map((group) => [group.code, renderToStaticMarkup(createElement(NotKept, { group }))]));
  };
  const before = await said();
  expect(before.no_match).toContain("were rejected in this time, 2 kept. What is answered 413, 415 or 429 is not kept.");
  expect(before.invalid_envelope).toBe("");
  await pool().query("UPDATE rejection_minutes SET rejected = rejected + 300, kept = kept + 200 WHERE source_id = $1", [sourceId]);
  expect((await said()).no_match).toMatch(/, 202 kept\. .* is not kept, and of the others at most 200 a minute per IP address/);
});

it("signed bodies that are no events are likely a sender's, and are not said to look like events", async () => {
  const { source, workspaceId } = await makeWorkspace();
  for (const body of ["", "1", '"hello"']) await receiver.send(source, signed(body));
  const { conditions } = await readOverview(workspaceId, new Date());
  expect(conditions.map(({ sentence }) => sentence)).toContain(
    `${source}: 3 quarantined requests are likely from a real sender, by signature or body.`,
  );
});

it("every page of the settings that a text names is there", () => {
  const pages = [...readFileSync("app/(dashboard)/settings/layout.tsx", "utf8").matchAll(/page\("[^"]*", "([^"]+)"/g)].map(
    ([, label]) => label,
  );
  const files = globSync(["lib/**/*.ts", "components/**/*.tsx", "docs/**/*.md", "README.md"]).filter(
    (file) => !/sentences|generated/.test(file),
  );
  const named = files.flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines
      .filter((line) => !/secretHint|hint:/.test(line))
      .flatMap((line) => [...line.matchAll(/\bSettings (?:>|→) (.*)/g)].map(([, name]) => name ?? ""));
  });
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !pages.some((page) => name.startsWith(page ?? "")))).toEqual([]);
});

it("a missing event that is suspected still is one since its first evidence, also when more comes", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const [now, began] = [Date.now(), Math.floor(Date.now() / 1000) - 3600];
  const processed = (eventId: string, created: number) => ({ eventId, type: "document.processed", created, data: { documentId: "doc_1" } });
  const look = async (event: ReturnType<typeof processed>) => {
    await append(workspaceId, sourceId, [event]);
    await drainInbox();
    for (const after of [0, 40_000]) await detectMissingEvents(new Date(now + after));
    return (await listMissingEvents(workspaceId, {}, { limit: 10 })).data;
  };
  const since = new Date(began * 1000).toISOString();
  expect(await look(processed("evt_1", began))).toMatchObject([{ since, evidence: ["evt_1"] }]);
  expect(await look(processed("evt_2", began + 3590))).toMatchObject([{ since, evidence: ["evt_2"] }]);
});
