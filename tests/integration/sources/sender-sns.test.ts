import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { type FetchUrl, fetchForSenders } from "#lib/flows/sources/fetch-for-senders";
import { insertFetch } from "#lib/sources/sender-fetch-store";
import { listSources } from "#lib/sources/source-store";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { countOf, useSenders } from "#tests/support/sender-source";
import { CERTIFICATE_URL, SNS_CERTIFICATE, snsMessage, subscription, TOPIC, WEAK_CERTIFICATE } from "#tests/support/sns/sns-message";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);
const topics = () => makeSender("sns", { scheme: { sns: { topics: [TOPIC] } } });

/** A worker's round, in which the sender's host answers so. @returns what was asked for */
async function fetchRound(answer: (url: string) => { status: number; text: string }): Promise<string[]> {
  const asked: string[] = [];
  const get: FetchUrl = async (url) => {
    asked.push(url);
    return answer(url);
  };
  await pool().query("UPDATE sender_fetches SET due_at = now() - interval '1 second'");
  await fetchForSenders(new AbortController().signal, get);
  return asked;
}
/** Seconds until it is tried again. */
async function pauseOf(workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await pool().query<{ pause: number }>(
    "SELECT round(extract(epoch FROM due_at - now()) / 10)::int * 10 AS pause FROM sender_fetches WHERE workspace_id = $1",
    [workspaceId],
  );
  return rows[0]?.pause ?? 0;
}
const CERTIFICATE = () => ({ status: 200, text: SNS_CERTIFICATE });

it("a message whose certificate is not here is answered 503 and kept by nobody; once a worker has fetched it, it is stored", async () => {
  const { workspaceId, post, sourceId, name } = await topics();
  const body = JSON.stringify(snsMessage({ MessageId: "m1" }));
  const first = await post(body, {});
  expect([first.status, first.headers.get("retry-after"), (await first.json()).code]).toEqual([503, "5", "certificate_not_fetched"]);
  expect((await post(body, {})).status).toBe(503);
  expect(await countOf("events", workspaceId)).toBe(0);
  expect(await countOf("quarantine", workspaceId)).toBe(0);
  expect(await fetchRound(CERTIFICATE)).toEqual([CERTIFICATE_URL]);
  receiver.renew();
  expect(await (await post(body, {})).json()).toEqual({ received: true, id: "m1", duplicate: false });
  expect(await (await post(body, {})).json()).toMatchObject({ duplicate: true });
  expect(await countOf("sender_fetches", workspaceId)).toBe(0);
  const kept = (await listSources(workspaceId)).find(({ id }) => id === sourceId);
  expect([kept?.name, kept?.secrets.length]).toEqual([name, 1]);
});

it("none of 183 changed messages is stored, and none is answered 5xx", { tags: ["deep"] }, async () => {
  const { workspaceId, post } = await topics();
  await post(JSON.stringify(snsMessage()), {});
  await fetchRound(CERTIFICATE);
  const message = snsMessage();
  const names = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type", "Signature"];
  const statuses = new Set<number>();
  for (let n = 0; n < 183; n += 1) {
    if (n % 20 === 0) receiver.renew(); // the limits of rejected requests are another test's
    const name = names[n % names.length] ?? "";
    const text = message[name] ?? "";
    const at = n % text.length;
    const changed = { ...message, [name]: text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1) };
    statuses.add((await post(JSON.stringify(changed), {})).status);
  }
  expect([...statuses]).toEqual([401]);
  expect(await countOf("events", workspaceId)).toBe(0);
});

it("a subscription to the source's topic is confirmed by the worker, when its request has verified; nothing of it is kept", async () => {
  const { workspaceId, post } = await topics();
  const body = JSON.stringify(subscription());
  expect((await post(body, {})).status).toBe(503);
  await fetchRound(CERTIFICATE);
  receiver.renew();
  expect(await (await post(body, {})).json()).toEqual({ received: true });
  const { rows } = await pool().query<{ sealed: string }>("SELECT url_sealed AS sealed FROM sender_fetches WHERE workspace_id = $1", [
    workspaceId,
  ]);
  expect(rows.map(({ sealed }) => sealed.includes("2336412f37"))).toEqual([false]);
  expect(await fetchRound(() => ({ status: 200, text: "<ConfirmSubscriptionResponse/>" }))).toEqual([subscription().SubscribeURL]);
  expect(await fetchRound(CERTIFICATE)).toEqual([]);
  expect(await countOf("events", workspaceId)).toBe(0);
  expect(await countOf("quarantine", workspaceId)).toBe(0);
});

it("a confirmation is tried for two days, with growing pauses", async () => {
  const { workspaceId, sourceId } = await topics();
  await insertFetch(pool(), { workspaceId, sourceId, kind: "confirmation", url: String(subscription().SubscribeURL) });
  const pauses: number[] = [];
  while (pauses.length < 30 && (await fetchRound(() => ({ status: 500, text: "" }))).length === 1) pauses.push(await pauseOf(workspaceId));
  expect(pauses.pop()).toBe(0); // given up
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600;
  expect([hours > 47, hours < 71]).toEqual([true, true]);
});

