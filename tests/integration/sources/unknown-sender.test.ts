import { expect, it } from "vitest";
import { changeSourceBody, createSourceBody } from "#lib/contracts/sources/sources";
import { listEvents } from "#lib/events/event-store";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { learnScheme } from "#lib/flows/sources/learn-scheme";
import { changeSource } from "#lib/flows/sources/manage-sources";
import { schemeOf } from "#lib/platform/schemes/templates";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { SENDERS } from "#tests/support/senders";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);
const BODY = JSON.stringify({ id: "evt_1", type: "invoice.paid", created: 1_790_000_000, data: {} });

const stripes = (secret: string) => schemeOf("stripe", {}).sign({ body: Buffer.from(BODY), secret, url: "", id: "", now: new Date() });

it("a source of an unknown sender keeps what comes, names the sender by its secret, and releases it when that is set", async () => {
  const { workspaceId, owner, sourceId, name, post } = await makeSender("unknown");
  const { secret } = SENDERS.stripe;
  expect(await learnScheme(workspaceId, sourceId, secret)).toMatchObject({
    tried: 0,
    fits: [],
    hint: { verdict: "No request has arrived yet." },
  });
  expect((await post(BODY, stripes(secret))).status).toBe(401);
  const kept = await newestQuarantined(workspaceId);
  expect(kept?.diagnosis?.verdict).toBe("It isn't known yet how this source's sender signs.");
  expect(await learnScheme(workspaceId, sourceId, "whsec_another-secret")).toMatchObject({
    fits: [],
    hint: { verdict: expect.stringContaining("It looks like a request from Stripe") },
  });
  const { tried, fits } = await learnScheme(workspaceId, sourceId, secret);
  expect([tried, fits]).toEqual([1, [{ template: "stripe", title: "Stripe", scheme: {}, requests: 1 }]]);
  const changed = await changeSource(contextOf(owner, { audit: noAudit }), sourceId, { template: "stripe", secret });
  expect(changed).toMatchObject({ template: "stripe", sender: "Stripe", scheme: {} });
  receiver.renew();
  expect(await releaseQuarantined(workspaceId, kept?.id ?? "", "Ada", new Date())).toMatchObject({ released: true });
  expect((await post(BODY, stripes(secret))).status).toBe(200);
  expect((await listEvents(workspaceId, {}, { now: new Date(), limit: 5 })).data).toMatchObject([
    { id: "evt_1", type: "invoice.paid", source: name },
  ]);
  await expect(learnScheme(workspaceId, sourceId, secret)).rejects.toMatchObject({ status: 409 });
  await expect(changeSource(contextOf(owner, { audit: noAudit }), sourceId, { template: "github", secret })).rejects.toMatchObject({
    status: 409,
  });
});

it("after ten minutes nothing is kept until somebody opens it again", async () => {
  const { workspaceId, owner, sourceId, post } = await makeSender("unknown");
  const late = { now: () => Date.now() + 601_000, elapsed: () => performance.now() };
  receiver.renew(createReceiver({ clock: late }));
  expect((await post(BODY, {})).status).toBe(503);
  expect(await newestQuarantined(workspaceId)).toBeUndefined();
  await changeSource(contextOf(owner, { audit: noAudit, now: new Date(late.now()) }), sourceId, { learning: true });
  receiver.renew(createReceiver({ clock: late }));
  expect((await post(BODY, {})).status).toBe(401);
  expect(await newestQuarantined(workspaceId)).toBeDefined();
});

it("a sender is set with its secret and once, and nobody says themselves until when requests are kept", async () => {
  const { owner, sourceId } = await makeSender("unknown");
  const change = (body: unknown) => changeSource(contextOf(owner, { audit: noAudit }), sourceId, changeSourceBody.parse(body));
  await expect(change({ template: "stripe" })).rejects.toMatchObject({ status: 400, message: expect.stringContaining("Paste the secret") });
  await expect(change({ secret: "whsec_whatever" })).rejects.toMatchObject({ status: 400 });
  await expect(change({ template: "hmac", secret: "whatever-it-is" })).rejects.toMatchObject({ status: 400 });
  const until = { unknown: { until: "2099-01-01T00:00:00.000Z" } };
  expect(changeSourceBody.safeParse({ scheme: until }).success).toBe(false);
  expect(createSourceBody.safeParse({ name: "a", template: "unknown", scheme: until }).success).toBe(false);
});
