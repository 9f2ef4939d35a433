import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { changeDestination, rotateDestinationSecret } from "#lib/flows/forwarding/destinations";
import { testDestination } from "#lib/flows/forwarding/test-destination";
import { receiveWebhook } from "#lib/flows/ingest/receive-webhook";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { publicDeliveryId } from "#lib/forwarding/delivery";
import { makeAccount } from "#tests/support/account";
import { makeChannel } from "#tests/support/alerts/alerts";
import { captureLog } from "#tests/support/captured-log";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { asOwner, makeDestination, ownerOf, receive, receiveAndApply } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until, untilArrived, untilAtLeast, useTargets } from "#tests/support/forwarding/senders";
import type { Received } from "#tests/support/forwarding/target";
import { callApi } from "#tests/support/members";
import { makeWorkspace, sign } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target, withDestination } = useTargets();

/** A destination with four deliveries read ahead, of which the first is being sent and not answered yet. */
async function makeBusy(mode: "signed" | "pass_through") {
  const unanswered: ServerResponse[] = [];
  const { workspaceId, source, id, secret, received } = await withDestination(
    { mode, concurrency: 1 },
    (_one, _request, response) => void unanswered.push(response),
  );
  for (let n = 0; n < 4; n += 1) await receiveAndApply(source);
  const sender = await startOneSender(id);
  open.push(sender);
  const sent = (count: number) => untilArrived(received, count);
  await sent(1);
  const answerNext = () => unanswered.shift()?.end();
  return { actor: ownerOf(workspaceId), id, secret: secret ?? "", received, sender, sent, answerNext };
}

function verifies(secret: string, one: Received | undefined): boolean {
  try {
    return new Webhook(secret).verify(one?.body.toString() ?? "", one?.headers as Record<string, string>) !== null;
  } catch {
    return false;
  }
}

test("after a change from pass-through to signed, what was read before it is signed as well", async () => {
  const { actor, id, received, sender, sent, answerNext } = await makeBusy("pass_through");
  await changeDestination(contextOf(actor), id, { mode: "signed" });
  const { secret } = await rotateDestinationSecret(contextOf(actor), id, 0);
  await sender.update();
  for (let count = 2; count <= 4; count += 1) {
    answerNext();
    await sent(count);
  }
  expect(received.map((one) => verifies(secret, one))).toEqual([false, true, true, true]);
});

test("after a rotation without an overlap the next request has the new secret's signature alone", async () => {
  const { actor, id, secret: before, received, sender, sent, answerNext } = await makeBusy("signed");
  const { secret } = await rotateDestinationSecret(contextOf(actor), id, 0);
  await sender.update();
  answerNext();
  await sent(2);
  expect([verifies(before, received[0]), verifies(before, received[1]), verifies(secret, received[1])]).toEqual([true, false, true]);
});

test("for the overlap of a rotation an application with either secret verifies, then with the new one alone", async () => {
  const { actor, id, secret: before, received, sender, sent, answerNext } = await makeBusy("signed");
  const { secret } = await rotateDestinationSecret(contextOf(actor), id, 1);
  await sender.update();
  answerNext();
  await sent(2);
  await pool().query("UPDATE destination_secrets SET valid_until = now() - interval '1 second' WHERE valid_until IS NOT NULL");
  await sender.update();
  answerNext();
  await sent(3);
  const [, overlapping, after] = received;
  expect([overlapping, after].map((one) => [verifies(before, one), verifies(secret, one)])).toEqual([
    [true, true],
    [false, true],
  ]);
});

test("a rotation that the sender is not told of counts after two seconds, also for what was read before it", {
  tags: ["deep"],
}, async () => {
  const { actor, id, secret: before, received, sent, answerNext } = await makeBusy("signed");
  const { secret } = await rotateDestinationSecret(contextOf(actor), id, 0);
  await sleep(2100);
  answerNext();
  await sent(2);
  expect([verifies(before, received[1]), verifies(secret, received[1])]).toEqual([false, true]);
});

test("in signed mode nothing is sent while there is no secret, and all of it once there is one", async () => {
  const { actor, id, received, sender, sent, answerNext } = await makeBusy("pass_through");
  await changeDestination(contextOf(actor), id, { mode: "signed" });
  await pool().query("DELETE FROM destination_secrets WHERE destination_id = $1", [id]);
  await sender.update();
  answerNext();
  await sleep(300);
  expect(received).toHaveLength(1);
  const { secret } = await rotateDestinationSecret(contextOf(actor), id, 0);
  await sender.update();
  await sent(2);
  expect(verifies(secret, received[1])).toBe(true);
});

