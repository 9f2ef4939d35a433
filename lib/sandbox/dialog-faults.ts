import { z } from "zod";

// How the permission dialog misbehaves on request, so that every failure of an
// OAuth connection can be seen (platform-spec "Errors"): each fault, and in
// words what the platform will do after *Approve*.

const AT_THE_DIALOG = {
  refuse_scope: "Refuse the permissions as not allowed",
  callback_not_registered: "Pretend that the callback is not registered",
  deny_without_state: "Deny, and leave the state out",
  wrong_state: "Return another state than the one sent",
  no_code: "Return without a code",
  expired_code: "Hand out a code that has expired",
} as const;

/** These show only at the token endpoint; they are stored with the code, and some with the grant. */
const AT_THE_EXCHANGE = {
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
} as const;

export const DIALOG_FAULTS = { ...AT_THE_DIALOG, ...AT_THE_EXCHANGE };
export type DialogFault = keyof typeof DIALOG_FAULTS;
export const dialogFault = z.enum(Object.keys(DIALOG_FAULTS) as [DialogFault, ...DialogFault[]]);

export type ExchangeFault = keyof typeof AT_THE_EXCHANGE;
export const isExchangeFault = (fault: string | null): fault is ExchangeFault => fault !== null && Object.hasOwn(AT_THE_EXCHANGE, fault);
