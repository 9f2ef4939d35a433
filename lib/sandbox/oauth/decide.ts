import { type AuthorizationRequest, callbackWith } from "./authorization-request.ts";
import * as codes from "./codes-store.ts";
import { newCredential } from "./credentials.ts";
import type { DialogFault } from "./dialog-faults.ts";
import { type ExchangeFault, isExchangeFault } from "./dialog-faults.ts";
import { type AccountId, CODE_SECONDS } from "./registered-app.ts";

export type Decision = { approved: boolean; account: AccountId; fault: DialogFault | null };

/** Returns where to send the browser, with a code (RFC 6749 section 4.1.2) or an error (4.1.2.1); null: the callback is not registered. */
export async function decide(request: AuthorizationRequest, decision: Decision, now: Date): Promise<string | null> {
  const { redirectUri, state } = request;
  if (!decision.approved) return callbackWith(redirectUri, { ...DENIED, state });
  switch (decision.fault) {
    case "callback_not_registered":
      return null;
    case "deny_without_state":
      return callbackWith(redirectUri, DENIED);
    case "refuse_scope":
      return callbackWith(redirectUri, { ...SCOPE_REJECTED, state });
    case "no_code":
      return callbackWith(redirectUri, { state });
    case "wrong_state":
      return callbackWith(redirectUri, { code: await issueCode(request, decision, now), state: newCredential("not_yours") });
    default:
      decision.fault satisfies ExchangeFault | "expired_code" | null;
      return callbackWith(redirectUri, { code: await issueCode(request, decision, now), state });
  }
}

const DENIED = { error: "access_denied", error_description: "The permissions were denied." };
const SCOPE_REJECTED = { error: "invalid_scope", error_description: "A requested permission is not allowed." };

async function issueCode(request: AuthorizationRequest, { account, fault }: Decision, now: Date): Promise<string> {
  const code = newCredential("code");
  await codes.insert(code, {
    workspaceId: request.workspace,
    clientId: request.clientId,
    redirectUri: request.redirectUri,
    scope: request.scopes.join(" "),
    account,
    challenge: request.challenge,
    fault: isExchangeFault(fault) ? fault : null,
    expiresAt: new Date(now.getTime() + (fault === "expired_code" ? -1 : CODE_SECONDS) * 1000),
  });
  return code;
}
