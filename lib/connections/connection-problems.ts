import type { ConnectionProblem, ConnectionProblemCode } from "#lib/contracts/connections";
import { BASIC_CHALLENGE } from "#lib/platform/oauth";

type Words = Pick<ConnectionProblem, "what" | "why" | "fix">;

/** `why` begins with the words of docs/platform.md, "Causes of failure in the OAuth flow", where that table knows the cause. */
export const PROBLEMS: Record<ConnectionProblemCode, Words> = {
  callback_not_registered: {
    what: "The platform couldn't redirect you back to Signalbox.",
    why: "Callback URL is not registered in the OAuth app.",
    fix: "Register the callback URL in the platform's OAuth app, exactly as the set-up page shows it, then connect again.",
  },
  client_rejected: {
    what: "The platform rejected the code exchange.",
    why: "Client ID or client secret is incorrect.",
    fix: "Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET against the OAuth app, and PLATFORM_TOKEN_AUTH: some platforms take both by HTTP Basic only. Restart Signalbox, then connect again.",
  },
  access_denied: {
    what: "Access was denied.",
    why: "User denied permissions or cancelled.",
    fix: "Connect again and approve the permissions, or ask someone who can.",
  },
  code_missing: {
    what: "The platform redirected you back without a code.",
    why: "User denied permissions or cancelled.",
    fix: "Connect again and approve the permissions.",
  },
  scope_rejected: {
    what: "The platform rejected the requested permissions.",
    why: "Requested permissions are not allowed.",
    fix: "Allow these permissions in the platform's OAuth app, or remove them from PLATFORM_SCOPES, then connect again.",
  },
  token_expired: {
    what: "The platform no longer accepts this access token.",
    why: "Access token has expired (refresh it).",
    fix: "Reconnect: there is no refresh token, or the platform no longer accepts it.",
  },
  state_mismatch: {
    what: "This response doesn't belong to a connection started in Signalbox.",
    why: "The link was old or modified, or another site tried to connect its own account to this workspace.",
    fix: "Nothing was connected. Click Connect again in this window.",
  },
  state_expired: {
    what: "The authorization expired.",
    why: "More than ten minutes passed between Connect and the platform's response.",
    fix: "Connect again and approve within ten minutes.",
  },
  state_used: {
    what: "This response from the platform was already used.",
    why: "The page was loaded twice, or the link was opened again. Each link works once.",
    fix: "If the connection shows as connected, there is nothing to do. Otherwise connect again.",
  },
  wrong_browser: {
    what: "The response arrived in a different browser or session than the one that started.",
    why: "You signed in or out in between, or someone sent you their link.",
    fix: "Connect again and stay in the same browser until you are back in Signalbox.",
  },
  code_rejected: {
    what: "The platform did not accept the code.",
    why: "The code was already used, has expired, or belongs to another callback URL.",
    fix: "Connect again.",
  },
  issuer_mismatch: {
    what: "The response came from an unexpected issuer.",
    why: "PLATFORM_ISSUER names a different one, or this is a mix-up attack.",
    fix: "Nothing was exchanged. Check PLATFORM_ISSUER, then connect again.",
  },
  platform_error: {
    what: "The platform returned an error.",
    why: "It has a temporary problem, or it uses an undocumented error code.",
    fix: "Try again in a few minutes. If it persists, send the code below to the platform's support.",
  },
  answer_malformed: {
    what: "The platform's response could not be read.",
    why: "It was not the expected JSON with an access token, or the URL is not the platform's.",
    fix: "Check PLATFORM_TOKEN_URL or PLATFORM_TOKEN_ENDPOINT, and PLATFORM_TOKEN_BODY, then connect again.",
  },
  platform_unreachable: {
    what: "The platform did not respond.",
    why: "It is down, the network blocks the request, or the URL for tokens (PLATFORM_TOKEN_URL, PLATFORM_TOKEN_ENDPOINT) is wrong.",
    fix: "Try again in a few minutes. If it persists, check the URL and the network.",
  },
  vault_key_lost: {
    what: "The stored tokens can't be decrypted.",
    why: "The key that encrypted them is no longer in VAULT_KEYS, or the database is from another installation.",
    fix: "Put the old key back into VAULT_KEYS after the active one and restart, or reconnect.",
  },
  integration_error: {
    what: "The platform reports an error for this integration.",
    why: "It sent the event integration.error; the platform's error is below.",
    fix: "Click Test to check whether access still works. If it does, the problem is on the platform.",
  },
  revoked_at_platform: {
    what: "The platform says that this access was revoked.",
    why: "It sent the event integration.disconnected. The next renewal shows whether this access is affected.",
    fix: "Nothing to do while Signalbox checks. If access has ended, reconnect.",
  },
  grant_not_stored: {
    what: "Access was granted, but the tokens could not be stored yet.",
    why: "The database did not respond in time.",
    fix: "The tokens are kept encrypted on the server and stored when the database responds; otherwise they are revoked. Check again in a minute.",
  },
  overtaken: {
    what: "Access was granted too late to be stored.",
    why: "Meanwhile the connection was disconnected, removed, or connected by another response.",
    fix: "These tokens were not stored, and the platform was asked to revoke them where that is safe and possible. Connect again if you want this access.",
  },
  not_allowed: {
    what: "Your role can't connect accounts.",
    why: "Only owners, admins and developers of this workspace may connect accounts.",
    fix: "Nothing was connected. Ask an owner or admin for another role, or to connect the account.",
  },
  not_completed: {
    what: "Signalbox couldn't complete the connection.",
    why: "The database did not respond, or there was an internal error. The log of the web process has the cause.",
    fix: "Connect again in a minute.",
  },
};

