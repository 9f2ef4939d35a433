import { z } from "zod";

// Faults of the consent page, so that every failure of an OAuth connection can be seen (docs/platform.md, "Errors").

const AT_THE_DIALOG = {
  refuse_scope: "Reject the permissions as not allowed",
  callback_not_registered: "Act as if the callback is not registered",
  deny_without_state: "Deny and leave out the state",
  wrong_state: "Return a different state",
  no_code: "Return without a code",
  expired_code: "Issue an expired code",
} as const;

/** Shown only at the token endpoint; stored with the code, and some with the grant. */
const AT_THE_EXCHANGE = {
  wrong_client: "Reject the client secret on code exchange",
  platform_down: "Return 503 on code exchange",
  slow_answer: "Take 6 seconds on code exchange",
  broken_answer: "Return truncated HTML on code exchange",
  fewer_scopes: "Grant only the first permission",
  no_refresh_token: "Issue no refresh token",
  no_lifetime: "Omit the access token's lifetime",
  short_life: "Issue access tokens that expire in 30 seconds",
  broken_renewals: "Return truncated HTML on every renewal",
  slow_renewals: "Take 6 seconds on every renewal",
} as const;

export const DIALOG_FAULTS = { ...AT_THE_DIALOG, ...AT_THE_EXCHANGE };
export type DialogFault = keyof typeof DIALOG_FAULTS;
export const dialogFault = z.enum(Object.keys(DIALOG_FAULTS) as [DialogFault, ...DialogFault[]]);

export type ExchangeFault = keyof typeof AT_THE_EXCHANGE;
export const isExchangeFault = (fault: string | null): fault is ExchangeFault => fault !== null && Object.hasOwn(AT_THE_EXCHANGE, fault);