it("many who ask at once wait no more than may wait", async () => {
  const { workspaceId, sourceId } = await topics();
  const asked = Array.from({ length: 30 }, (_, n) =>
    insertFetch(pool(), { workspaceId, sourceId, kind: "certificate", url: `https://sns.example/${n}.pem` }),
  );
  expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(5);
  expect(await countOf("sender_fetches", workspaceId)).toBe(5);
  await pool().query("DELETE FROM sender_fetches WHERE workspace_id = $1", [workspaceId]);
});

it("a subscription is answered 503 while too many others wait, and 200 once it waits itself", async () => {
  const { workspaceId, sourceId, post } = await topics();
  const body = JSON.stringify(subscription());
  await post(body, {});
  await fetchRound(CERTIFICATE);
  receiver.renew();
  for (let n = 0; n < 100; n += 1)
    expect(await insertFetch(pool(), { workspaceId, sourceId, kind: "confirmation", url: `https://sns.example/${n}` })).toBe(true);
  const answer = await post(body, {});
  expect([answer.status, (await answer.json()).code]).toEqual([503, "overloaded"]);
  await pool().query("DELETE FROM sender_fetches WHERE id = (SELECT min(id) FROM sender_fetches WHERE workspace_id = $1)", [workspaceId]);
  expect((await post(body, {})).status).toBe(200);
  expect((await post(body, {})).status).toBe(200);
  expect(await countOf("sender_fetches", workspaceId)).toBe(100);
  await pool().query("DELETE FROM sender_fetches WHERE workspace_id = $1", [workspaceId]);
});

it("a stranger has nothing fetched: neither a made-up subscription nor another topic's certificate, and few of made-up ones", async () => {
  const { workspaceId, post } = await topics();
  await post(JSON.stringify(snsMessage({ TopicArn: "arn:aws:sns:eu-west-1:999999999999:theirs" })), {});
  await post(
    JSON.stringify(snsMessage({ SigningCertURL: "https://evil.example/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem" })),
    {},
  );
  expect(await countOf("sender_fetches", workspaceId)).toBe(0);
  expect(await newestQuarantined(workspaceId)).toMatchObject({ reason: "signature_mismatch" });
  for (let n = 0; n < 9; n += 1) {
    const url = CERTIFICATE_URL.replace("f3ecfb72", `0000000${n}`);
    expect((await post(JSON.stringify(snsMessage({ SigningCertURL: url })), {})).status).toBe(503);
  }
  expect(await countOf("sender_fetches", workspaceId)).toBe(5);
  await fetchRound(CERTIFICATE);
  receiver.renew();
  const forged = { ...subscription({ SigningCertURL: CERTIFICATE_URL.replace("f3ecfb72", "00000001") }), Token: "another" };
  expect((await post(JSON.stringify(forged), {})).status).toBe(401);
  expect(await countOf("sender_fetches", workspaceId)).toBe(0);
});

it("what is no certificate is never kept, and is given up after the last pause of five minutes", async () => {
  const { workspaceId, post, sourceId } = await topics();
  await post(JSON.stringify(snsMessage()), {});
  const answers = [
    { status: 404, text: "" },
    { status: 200, text: "<html>" },
    { status: 200, text: WEAK_CERTIFICATE },
    { status: 301, text: SNS_CERTIFICATE },
  ];
  for (const answer of [...answers, { status: 500, text: "" }]) expect(await fetchRound(() => answer)).toHaveLength(1);
  expect(await pauseOf(workspaceId)).toBe(300);
  expect(await fetchRound(() => ({ status: 500, text: "" }))).toHaveLength(1);
  expect(await countOf("sender_fetches", workspaceId)).toBe(0);
  expect((await listSources(workspaceId)).find(({ id }) => id === sourceId)?.secrets).toEqual([]);
});

it("the worker's own fetch goes through the checked connect: a private address is never asked", async () => {
  const { workspaceId, sourceId } = await topics();
  await insertFetch(pool(), {
    workspaceId,
    sourceId,
    kind: "confirmation",
    url: `https://127.0.0.1:${receiver.port()}/?Action=ConfirmSubscription`,
  });
  await fetchForSenders(new AbortController().signal);
  const { rows } = await pool().query("SELECT tries FROM sender_fetches WHERE workspace_id = $1", [workspaceId]);
  expect(rows).toEqual([{ tries: 1 }]);
});

it("messages without a signature, or of another topic, say which setting of Amazon's or of the source's is missing", async () => {
  const { workspaceId, post } = await topics();
  await post("Hello", { "x-amz-sns-rawdelivery": "true" });
  expect(await newestQuarantined(workspaceId)).toMatchObject({
    diagnosis: { verdict: expect.stringContaining("Raw message delivery is on") },
  });
  await post(JSON.stringify(snsMessage({ TopicArn: "arn:aws:sns:eu-west-1:999999999999:theirs" })), {});
  expect(await newestQuarantined(workspaceId)).toMatchObject({ diagnosis: { verdict: expect.stringContaining(":theirs") } });
});
