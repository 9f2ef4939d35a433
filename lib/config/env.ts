import { type BackupSettings, backupOf } from "./backup-settings.ts";
import { envSchema, type RawEnv } from "./env-schema.ts";
import { type MailSettings, mailOf } from "./mail-url.ts";

/** The environment with every default filled in. URLs have no trailing slash. */
export type Env = RawEnv & {
  sso: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    /** Lowercase; empty if any domain may sign in. */
    allowedDomains: string[];
    /** Role after the first sign-in for a user of an allowed domain; null lets in members only. */
    firstRole: "viewer" | "developer" | "admin" | null;
  } | null;
  APP_URL: string;
  /** URL that the platform posts to, before /webhooks/<source>. */
  WEBHOOK_URL: string;
  backup: BackupSettings | null;
  mail: MailSettings | null;
  sandboxOn: boolean;
  /** Variables without which no account can be connected; empty while the sandbox is on. */
  platformMissing: string[];
  platform: {
    authUrl: string;
    tokenUrl: string;
    clientId: string;
    clientSecret: string;
    scopes: string[];
    /** Effect of revoking one token: it ends its own grant (RFC 7009), or all access of its account. */
    revokes: "grant" | "account";
  };
};

/** Not secrets: the sandbox guards nothing. */
export const SANDBOX_APP = {
  clientId: "signalbox-sandbox",
  clientSecret: "sandbox-client-secret",
  scopes: ["documents:read", "tasks:read", "pipelines:read", "automations:read", "webhooks:manage"],
} as const;

/** Thrown when a variable is wrong. The message names each one, never its value. */
export class EnvError extends Error {
  override name = "EnvError";
}

/** Validates the variables; an empty one counts as not set. Throws EnvError naming every wrong one. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const parsed = envSchema.safeParse(Object.fromEntries(Object.entries(source).filter(([, value]) => value !== "")));
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new EnvError(`Invalid environment:\n${lines.join("\n")}`);
  }
  const raw = parsed.data;
  // As browsers write it in Origin: lowercase scheme and host, no default port.
  const appUrl = new URL(raw.APP_URL ?? `http://localhost:${raw.PORT}`).origin;
  return {
    ...raw,
    APP_URL: appUrl,
    WEBHOOK_URL: stripSlash(raw.WEBHOOK_URL ?? appUrl),
    sso: ssoOf(raw),
    backup: backupOf(raw),
    sandboxOn: isSandboxOn(raw),
    platformMissing: isSandboxOn(raw) ? [] : PLATFORM_NEEDS.filter((name) => !raw[name]),
    mail: mailOf(raw),
    platform: {
      authUrl: stripSlash(raw.PLATFORM_AUTH_URL ?? `${appUrl}/sandbox`),
      tokenUrl: stripSlash(raw.PLATFORM_TOKEN_URL ?? `${appUrl}/sandbox`),
      clientId: raw.PLATFORM_CLIENT_ID ?? SANDBOX_APP.clientId,
      clientSecret: raw.PLATFORM_CLIENT_SECRET ?? SANDBOX_APP.clientSecret,
      scopes: raw.PLATFORM_SCOPES?.split(/\s+/).filter(Boolean) ?? [...SANDBOX_APP.scopes],
      // Not known for other platforms: unless it is set, nothing is revoked that could end access in use.
      revokes: raw.PLATFORM_REVOKES ?? (raw.PLATFORM_AUTH_URL ? "account" : "grant"),
    },
  };
}

const PLATFORM_NEEDS = ["PLATFORM_AUTH_URL", "PLATFORM_TOKEN_URL", "PLATFORM_CLIENT_ID", "PLATFORM_CLIENT_SECRET"] as const;

const isSandboxOn = ({ SANDBOX, PLATFORM_AUTH_URL }: RawEnv): boolean => (SANDBOX ? SANDBOX === "on" : !PLATFORM_AUTH_URL);

function ssoOf({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ALLOWED_DOMAINS, OIDC_FIRST_ROLE }: RawEnv): Env["sso"] {
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  return {
    issuer: stripSlash(OIDC_ISSUER),
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    allowedDomains: OIDC_ALLOWED_DOMAINS?.toLowerCase().split(/\s*,\s*/) ?? [],
    firstRole: OIDC_FIRST_ROLE === "none" ? null : OIDC_FIRST_ROLE,
  };
}

const stripSlash = (url: string) => url.replace(/\/+$/, "");

let cached: Env | undefined;

/** Returns this process's validated environment. Nothing else in the product reads `process.env`. */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}

export function resetEnv(values: Record<string, string> = {}): Env {
  Object.assign(process.env, values);
  cached = undefined;
  return env();
}