test("a URL of another host needs the secret again; until then nothing goes there, and then the entered one signs alone", async () => {
  const { actor, id, secret: before, received, sender, sent, answerNext } = await makeBusy("signed");
  const other = await target();
  await expect(changeDestination(contextOf(actor), id, { url: other.url })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: "secret", message: expect.stringContaining("signing secret again") }],
  });
  await sender.update();
  answerNext();
  await sent(2);
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  await changeDestination(contextOf(actor), id, { url: other.url, secret });
  await sender.update();
  answerNext();
  await untilAtLeast(() => other.received.length, 1);
  const [first] = other.received;
  expect([received.length, verifies(before, first), verifies(secret, first)]).toEqual([2, false, true]);
});

test("a pass-through destination that moves to another host takes no secret along for a later signed mode", async () => {
  const { workspaceId } = await makeWorkspace();
  const [first, other] = [await target(), await target()];
  const { id, secret } = await makeDestination(workspaceId, { url: first.url });
  await changeDestination(asOwner(workspaceId), id, { mode: "pass_through" });
  await changeDestination(asOwner(workspaceId), id, { url: other.url });
  await changeDestination(asOwner(workspaceId), id, { mode: "signed" });
  await testDestination(asOwner(workspaceId), id);
  expect(other.received.map((one) => verifies(secret ?? "", one))).toEqual([false]);
});

test("the test of a pass-through destination sends a stored event as it came, and signs none with the source's secret", async () => {
  const { workspaceId, source, id, received } = await withDestination({ mode: "pass_through", types: ["task.created"] });
  const run = () => testDestination(asOwner(workspaceId), id);
  await receive(source);
  await expect(run()).rejects.toMatchObject({ status: 409, message: expect.stringContaining("only the platform can sign") });
  expect(received).toHaveLength(0);
  const sent = await receive(source, { type: "task.created", data: { taskId: "task_1" } });
  expect(await run()).toMatchObject({ outcome: "delivered" });
  expect(received.map(({ body }) => body.toString())).toEqual([sent]);
  expect(received[0]?.headers["x-webhook-signature"]).toBe(sign(sent));
  // The request that the target received is a duplicate to the receiver.
  const back = { source, method: "POST", headers: received[0]?.headers ?? {}, remoteAddress: null, body: received[0]?.body ?? Buffer.of() };
  const answer = await receiveWebhook(createReceiver(), back);
  expect(JSON.parse(String(answer.body))).toMatchObject({ received: true, duplicate: true });
});

test("a token in a URL's path or query is shown to those who may change it alone, and stands in no answer of a delivery or issue and no log", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const token = "T0123456789abcdefTOKEN";
  const { url: origin } = await target((_one, request, response) =>
    response.writeHead(301, { location: `https://new.example${request.url}` }).end(`Cannot POST ${request.url}`),
  );
  const url = new URL(`/hooks/${token}?key=${token.toLowerCase()}`, origin).href;
  const { id } = await makeDestination(workspaceId, { url });
  const channel = await makeChannel(workspaceId, { kind: "webhook", url });
  const log = captureLog();
  await receiveAndApply(source);
  const sender = await startOneSender(id);
  open.push(sender);
  const { rows } = await until(
    () => pool().query<{ id: number }>("SELECT delivery_id AS id FROM forward_attempts WHERE destination_id = $1", [id]),
    ({ rowCount }) => rowCount !== 0,
  );
  const read = async (role: "viewer" | "developer") => {
    const account = await makeAccount({ workspaceId, role });
    const get = async (route: string, of = "") => (await callApi("GET", `v1/${route}`, account, { params: { id: of } })).text();
    const delivery = publicDeliveryId(rows[0]?.id ?? 0);
    return Promise.all([
      ...[get("destinations"), get("destinations/[id]", id), get("alert-channels"), get("alert-channels/[id]", channel.id)],
      ...[get("deliveries/[id]", delivery), get("issues")],
    ]);
  };
  const seen = await read("viewer");
  for (const text of seen) expect(text.toLowerCase()).not.toContain(token.toLowerCase());
  expect(seen[0]).toContain(`${new URL(origin).origin}/[hidden]`);
  const own = await read("developer");
  expect(own.map((text) => text.includes(token))).toEqual([true, true, true, true, false, false]);
  expect(log.text().toLowerCase()).not.toContain(token.toLowerCase());
});
