import { type BackupSettings, backupOf } from "./backup-settings.ts";
import { envSchema, type RawEnv } from "./env-schema.ts";
import { type MailSettings, mailOf } from "./mail-url.ts";

/** The environment with every default filled in. URLs carry no trailing slash. */
export type Env = RawEnv & {
  /** Single sign-on, when all three of OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are set. */
  sso: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    /** Small letters; empty when any domain is as good as another. */
    allowedDomains: string[];
    /** Role that a user of an allowed domain has after the first sign-in; null to let in members alone. */
    firstRole: "viewer" | "developer" | "admin" | null;
  } | null;
  APP_URL: string;
  /** URL that the platform posts to, before /webhooks/<source>. */
  WEBHOOK_URL: string;
  /** Scheduled backups, when BACKUP_DIR or BACKUP_S3_URL is set. */
  backup: BackupSettings | null;
  /** Settings for sending email, when SMTP_URL and MAIL_FROM are set. */
  mail: MailSettings | null;
  /** True while the sandbox platform stands in for the real one. */
  sandboxOn: boolean;
  /** The variables without which no account can be connected; empty while the sandbox is on. */
  platformMissing: string[];
  platform: {
    authUrl: string;
    tokenUrl: string;
    clientId: string;
    clientSecret: string;
    scopes: string[];
    /** Effect there of revoking one token: it ends its own grant (RFC 7009), or all access of its account. */
    revokes: "grant" | "account";
  };
};

/** Signalbox's registration at the sandbox platform. Not secrets: the sandbox guards nothing. */
export const SANDBOX_APP = {
  clientId: "signalbox-sandbox",
  clientSecret: "sandbox-client-secret",
  scopes: ["documents:read", "tasks:read", "pipelines:read", "automations:read", "webhooks:manage"],
} as const;

/** Thrown when a variable is wrong. The message names each one and what it must be; it never repeats a value. */
export class EnvError extends Error {
  override name = "EnvError";
}

/**
 * Validates a set of variables. An empty one counts as not set.
 *
 * @param source name to value, for example `process.env`
 * @throws EnvError naming every wrong variable
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const parsed = envSchema.safeParse(Object.fromEntries(Object.entries(source).filter(([, value]) => value !== "")));
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new EnvError(`Invalid environment:\n${lines.join("\n")}`);
  }
  const raw = parsed.data;
  // As browsers write it in Origin: scheme and host in small letters, no usual port.
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
      // Of another platform it is not known: until it is, nothing is revoked that could end an access in use.
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

/** The validated environment of this process. Nothing else in the product reads `process.env`. */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}

/** Forgets the cached environment; for tests and for the supervisor, which completes it. */
export function resetEnv(values: Record<string, string> = {}): Env {
  Object.assign(process.env, values);
  cached = undefined;
  return env();
}
