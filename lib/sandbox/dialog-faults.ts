import { z } from "zod";

/**
 * How the permission dialog misbehaves on request, so that every failure of an
 * OAuth connection can be seen (platform-spec "Errors").
 */
export const dialogFault = z.enum([
  "refuse_scope",
  "callback_not_registered",
  "deny_without_state",
  "wrong_state",
  "no_code",
  "expired_code",
  "wrong_client",
  "platform_down",
  "slow_answer",
  "broken_answer",
  "fewer_scopes",
  "no_refresh_token",
  "no_lifetime",
  "short_life",
  "broken_renewals",
  "slow_renewals",
]);
export type DialogFault = z.infer<typeof dialogFault>;

/** Each fault in words: what the platform will do after *Approve*. */
export const DIALOG_FAULTS: Record<DialogFault, string> = {
  refuse_scope: "Refuse the permissions as not allowed",
  callback_not_registered: "Pretend that the callback is not registered",
  deny_without_state: "Deny, and leave the state out",
  wrong_state: "Return another state than the one sent",
  no_code: "Return without a code",
  expired_code: "Hand out a code that has expired",
  wrong_client: "Reject the client secret when the code is exchanged",
  platform_down: "Be out of order when the code is exchanged",
  slow_answer: "Take 8 seconds to exchange the code",
  broken_answer: "Answer the exchange with half a page of HTML",
  fewer_scopes: "Grant only the first permission",
  no_refresh_token: "Hand out no refresh token",
  no_lifetime: "Don’t say how long the access lives",
  short_life: "Let every access live 30 seconds",
  broken_renewals: "Answer every renewal with half a page of HTML",
  slow_renewals: "Take 8 seconds for every renewal",
};

/** The faults that show only at the token endpoint; they are stored with the code, and some with the grant. */
const EXCHANGE_FAULTS = [
  "wrong_client",
  "platform_down",
  "slow_answer",
  "broken_answer",
  "fewer_scopes",
  "no_refresh_token",
  "no_lifetime",
  "short_life",
  "broken_renewals",
  "slow_renewals",
] as const satisfies readonly DialogFault[];
export type ExchangeFault = (typeof EXCHANGE_FAULTS)[number];
export const isExchangeFault = (fault: string | null): fault is ExchangeFault => EXCHANGE_FAULTS.some((each) => each === fault);
