import type { ChannelSettings } from "#lib/alerts/channel-store";
import type { AlertMessage } from "#lib/alerts/message/message";
import type { ClaimedChannel } from "#lib/alerts/send-store";
import type { AlertChannelKind, ChangeAlertChannelBody, CreateAlertChannelBody } from "#lib/contracts/alerts/channels";
import type { Delivered } from "../sending/delivered.ts";

/** Address of a channel: the part that may be shown, and the part that is sealed. */
export type Address = Pick<ChannelSettings, "recipients" | "target"> & { secret: string | null };

/** Fields of a channel's address that a request may set. */
export type AddressField = "recipients" | "url" | "routingKey" | "secret";

/** A message on its way. `target` and `secret`: the channel's, of one moment; `giveUp` ends the attempt, and then nothing is known of it. */
export type Outgoing = { channel: ClaimedChannel; target: string; secret: string; message: AlertMessage; now: Date; giveUp: AbortSignal };

/** The body that creates a channel of each kind. */
export type CreateBodies = { [B in CreateAlertChannelBody as B["kind"]]: B };

/** A kind of channel: how its address is read, and how a message is sent over it. */
export type ChannelType<K extends AlertChannelKind> = {
  /** Fields of its address that can be set. */
  fields: readonly AddressField[];
  /** True if each alert is a request of its own. */
  oneRequestEach: boolean;
  /** True if Signalbox makes the secret, and shows it once. */
  makesSecret: boolean;
  /** The field of a secret that is used for the URL's host alone; null where the URL is the secret, or there is none. */
  boundSecret: { field: AddressField; label: string } | null;
  readAddress: (body: CreateBodies[K]) => Promise<Address>;
  /** Returns what changes; null when nothing of it does. `target` is the present one. */
  changedAddress: (target: string, change: ChangeAlertChannelBody) => Promise<Address | null>;
  /** Never throws for what the other side does: a failure is an outcome in words. */
  deliver: (outgoing: Outgoing) => Promise<Delivered>;
};
