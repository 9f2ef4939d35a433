import type { AlertChannelKind } from "#lib/contracts/alerts/channels";
import type { Address, ChannelType, CreateBodies } from "./channel-type.ts";
import { DISCORD } from "./discord.ts";
import { EMAIL } from "./email.ts";
import { PAGERDUTY } from "./pagerduty.ts";
import { SLACK } from "./slack.ts";
import { TEAMS } from "./teams.ts";
import { WEBHOOK } from "./webhook.ts";

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
