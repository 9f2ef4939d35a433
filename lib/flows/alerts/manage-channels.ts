import { setTimeout as sleep } from "node:timers/promises";
import {
  type ChannelSettings,
  countChannels,
  insertChannel,
  lockChannel,
  markChannelDeleted,
  type StoredChannel,
  setChannelSecret,
  updateChannel,
} from "#lib/alerts/alert-settings-store";
import { durationWords } from "#lib/alerts/message";
import { claimTest, findSend, forgetRecipients, insertTest, type TestLimit } from "#lib/alerts/notification-store";
import { actorName, callerIdOf } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { filterMembers } from "#lib/auth/members/user-store";
import type {
  AlertChannel,
  AlertChannelKind,
  AlertChannelTest,
  ChangeAlertChannelBody,
  CreateAlertChannelBody,
  CreatedAlertChannel,
} from "#lib/contracts/alerts";
import { AppError, expectFound, invalidField } from "#lib/contracts/api/app-error";
import { newId } from "#lib/contracts/api/ids";
import { assertEnteredAgain } from "#lib/contracts/forwarding/target-secrets";
import { maskedUrl } from "#lib/contracts/safe-urls";
import { lockCount } from "#lib/db/locks";
import { inTransaction, pool } from "#lib/db/pool";
import { type Address, type AddressField, channelTypeOf, readAddress } from "./channels.ts";
import { getAlertChannel } from "./read-alerts.ts";
import { sendOver } from "./send-alerts.ts";

/** Every alert is sent to every channel. */
const MAX_CHANNELS = 50;

const ADDRESS_FIELDS: AddressField[] = ["recipients", "url", "routingKey", "secret"];

/** Adds a channel, which also gets open alerts not sent yet. @throws AppError `invalid_request` for its URL; `conflict` for one too many */
export async function createAlertChannel(
  { workspaceId, actor, audit }: Context,
  body: CreateAlertChannelBody,
): Promise<CreatedAlertChannel> {
  const { recipients, target, secret } = await readAddress(body.kind, body);
  const id = newId("alc");
  const settings = { name: body.name, rules: body.rules, recipients, target };
  await inTransaction(pool(), async (client) => {
    await lockCount(client, "alert_channels", workspaceId);
    if ((await countChannels(client, workspaceId)) >= MAX_CHANNELS)
      throw new AppError("conflict", `A workspace has at most ${MAX_CHANNELS} alert channels. Delete one that is no longer used.`);
    await insertChannel(client, workspaceId, { id, kind: body.kind, createdBy: actorName(actor), ...settings });
    if (secret !== null) await setChannelSecret(client, workspaceId, id, secret);
    const after = audited({ kind: body.kind, ...settings });
    await audit.record({ action: "alert_channel.created", target: targetOf({ id, name: body.name }), after }, client);
  });
  return { ...(await getAlertChannel(workspaceId, id)), secret: channelTypeOf(body.kind)?.makesSecret ? secret : null };
}

/** @throws AppError `not_found`; `invalid_request` for a field that its kind lacks, and for another host without the secret */
export async function changeAlertChannel({ workspaceId, audit }: Context, id: string, body: ChangeAlertChannelBody): Promise<AlertChannel> {
  const address = await changedChannelAddress(await getAlertChannel(workspaceId, id), body);
  await inTransaction(pool(), async (client) => {
    const stored = await expectFound(lockChannel(client, workspaceId, id), "alert channel with that ID");
    if (address) assertSecretStays(stored, address);
    const settings = { name: body.name ?? stored.name, rules: body.rules ?? stored.rules, ...shownOf(stored, address) };
    await updateChannel(client, workspaceId, id, settings, stored.target);
    if (address?.secret) await setChannelSecret(client, workspaceId, id, address.secret);
    const after = { ...audited({ kind: stored.kind, ...settings }), ...(address?.secret && { secret: "replaced" }) };
    const target = targetOf({ id, name: settings.name });
    await audit.record({ action: "alert_channel.changed", target, before: audited(stored), after }, client);
  });
  return getAlertChannel(workspaceId, id);
}

const targetOf = ({ id, name }: { id: string; name: string }) => ({ kind: "alert_channel", id, name });