/** By the code that oauth-answer.ts gives them. */
const ANSWER_FAULTS: Record<string, Pick<Words, "what" | "why">> = {
  unknown_token_type: {
    what: "The platform issued a token of an unsupported type.",
    why: "Its token_type is not Bearer (RFC 6749 section 7.1).",
  },
  unusable_access_token: {
    what: "The platform issued an unusable access token.",
    why: "It contains a space, a line break or another character that tokens can't contain (RFC 6749 appendix A.12), or is too long.",
  },
  unusable_refresh_token: {
    what: "The platform issued an unusable refresh token.",
    why: "It contains a line break or another character that tokens can't contain (RFC 6749 appendix A.17), or is too long.",
  },
};

/** More exact words, by our code and then the platform's. */
const BY_PLATFORM_CODE: Partial<Record<ConnectionProblemCode, Record<string, Partial<Words>>>> = {
  answer_malformed: ANSWER_FAULTS,
  client_rejected: {
    [BASIC_CHALLENGE]: {
      why: "Client ID or client secret is incorrect. Or the platform takes them by HTTP Basic only, which its answer names: Signalbox sent them in the body.",
      fix: "Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET against the OAuth app. If both are right, set PLATFORM_TOKEN_AUTH=basic. Restart Signalbox, then connect again.",
    },
  },
  platform_unreachable: {
    metadata_unreadable: {
      what: "The platform's addresses could not be read.",
      why: "Its metadata (RFC 8414) could not be read from PLATFORM_ISSUER. The log and the doctor have the cause.",
      fix: "Try again in a minute. If it persists, set PLATFORM_AUTHORIZE_URL and PLATFORM_TOKEN_ENDPOINT.",
    },
  },
  token_expired: {
    // RFC 6749 section 5.2, in response to a refresh token.
    invalid_grant: {
      what: "Access was revoked, or the refresh token is no longer valid.",
      why: "Access token has expired (refresh it). Signalbox tried, and the platform rejected the refresh token.",
    },
  },
};

function exactWords(code: ConnectionProblemCode, raw: string | null): Partial<Words> {
  const words = BY_PLATFORM_CODE[code] ?? {};
  const known = raw?.split("; ").find((part) => Object.hasOwn(words, part));
  return (known && words[known]) || {};
}

export const problemOf = (code: ConnectionProblemCode, raw: string | null, at: Date | null): ConnectionProblem => ({
  code,
  ...PROBLEMS[code],
  ...exactWords(code, raw),
  raw,
  at: at?.toISOString() ?? null,
});

/** `left`: not asked, as it could end access in use. `unconfirmed`: for that reason not asked again. */
export type RevocationOutcome = "revoked" | "not_offered" | "failed" | "left" | "unconfirmed" | "not_possible";

export const REVOCATION_REASONS: Record<Exclude<RevocationOutcome, "revoked">, string> = {
  not_offered: "no revocation URL is configured (PLATFORM_REVOKE_URL)",
  failed: "the platform did not confirm",
  unconfirmed: "the platform did not confirm, and asking again could end the access that is in use (PLATFORM_REVOKES)",
  not_possible: "the tokens could not be decrypted",
  left: "revoking it could end the access that is in use (PLATFORM_REVOKES)",
};
