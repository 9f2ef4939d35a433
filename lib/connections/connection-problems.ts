import type { ConnectionProblem, ConnectionProblemCode } from "#lib/contracts/connections";

type Words = Pick<ConnectionProblem, "what" | "why" | "mend">;

/**
 * Every problem in words. Where platform-spec's error table knows the cause
 * ("Causes of failure in the OAuth flow"), `why` begins with it word for word.
 */
export const PROBLEMS: Record<ConnectionProblemCode, Words> = {
  callback_not_registered: {
    what: "The platform refused to send you back here.",
    why: "Callback URL is not registered in the OAuth app.",
    mend: "Register this address in the platform's OAuth app, exactly as the set-up page shows it, then connect again.",
  },
  client_rejected: {
    what: "The platform refused to exchange the code for tokens.",
    why: "Client ID or client secret is incorrect.",
    mend: "Compare PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET with the OAuth app, restart Signalbox, then connect again.",
  },
  access_denied: {
    what: "The platform gave no permission.",
    why: "User denied permissions or cancelled.",
    mend: "Connect again and approve the permissions, or ask someone who may.",
  },
  code_missing: {
    what: "The platform sent you back without a code.",
    why: "User denied permissions or cancelled.",
    mend: "Connect again and approve the permissions.",
  },
  scope_rejected: {
    what: "The platform rejected the permissions that were asked for.",
    why: "Requested permissions are not allowed.",
    mend: "Allow these permissions in the platform's OAuth app, or take them out of PLATFORM_SCOPES, then connect again.",
  },
  token_expired: {
    what: "The platform rejects calls with this access.",
    why: "Access token has expired (refresh it).",
    mend: "Reconnect: there is no refresh token, or the platform does not take it any more.",
  },
  state_mismatch: {
    what: "The answer does not belong to a connection that was started here.",
    why: "The link was old or changed, or another site tried to connect an account of its own to this workspace.",
    mend: "Nothing was connected. Start again with Connect, in this window.",
  },
  state_expired: {
    what: "The permission came too late.",
    why: "More than ten minutes went by between Connect and the platform's answer.",
    mend: "Connect again and answer the dialog within ten minutes.",
  },
  state_used: {
    what: "This answer of the platform was used before.",
    why: "The page was loaded twice, or the link was opened again. Each works once.",
    mend: "If the connection says connected, all is well. Else connect again.",
  },
  wrong_browser: {
    what: "The answer came back to another browser or session than the one that asked.",
    why: "You signed out or in meanwhile, or someone sent you their link.",
    mend: "Connect again and stay in the same browser until you are back here.",
  },
  code_rejected: {
    what: "The platform did not accept the code.",
    why: "The code was used before, is too old, or belongs to another callback URL.",
    mend: "Connect again.",
  },
  issuer_mismatch: {
    what: "The answer came from another issuer than expected.",
    why: "PLATFORM_ISSUER names another one, or two platforms were mixed up on purpose.",
    mend: "Nothing was exchanged. Check PLATFORM_ISSUER, then connect again.",
  },
  platform_error: {
    what: "The platform reported an error of its own.",
    why: "It has trouble just now, or it uses an error code that its documentation does not name.",
    mend: "Try again in a few minutes. If it stays, show the platform's support the code below.",
  },
  answer_malformed: {
    what: "The platform's answer could not be understood.",
    why: "It was not the expected JSON with an access token, or the address is not the platform's.",
    mend: "Check PLATFORM_TOKEN_URL and PLATFORM_TOKEN_BODY, then connect again.",
  },
  platform_unreachable: {
    what: "The platform did not answer.",
    why: "It is down, the network blocks the way, or PLATFORM_TOKEN_URL is wrong.",
    mend: "Try again in a few minutes. If it stays, check the address and the network.",
  },
  vault_key_lost: {
    what: "The stored tokens can't be opened.",
    why: "The key that sealed them is no longer in VAULT_KEYS, or the database comes from another installation.",
    mend: "Put the old key back into VAULT_KEYS after the active one and restart, or reconnect.",
  },
  integration_error: {
    what: "The platform reports an error of this integration.",
    why: "It sent the event integration.error; its own words are below.",
    mend: "Press Test to see whether the access still works. If it does, the platform has the trouble: look at its side.",
  },
  revoked_at_platform: {
    what: "The platform says that this access was taken back.",
    why: "It sent the event integration.disconnected. Whether it means this access, the next renewal tells.",
    mend: "Nothing to do while it is being tried. If the access has ended, reconnect.",
  },
};

/** A problem as the API shows it. */
export const problemOf = (code: ConnectionProblemCode, raw: string | null, at: Date | null): ConnectionProblem => ({
  code,
  ...PROBLEMS[code],
  raw,
  at: at?.toISOString() ?? null,
});
