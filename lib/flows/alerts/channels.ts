import type { ChannelSettings } from "#lib/alerts/alert-settings-store";
import type { AlertMessage } from "#lib/alerts/message";
import { discordMessage, pagerDutyEvent, slackMessage, teamsMessage, webhookBody } from "#lib/alerts/message-formats";
import type { ClaimedChannel } from "#lib/alerts/notification-store";
import type { AlertChannelKind, ChangeAlertChannelBody, CreateAlertChannelBody } from "#lib/contracts/alerts";
import { invalidField } from "#lib/contracts/api/app-error";
import { messageId, newSigningSecret, signedHeaders } from "#lib/forwarding/attempt/outgoing-request";
import { checkTarget } from "#lib/forwarding/check-target";
import { type Delivered, postJson, sendMail } from "./transports.ts";

/** `secret` is stored sealed; the rest may be shown. */
export type Address = Pick<ChannelSettings, "recipients" | "target"> & { secret: string | null };

export type AddressField = "recipients" | "url" | "routingKey" | "secret";

/** `target` and `secret` are read in one moment. `giveUp` ends the attempt: whether it arrived is then unknown. */
type Outgoing = { channel: ClaimedChannel; target: string; secret: string; message: AlertMessage; now: Date; giveUp: AbortSignal };

type CreateBodies = { [B in CreateAlertChannelBody as B["kind"]]: B };

type ChannelType<K extends AlertChannelKind> = {
  fields: readonly AddressField[];
  /** True if each alert is a request of its own. */
  oneRequestEach: boolean;
  /** True if Signalbox makes the secret, and shows it once. */
  makesSecret: boolean;
  /** The secret that is valid for the URL's host only; null where the URL is the secret, or there is none. */
  boundSecret: { field: AddressField; label: string } | null;
  readAddress: (body: CreateBodies[K]) => Promise<Address>;
  /** Returns null when the change leaves the address as it is. `target` is the present one. */
  changedAddress: (target: string, change: ChangeAlertChannelBody) => Promise<Address | null>;
  /** Never throws for what the other side does. */
  deliver: (outgoing: Outgoing) => Promise<Delivered>;
};

/** Checks a URL like a destination's: a name that can't be resolved yet is allowed. @throws AppError `invalid_request` */
async function checkedUrl(url: string): Promise<string> {
  const checked = await checkTarget(url);
  if (!checked.ok && checked.code === "refused") throw invalidField("url", checked.reason);
  return checked.ok ? checked.target.href : url.trim();
}

/** Makes a chat's channel. The URL is the credential, so it is sealed and only its host is shown. */
const chatChannel = <K extends "slack" | "teams" | "discord">(compose: (message: AlertMessage) => object): ChannelType<K> => ({
  fields: ["url"],
  oneRequestEach: false,
  makesSecret: false,
  boundSecret: null,
  readAddress: ({ url }) => sealedUrl(url),
  changedAddress: async (_target, { url }) => (url === undefined ? null : sealedUrl(url)),
  deliver: ({ secret, message, now, giveUp }) => postJson(secret, Buffer.from(JSON.stringify(compose(message))), now, giveUp, secret),
});

async function sealedUrl(url: string): Promise<Address> {
  const href = await checkedUrl(url);
  return { recipients: [], target: new URL(href).host, secret: href };
}

const SLACK = chatChannel<"slack">(slackMessage);

/** Posts through a Teams workflow that runs when a webhook request is received. */
const TEAMS = chatChannel<"teams">(teamsMessage);

const DISCORD = chatChannel<"discord">(discordMessage);

/** Returns the same ID for all attempts to send the same alerts to the same channel. */
const messageIdOf = ({ id }: ClaimedChannel, { lines }: AlertMessage): string =>
  messageId(id, lines.flatMap(({ sendIds }) => sendIds).join(","));

const EMAIL: ChannelType<"email"> = {
  fields: ["recipients"],
  oneRequestEach: false,
  makesSecret: false,
  boundSecret: null,
  readAddress: async ({ recipients }) => toRecipients(recipients),
  changedAddress: async (_target, { recipients }) => (recipients ? toRecipients(recipients) : null),
  deliver: ({ channel, message, giveUp }) => sendMail(channel.recipients, message, messageIdOf(channel, message), giveUp),
};

const toRecipients = (recipients: string[]) => ({ recipients, target: recipients.join(", "), secret: null });

const WEBHOOK: ChannelType<"webhook"> = {
  fields: ["url", "secret"],
  oneRequestEach: false,
  makesSecret: true,
  boundSecret: { field: "secret", label: "signing secret" },
  readAddress: async ({ url }) => ({ recipients: [], target: await checkedUrl(url), secret: newSigningSecret() }),
  changedAddress: async (target, { url, secret }) =>
    url === undefined && secret === undefined
      ? null
      : { recipients: [], target: url === undefined ? target : await checkedUrl(url), secret: secret ?? null },
  deliver: ({ channel, target, secret, message, now, giveUp }) => {
    const body = Buffer.from(JSON.stringify(webhookBody(message, now)));
    return postJson(target, body, now, giveUp, secret, signedHeaders(messageIdOf(channel, message), now, body, [secret]));
  },
};

const USUAL_URL = "https://events.pagerduty.com/v2/enqueue";

/** Events API v2: each alert is an incident of its own. */
const PAGERDUTY: ChannelType<"pagerduty"> = {
  fields: ["url", "routingKey"],
  oneRequestEach: true,
  makesSecret: false,
  boundSecret: { field: "routingKey", label: "integration key" },
  readAddress: async ({ url, routingKey }) => ({ recipients: [], target: await checkedUrl(url ?? USUAL_URL), secret: routingKey }),
  changedAddress: async (target, { url, routingKey }) =>
    url === undefined && routingKey === undefined
      ? null
      : { recipients: [], target: url === undefined ? target : await checkedUrl(url), secret: routingKey ?? null },
  deliver,
};

async function deliver({ target, secret, message, now, giveUp }: Outgoing): Promise<Delivered> {
  let last: Delivered = { arrived: true, detail: "Nothing to send", retryAfterMs: null };
  for (const line of message.lines) {
    const post = (action?: "resolve") =>
      postJson(target, Buffer.from(JSON.stringify(pagerDutyEvent(secret, message, line, action))), now, giveUp, secret);
    last = await post();
    // A test leaves no incident behind.
    if (last.arrived && line.subject === "test") last = await post("resolve");
    if (!last.arrived) break;
  }
  return last;
}

/** Has every kind: the compiler asks for a new one. */
const CHANNEL_TYPES: { [K in AlertChannelKind]: ChannelType<K> } = {
  email: EMAIL,
  slack: SLACK,
  teams: TEAMS,
  discord: DISCORD,
  pagerduty: PAGERDUTY,
  webhook: WEBHOOK,
};

/** Returns null for a kind that this version does not know. */
export const channelTypeOf = (kind: string): Omit<ChannelType<AlertChannelKind>, "readAddress"> | null =>
  Object.hasOwn(CHANNEL_TYPES, kind) ? CHANNEL_TYPES[kind as AlertChannelKind] : null;

/** @throws AppError `invalid_request` when the URL may not be called */
export const readAddress = <K extends AlertChannelKind>(kind: K, body: CreateBodies[K]): Promise<Address> =>
  CHANNEL_TYPES[kind].readAddress(body);
