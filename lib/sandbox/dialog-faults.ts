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
};

/** The faults that show only at the token endpoint; they are stored with the code. */
export type ExchangeFault = Extract<DialogFault, "wrong_client" | "platform_down">;
export const isExchangeFault = (fault: string | null): fault is ExchangeFault => fault === "wrong_client" || fault === "platform_down";
