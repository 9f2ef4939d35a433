import { expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { sandboxDeliveryList, sandboxSent } from "#lib/contracts/sandbox";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { callRoute, listEndpoints } from "#tests/support/routes";
import { approve, exchange, refresh } from "./platform-client.ts";

useDatabase({ SANDBOX: "on" });

const post = (route: string, body: unknown, cookie: string): Promise<Response> =>
  callRoute("POST", `sandbox/api/${route}`, { origin: TEST_ENV.APP_URL, cookie }, { body });

const deliveries = (cookie: string) => callRoute("GET", "sandbox/api/deliveries", { cookie });
const newest = async (cookie: string) => sandboxDeliveryList.parse(await (await deliveries(cookie)).json()).data;

test("an event is queued with 202 and stands in the log, waiting, newest first", async () => {
  const { cookie } = await makeAccount({ role: "developer" });
  await post("events", { type: "task.created" }, cookie);
  const answer = await post("events", { type: "document.processed", data: { documentId: "doc_1" }, fault: null }, cookie);
  expect(answer.status).toBe(202);
  const sent = sandboxSent.parse(await answer.json());
  expect(sent.queued).toBe(1);
  expect((await newest(cookie))[0]).toMatchObject({ eventId: sent.eventIds[0], type: "document.processed", state: "waiting", attempts: 0 });
});

test("a scenario is queued whole, its events due one after another", async () => {
  const { cookie } = await makeAccount();
  const sent = sandboxSent.parse(await (await post("scenarios", { scenario: "document_to_done", pace: 500 }, cookie)).json());
  const told = (await newest(cookie)).slice(0, sent.queued).reverse();
  expect(told.map(({ eventId }) => eventId)).toEqual(sent.eventIds);
  const due = told.map(({ dueAt }) => Date.parse(dueAt ?? ""));
  expect(due.map((at) => at - (due[0] ?? 0))).toEqual(Array.from({ length: 11 }, (_, index) => index * 500));
});

test("a late event belongs to the scenario in which it never came, and is refused before that was told, as in another workspace", async () => {
  const { cookie } = await makeAccount();
  const early = await post("scenarios", { scenario: "upload_received_late" }, cookie);
  expect(early.status).toBe(409);
  expect(await early.json()).toMatchObject({ code: "conflict", detail: expect.stringContaining("drops it first") });
  expect((await post("scenarios", { scenario: "upload_never_received" }, cookie)).status).toBe(202);
  expect((await post("scenarios", { scenario: "upload_received_late" }, cookie)).status).toBe(202);
  const [late, missing] = await newest(cookie);
  expect([missing?.type, late?.type]).toEqual(["document.processed", "document.uploaded"]);
  const elsewhere = await makeAccount();
  expect(await newest(elsewhere.cookie)).toEqual([]);
  expect((await post("scenarios", { scenario: "upload_received_late" }, elsewhere.cookie)).status).toBe(409);
});

test("taking back the grants ends all of the workspace, and none of another", async () => {
  const { cookie, workspaceId } = await makeAccount();
  const other = await makeAccount();
  const { body } = await exchange(await approve({ workspace: workspaceId }));
  expect(await (await post("revocations", {}, other.cookie)).json()).toEqual({ revoked: 0 });
  expect(await (await post("revocations", {}, cookie)).json()).toEqual({ revoked: 1 });
  expect((await refresh(body.refresh_token)).body.error).toBe("invalid_grant");
});

test("where the sandbox is switched off every route answers 404, even to an owner", async () => {
  const { cookie } = await makeAccount();
  resetEnv({ SANDBOX: "off" });
  const answers = [
    await post("events", { type: "task.created" }, cookie),
    await post("scenarios", {}, cookie),
    await post("revocations", {}, cookie),
    await deliveries(cookie),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test("each route keeps its rule, for the inventory of routes", async () => {
  for (const { declaration } of await listEndpoints((file) => file.startsWith("sandbox/api/")))
    expect(declaration?.operation).toBe("sandbox.use");
});
