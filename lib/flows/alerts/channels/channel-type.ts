import type { ChannelSettings } from "#lib/alerts/channel-store";
import type { AlertMessage } from "#lib/alerts/message/message";
import type { ClaimedChannel } from "#lib/alerts/send-store";
import type { AlertChannelKind, ChangeAlertChannelBody, CreateAlertChannelBody } from "#lib/contracts/alerts/channels";
import type { Delivered } from "../sending/delivered.ts";

/** `secret` is stored sealed; the rest may be shown. */
export type Address = Pick<ChannelSettings, "recipients" | "target"> & { secret: string | null };

export type AddressField = "recipients" | "url" | "routingKey" | "secret";

/** `target` and `secret` are read in one moment. `giveUp` ends the attempt: whether it arrived is then unknown. */
export type Outgoing = { channel: ClaimedChannel; target: string; secret: string; message: AlertMessage; now: Date; giveUp: AbortSignal };

export type CreateBodies = { [B in CreateAlertChannelBody as B["kind"]]: B };

export type ChannelType<K extends AlertChannelKind> = {
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