function assertSecretStays({ kind, target }: StoredChannel, address: Address): void {
  const bound = channelTypeOf(kind)?.boundSecret;
  if (bound) assertEnteredAgain({ before: target, after: address.target, entered: address.secret !== null, ...bound });
}

const shownOf = (stored: StoredChannel, address: Address | null) => ({
  recipients: address?.recipients ?? stored.recipients,
  target: address?.target ?? stored.target,
});

/** Deletes a channel and cancels what waits for it; what was sent stays readable. @throws AppError `not_found` */
export const deleteAlertChannel = ({ workspaceId, audit }: Context, id: string): Promise<{ cancelled: number }> =>
  inTransaction(pool(), async (client) => {
    const stored = await expectFound(lockChannel(client, workspaceId, id), "alert channel with that ID");
    const cancelled = await markChannelDeleted(client, workspaceId, id);
    await audit.record({ action: "alert_channel.deleted", target: targetOf(stored), before: audited(stored) }, client);
    return { cancelled };
  });

async function changedChannelAddress({ kind, target }: AlertChannel, change: ChangeAlertChannelBody): Promise<Address | null> {
  const type = channelTypeOf(kind);
  const wrong = ADDRESS_FIELDS.find((field) => change[field] !== undefined && !type?.fields.includes(field));
  if (wrong) throw invalidField(wrong, "Channels of this kind don't have one.");
  return type ? type.changedAddress(target, change) : null;
}

const audited = ({ kind, name, rules, target }: Omit<ChannelSettings, "recipients"> & { kind: AlertChannelKind }) => ({
  kind,
  name,
  rules,
  target: maskedUrl(target),
});

/** A worker that is sending over the channel takes the test next. */
const WAIT_MS = 25_000;
const LOOK_MS = 200;

/** Sends a test through the queue like an alert, but tries it once. @throws AppError `not_found`; `too_many_requests` */
export async function testAlertChannel(
  { workspaceId, actor, now, audit }: Context,
  id: string,
  waitMs = WAIT_MS,
): Promise<AlertChannelTest> {
  const { name, recipients } = await getAlertChannel(workspaceId, id);
  const members = await filterMembers(workspaceId, recipients);
  const sendId = await inTransaction(pool(), async (client) => {
    const asked = { channelId: id, askedBy: callerIdOf(actor), recipients, members };
    const test = { sendId: await insertTest(client, workspaceId, id), ...asked };
    const limit = await claimTest(client, workspaceId, test, now);
    if (limit) throw tooMany(limit, now);
    return test.sendId;
  });
  const { state, detail } = await outcomeOf(id, sendId, waitMs);
  const arrived = state === "sent";
  // A test that is still pending may arrive, so it keeps counting against its addresses.
  if (state === "failed") await forgetRecipients(sendId);
  const after = state === "pending" ? { pending: true } : { arrived };
  await audit.record({ action: "alert_channel.tested", target: { kind: "alert_channel", id, name }, after });
  return { arrived, detail };
}

function tooMany({ what, most, address, until }: TestLimit, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const words = {
    person: `You sent ${most} test messages in the last 10 minutes.`,
    channel: `${most} test messages were sent over this channel in the last 10 minutes.`,
    address: `${address} received ${most} test messages in the last hour.`,
    other: `${address} received a test message in the last 24 hours. An address that belongs to no member can receive one a day.`,
    others: `This workspace sent test messages to ${most} addresses that belong to no member in the last 24 hours.`,
  }[what];
  return new AppError("too_many_requests", `${words} Try again in ${durationWords(1000 * seconds)}.`, { retryAfterSeconds: seconds });
}

async function outcomeOf(channelId: string, sendId: number, waitMs: number): Promise<{ state: string; detail: string }> {
  const end = performance.now() + waitMs;
  for (;;) {
    const send = await findSend(sendId);
    if (send && send.state !== "pending") return { state: send.state, detail: send.outcome ?? "" };
    if (performance.now() > end)
      return { state: "pending", detail: "Other messages are being sent over this channel. The test message is sent after them." };
    if (!(await sendOver(channelId))) await sleep(LOOK_MS);
  }
}
