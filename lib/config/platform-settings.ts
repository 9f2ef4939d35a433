/** Not secrets: the sandbox guards nothing. */
export const SANDBOX_APP = {
  clientId: "signalbox-sandbox",
  clientSecret: "sandbox-client-secret",
  scopes: ["documents:read", "tasks:read", "pipelines:read", "automations:read", "webhooks:manage"],
} as const;

export type PlatformSettings = {
  isSandbox: boolean;
  /** Full URL, may have a query. Null: the metadata of `issuer` names it. */
  authorizeUrl: string | null;
  /** Full URL, may have a query. Null: the metadata of `issuer` names it. */
  tokenEndpoint: string | null;
  /** URL that refresh tokens are sent to where it is not the token endpoint. */
  refreshUrl: string | null;
  clientId: string;
  clientSecret: string;
  /** Empty: no scope is asked for. */
  scopes: string[];
  scopeSeparator: " " | ",";
  /** Further parameters of the authorization request. */
  authorizeParams: [string, string][];
  /** Effect of revoking one token: it ends its own grant (RFC 7009), or all access of its account. */
  revokes: "grant" | "account";
};

type Name =
  | "PLATFORM_AUTH_URL"
  | "PLATFORM_TOKEN_URL"
  | "PLATFORM_AUTHORIZE_URL"
  | "PLATFORM_TOKEN_ENDPOINT"
  | "PLATFORM_REFRESH_URL"
  | "PLATFORM_ISSUER"
  | "PLATFORM_CLIENT_ID"
  | "PLATFORM_CLIENT_SECRET"
  | "PLATFORM_SCOPES"
  | "PLATFORM_AUTHORIZE_PARAMS";

type Given = { [name in Name]?: string | undefined } & {
  PLATFORM_SCOPE_SEPARATOR: "space" | "comma";
  PLATFORM_REVOKES?: "grant" | "account" | undefined;
};

/** True if an address of a platform is set. A base URL for tokens alone leaves the sandbox's authorization in use. */
export const namesPlatform = (given: Given): boolean =>
  Boolean(given.PLATFORM_AUTH_URL ?? given.PLATFORM_AUTHORIZE_URL ?? given.PLATFORM_TOKEN_ENDPOINT ?? given.PLATFORM_ISSUER);

/** Returns the variables without which no account of a platform can be connected. */
export function missingOf(given: Given): string[] {
  const { PLATFORM_ISSUER: issuer, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET } = given;
  const full = Boolean(given.PLATFORM_AUTHORIZE_URL ?? given.PLATFORM_TOKEN_ENDPOINT);
  return [
    !(given.PLATFORM_AUTHORIZE_URL ?? given.PLATFORM_AUTH_URL ?? issuer) && (full ? "PLATFORM_AUTHORIZE_URL" : "PLATFORM_AUTH_URL"),
    !(given.PLATFORM_TOKEN_ENDPOINT ?? given.PLATFORM_TOKEN_URL ?? issuer) && (full ? "PLATFORM_TOKEN_ENDPOINT" : "PLATFORM_TOKEN_URL"),
    !PLATFORM_CLIENT_ID && "PLATFORM_CLIENT_ID",
    !PLATFORM_CLIENT_SECRET && "PLATFORM_CLIENT_SECRET",
  ].filter((name) => name !== false);
}

export function platformOf(given: Given, appUrl: string): PlatformSettings {
  const isSandbox = !namesPlatform(given);
  const sandbox = isSandbox ? `${appUrl}/sandbox` : undefined;
  const below = (base: string | undefined, path: string) => (base === undefined ? null : `${base.replace(/\/+$/, "")}${path}`);
  return {
    isSandbox,
    authorizeUrl: given.PLATFORM_AUTHORIZE_URL ?? below(given.PLATFORM_AUTH_URL ?? sandbox, "/oauth/authorize"),
    tokenEndpoint: given.PLATFORM_TOKEN_ENDPOINT ?? below(given.PLATFORM_TOKEN_URL ?? sandbox, "/oauth/token"),
    refreshUrl: given.PLATFORM_REFRESH_URL ?? null,
    clientId: given.PLATFORM_CLIENT_ID ?? SANDBOX_APP.clientId,
    clientSecret: given.PLATFORM_CLIENT_SECRET ?? SANDBOX_APP.clientSecret,
    scopes: scopesOf(given, isSandbox),
    scopeSeparator: given.PLATFORM_SCOPE_SEPARATOR === "comma" ? "," : " ",
    authorizeParams: [...new URLSearchParams(given.PLATFORM_AUTHORIZE_PARAMS ?? "")],
    // Not known for other platforms: unless it is set, nothing is revoked that could end access in use.
    revokes: given.PLATFORM_REVOKES ?? (isSandbox ? "grant" : "account"),
  };
}

/** The sandbox's scopes mean something only where its paths are used; many providers reject a scope that they don't know. */
function scopesOf({ PLATFORM_SCOPES, PLATFORM_SCOPE_SEPARATOR, PLATFORM_AUTH_URL }: Given, isSandbox: boolean): string[] {
  const separators = PLATFORM_SCOPE_SEPARATOR === "comma" ? /[\s,]+/ : /\s+/;
  if (PLATFORM_SCOPES !== undefined) return PLATFORM_SCOPES.split(separators).filter(Boolean);
  return isSandbox || PLATFORM_AUTH_URL ? [...SANDBOX_APP.scopes] : [];
}

/** Signalbox writes them itself: another value would break the flow, or its protection against forged responses. */
const RESERVED = ["client_id", "redirect_uri", "response_type", "state", "scope", "code_challenge", "code_challenge_method"];

const SET_BY: Record<string, string> = {
  client_id: "PLATFORM_CLIENT_ID",
  scope: "PLATFORM_SCOPES",
  code_challenge: "PLATFORM_PKCE",
  code_challenge_method: "PLATFORM_PKCE",
  redirect_uri: "APP_URL",
};

/** Returns what is wrong with parameters for the authorization request, such as `audience=api&prompt=consent`; null if nothing. */
export function faultOfAuthorizeParams(query: string): string | null {
  const names = [...new URLSearchParams(query)].map(([name]) => name);
  const reserved = names.find((name) => RESERVED.includes(name));
  if (reserved) {
    const by = SET_BY[reserved];
    return `must not contain ${reserved}, which Signalbox sets itself${by ? ` (${by})` : ""}`;
  }
  const mode = new URLSearchParams(query).get("response_mode");
  if (mode !== null && mode !== "query") return "must not contain a response_mode but query: the callback reads the URL's query";
  if (names.some((name) => name === "") || query.startsWith("?")) return "must be parameters, for example audience=api&prompt=consent";
  // RFC 6749 section 3.1: parameters must not be included more than once.
  return new Set(names).size === names.length ? null : "must not contain a parameter twice";
}
