import { z } from "zod";
import { refusalWords } from "#lib/contracts/api/rejected-values";
import { formatNumber } from "#lib/contracts/format-count";
import { SOURCE_NAME } from "#lib/contracts/sources/templates";
import { distanceOf } from "#lib/contracts/unknown-name";
import { faultOfAuthorizeParams, missingOf, namesPlatform, type PlatformSettings, platformOf } from "./platform-settings.ts";
import {
  hasWholeAuthority,
  isHttpProxy,
  type MailSettings,
  mailOf,
  parseKeyRing,
  parseStoreUrl,
  type RingKey,
  readAllowList,
  turnsEncryptionOff,
  UNESCAPED,
} from "./setting-formats.ts";

/** The environment with every default filled in. URLs have no trailing slash. */
export type Env = RawEnv & {
  sso: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    /** Lowercase; empty if any domain may sign in. */
    allowedDomains: string[];
    /** Lowercase; their addresses count as verified where the provider doesn't say whether they are. */
    verifiedDomains: string[];
    /** Claim that names the role of the person who signs in. */
    roleClaim: string | null;
    /** Role after the first sign-in for a user of an allowed domain; null lets in members only. */
    firstRole: "viewer" | "developer" | "admin" | null;
  } | null;
  APP_URL: string;
  /** URL that the platform posts to, before /webhooks/<source>. */
  WEBHOOK_URL: string;
  /** For LISTEN, migrations and backups; empty without a database. */
  directUrl: string;
  backup: BackupSettings | null;
  mail: MailSettings | null;
  sandboxOn: boolean;
  /** Variables without which no account can be connected; empty while the sandbox is on. */
  platformMissing: string[];
  platform: PlatformSettings;
};

/** Thrown when a variable is wrong. The message names each one, never its value. */
export class EnvError extends Error {
  override name = "EnvError";
}

/** Validates the variables; an empty one counts as not set. Throws EnvError naming every wrong one. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  // A file with Windows line ends leaves a CR at the end of each value, and a secret that never matches.
  const given = Object.entries(source).map(([name, value]) => [name, value?.replace(/[\r\n]+$/, "")] as const);
  const parsed = envSchema.safeParse(Object.fromEntries(given.filter(([, value]) => value !== "")), { error: refusalWords });
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
    directUrl: raw.DATABASE_DIRECT_URL ?? raw.DATABASE_URL ?? "",
    sso: ssoOf(raw),
    backup: backupOf(raw),
    sandboxOn: isSandboxOn(raw),
    platformMissing: isSandboxOn(raw) ? [] : missingOf(raw),
    mail: mailOf(raw),
    platform: platformOf(raw, appUrl),
  };
}

const isSandboxOn = (raw: RawEnv): boolean => (raw.SANDBOX ? raw.SANDBOX === "on" : !namesPlatform(raw));

function ssoOf(raw: RawEnv): Env["sso"] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_FIRST_ROLE } = raw;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  return {
    issuer: stripSlash(OIDC_ISSUER),
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    allowedDomains: domainsOf(raw.OIDC_ALLOWED_DOMAINS),
    verifiedDomains: domainsOf(raw.OIDC_VERIFIED_DOMAINS),
    roleClaim: raw.OIDC_ROLE_CLAIM ?? null,
    firstRole: OIDC_FIRST_ROLE === "none" ? null : OIDC_FIRST_ROLE,
  };
}

const domainsOf = (text: string | undefined) => text?.toLowerCase().split(/\s*,\s*/) ?? [];

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

const url = z.url({ protocol: /^https?$/, error: "must be an http(s) URL, for example https://signalbox.example" });

/** Paths are appended to it, so it has no query and no fragment. */
const baseUrl = url.refine((text) => isBare(text), { error: "must be a URL without credentials, query or fragment" });

/** Used as it is; its query is kept (RFC 6749 sections 3.1 and 3.2). */
const endpoint = url.refine((text) => isBare(text.replace(/\?[^#]*/, "")), { error: "must be a URL without credentials or fragment" });

const origin = url.refine((text) => isBare(text) && /^\/*$/.test(URL.parse(text)?.pathname ?? ""), {
  error: "must be a URL without a path, for example https://signalbox.example. Signalbox can't be served under a path",
});

const domains = z.string().regex(/^[\w.-]+\.[a-z]+(\s*,\s*[\w.-]+\.[a-z]+)*$/i, "must be email domains, for example acme.com,acme.org");

const isBare = (text: string) => !/[?#]/.test(text) && !URL.parse(text)?.username && !URL.parse(text)?.password;

const keyRing = z.string().refine((text) => text.split(",").every((entry) => isKeyRingEntry(entry.trim())), {
  error: "must be name:base64-of-32-bytes[,older...], the active key first; a name has letters, digits, _, . and -",
});

function isKeyRingEntry(entry: string): boolean {
  const [kid, key, ...rest] = entry.split(":");
  return /^[\w.-]{1,64}$/.test(kid ?? "") && rest.length === 0 && Buffer.from(key ?? "", "base64").length === 32;
}

function wholeNumber(what: string, least: number, most: number) {
  const error = `must be ${what} from ${formatNumber(least)} to ${formatNumber(most)}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: "must be a postgresql:// URL", abort: true })
  .refine(hasWholeAuthority, { error: UNESCAPED, abort: true })
  .refine((text) => (URL.parse(text)?.searchParams.get("schema") ?? "public") === "public", {
    error: "must not name another schema (?schema=): Signalbox keeps its tables in the schema public. Give it a database of its own",
  });

const SHARE = "must be a share between 0 and 1";
const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const PLATFORM_ADDRESSES = ["PLATFORM_AUTH_URL", "PLATFORM_AUTHORIZE_URL", "PLATFORM_TOKEN_ENDPOINT", "PLATFORM_ISSUER"] as const;
const STORE_NEEDS = ["BACKUP_S3_URL", "BACKUP_S3_ACCESS_KEY_ID", "BACKUP_S3_SECRET_ACCESS_KEY", "BACKUP_KEY"] as const;

function sharesKey(one: string | undefined, other: string | undefined): boolean {
  if (!one || !other) return false;
  const keysOf = (ring: string) => parseKeyRing(ring).map(({ key }) => Buffer.from(key).toString("hex"));
  const others = keysOf(other);
  return keysOf(one).some((key) => others.includes(key));
}

export const envSchema = z
  .object({
    NODE_ENV: z.enum(["development", "production", "test"], { error: "must be development, production or test" }).default("production"),
    PORT: wholeNumber("a port number", 1, 65535).default(3000),
    APP_URL: origin.optional(),
    DATABASE_URL: databaseUrl.optional(),
    DATABASE_DIRECT_URL: databaseUrl.optional(),
    DATABASE_POOL: wholeNumber("a number of connections for each process,", 1, 60).optional(),
    DATA_DIR: z.string().default(".data"),
    NEXTAUTH_SECRET: z.string().min(32, "must be at least 32 characters long").optional(),
    VAULT_KEYS: keyRing.optional(),
    OWNER_EMAIL: z.email("must be an email address").optional(),
    OWNER_PASSWORD: z.string().min(12, "must be at least 12 characters long").optional(),
    INIT_API_KEY: z
      .string()
      .regex(/^sbx_[\x21-\x7e]{36,200}$/, "must be sbx_ and 36 to 200 more characters without spaces")
      .optional(),
    API_REQUESTS_PER_MINUTE: wholeNumber("a number of requests", 1, 1_000_000).default(6000),
    PLATFORM_AUTH_URL: baseUrl.optional(),
    PLATFORM_TOKEN_URL: baseUrl.optional(),
    PLATFORM_AUTHORIZE_URL: endpoint
      .superRefine((text, context) => {
        const fault = faultOfAuthorizeParams(URL.parse(text)?.search.slice(1) ?? "");
        if (fault) context.addIssue(`${fault} in its query`);
      })
      .optional(),
    PLATFORM_TOKEN_ENDPOINT: endpoint.optional(),
    PLATFORM_REFRESH_URL: endpoint.optional(),
    PLATFORM_CLIENT_ID: z.string().optional(),
    PLATFORM_CLIENT_SECRET: z.string().optional(),
    PLATFORM_SCOPES: z.string().optional(),
    PLATFORM_SCOPE_SEPARATOR: z.enum(["space", "comma"], { error: "must be space or comma" }).default("space"),
    PLATFORM_AUTHORIZE_PARAMS: z
      .string()
      .superRefine((text, context) => {
        const fault = faultOfAuthorizeParams(text);
        if (fault) context.addIssue(fault);
      })
      .optional(),
    PLATFORM_TOKEN_BODY: z.enum(["json", "form"], { error: "must be json or form" }).optional(),
    PLATFORM_TOKEN_AUTH: z.enum(["body", "basic"], { error: "must be body or basic" }).optional(),
    PLATFORM_PKCE: z.enum(["off", "S256"], { error: "must be off or S256" }).optional(),
    PLATFORM_REVOKE_URL: url.optional(),
    PLATFORM_REVOKES: z.enum(["grant", "account"], { error: "must be grant or account" }).optional(),
    PLATFORM_ISSUER: baseUrl.optional(),
    WEBHOOK_URL: baseUrl.optional(),
    WEBHOOK_SOURCE: z.string().regex(SOURCE_NAME, "must be lowercase letters, digits and dashes").default("platform"),
    WEBHOOK_SECRET: z.string().min(8, "must be at least 8 characters long").optional(),
    WEBHOOK_MAX_BYTES: wholeNumber("a number of bytes", 1024, 67_108_864).default(1_048_576),
    OIDC_ISSUER: baseUrl.optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    OIDC_ALLOWED_DOMAINS: domains.optional(),
    OIDC_VERIFIED_DOMAINS: domains.optional(),
    OIDC_FIRST_ROLE: z
      .enum(["none", "viewer", "developer", "admin"], { error: "must be none, viewer, developer or admin" })
      .default("none"),
    OIDC_ROLE_CLAIM: z
      .string()
      .regex(/^\S{1,200}$/, "must be the name of a claim, for example roles")
      .optional(),
    TRUSTED_PROXIES: wholeNumber("the number of reverse proxies in front,", 0, 5).default(0),
    BACKUP_DIR: z.string().optional(),
    BACKUP_EVERY: z
      .string()
      .regex(/^[1-9]\d{0,3}[hd]$/, "must be a number of hours or days, for example 6h or 1d")
      .default("1d"),
    BACKUP_KEEP: wholeNumber("a number of backups", 1, 1000).default(7),
    BACKUP_S3_URL: z
      .string()
      .refine((text) => parseStoreUrl(text) !== null, { error: "must be s3://bucket or s3://bucket/prefix" })
      .optional(),
    BACKUP_S3_ENDPOINT: baseUrl.optional(),
    BACKUP_S3_REGION: z
      .string()
      .regex(/^[\w-]{1,64}$/, "must be the name of a region, for example eu-central-1")
      .default("us-east-1"),
    BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
    BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
    BACKUP_KEY: keyRing.optional(),
    BACKUP_PROVE_EVERY: z
      .string()
      .regex(/^(0|[1-9]\d{0,3}[hd])$/, "must be a number of hours or days, for example 7d, or 0 for never")
      .default("7d"),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{16,500}$/, "must be 16 to 500 characters without spaces")
      .optional(),
    FORWARD_ALLOW: z
      .string()
      .refine((text) => readAllowList(text) !== null, {
        error: "must be IP ranges (10.0.0.0/8) and host names, separated by commas",
      })
      .optional(),
    FORWARD_PROXY: url.refine((text) => isHttpProxy(text), { error: "must be an http:// URL with a port and no path" }).optional(),
    UV_THREADPOOL_SIZE: wholeNumber("a number of threads", 1, 1024).default(16),
    OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number({ error: SHARE }).min(0, { error: SHARE }).max(1, { error: SHARE }).default(1),
    TRACE_URL: url.refine((text) => text.includes("{traceId}"), { error: "must contain {traceId}" }).optional(),
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\/[^/\s]+\/?(\?\S*)?$/, "must be an smtp:// or smtps:// URL")
      .refine(hasWholeAuthority, { error: UNESCAPED })
      .optional(),
    SMTP_TLS: z.enum(["required", "optional"], { error: "must be required or optional" }).default("required"),
    MAIL_FROM: z
      .string()
      .regex(
        /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
        "must be an email address, for example Signalbox <signalbox@example.com>",
      )
      .optional(),
    HEARTBEAT_URL: url.optional(),
    SANDBOX: z.enum(["on", "off"], { error: "must be on or off" }).optional(),
    LOG_LEVEL: z.enum(LEVELS, { error: `must be ${LEVELS.slice(0, -1).join(", ")} or ${LEVELS.at(-1)}` }).default("info"),
  })
  .refine((env) => Boolean(env.OWNER_EMAIL) === Boolean(env.OWNER_PASSWORD), {
    path: ["OWNER_EMAIL"],
    error: "requires OWNER_PASSWORD: set both or neither",
  })
  .refine((env) => env.SMTP_TLS === "optional" || !env.SMTP_URL || !turnsEncryptionOff(env.SMTP_URL), {
    path: ["SMTP_URL"],
    error: "must not turn encryption off: the password would be sent unencrypted. Use smtps://, or set SMTP_TLS=optional",
  })
  .refine((env) => !env.DATABASE_DIRECT_URL || env.DATABASE_URL, { path: ["DATABASE_DIRECT_URL"], error: "requires DATABASE_URL" })
  .refine((env) => Boolean(env.SMTP_URL) === Boolean(env.MAIL_FROM), {
    path: ["SMTP_URL"],
    error: "requires MAIL_FROM: set both or neither",
  })
  .refine((env) => new Set([env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET].map(Boolean)).size === 1, {
    path: ["OIDC_ISSUER"],
    error: "requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: set all three or none",
  })
  .refine((env) => new Set(STORE_NEEDS.map((name) => Boolean(env[name]))).size === 1, {
    path: ["BACKUP_S3_URL"],
    error: "requires BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY and BACKUP_KEY: set all four or none",
  })
  .refine((env) => !env.BACKUP_S3_ENDPOINT || env.BACKUP_S3_URL, { path: ["BACKUP_S3_ENDPOINT"], error: "requires BACKUP_S3_URL" })
  .refine((env) => !sharesKey(env.BACKUP_KEY, env.VAULT_KEYS), {
    path: ["BACKUP_KEY"],
    error: "must not be a key of VAULT_KEYS: anyone who can read the backups could then decrypt the secrets in them",
  })
  .refine((env) => env.OIDC_FIRST_ROLE === "none" || env.OIDC_ALLOWED_DOMAINS, {
    path: ["OIDC_FIRST_ROLE"],
    error: "requires OIDC_ALLOWED_DOMAINS: without it, everyone with an account at the provider would become a member",
  })
  .superRefine((env, context) => {
    const missing = namesPlatform(env) ? missingOf(env) : [];
    const named = PLATFORM_ADDRESSES.find((name) => env[name]);
    if (named && missing.length > 0)
      context.addIssue({ code: "custom", path: [named], message: `requires ${missing.join(", ")}: a platform needs all of them` });
  });

export type RawEnv = z.infer<typeof envSchema>;

const HOUR_MS = 3_600_000;

export type BackupStore = {
  bucket: string;
  /** Path before each name: empty, or ends with a slash. */
  prefix: string;
  /** An S3-compatible server; null for Amazon's. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The first seals, all of them open. */
  keys: RingKey[];
};

export type BackupSettings = {
  /** Folder of BACKUP_DIR. If null, a file is kept only until it is in the store. */
  dir: string | null;
  store: BackupStore | null;
  /** Milliseconds from the start of one backup to the start of the next. */
  everyMs: number;
  keep: number;
  /** Milliseconds between proofs; 0 for none. */
  proveEveryMs: number;
};

function backupOf(raw: RawEnv): BackupSettings | null {
  const store = storeOf(raw);
  if (!raw.BACKUP_DIR && !store) return null;
  return {
    dir: raw.BACKUP_DIR ?? null,
    store,
    everyMs: durationOf(raw.BACKUP_EVERY),
    keep: raw.BACKUP_KEEP,
    proveEveryMs: store ? durationOf(raw.BACKUP_PROVE_EVERY) : 0,
  };
}

function storeOf(raw: RawEnv): BackupStore | null {
  const { BACKUP_S3_URL, BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY, BACKUP_KEY } = raw;
  if (!BACKUP_S3_URL || !BACKUP_S3_ACCESS_KEY_ID || !BACKUP_S3_SECRET_ACCESS_KEY || !BACKUP_KEY) return null;
  const place = parseStoreUrl(BACKUP_S3_URL);
  if (place === null) return null;
  return {
    ...place,
    endpoint: raw.BACKUP_S3_ENDPOINT ?? null,
    region: raw.BACKUP_S3_REGION,
    accessKeyId: BACKUP_S3_ACCESS_KEY_ID,
    secretAccessKey: BACKUP_S3_SECRET_ACCESS_KEY,
    keys: parseKeyRing(BACKUP_KEY),
  };
}

const durationOf = (text: string) => Number.parseInt(text, 10) * (text.endsWith("d") ? 24 : 1) * HOUR_MS;

const SHORT = 8;

const KNOWN = Object.keys(envSchema.shape);

/** Returns a warning for each variable that is one or two letters away from a setting. Values are never named. */
export function misspeltSettings(source: Record<string, string | undefined> = process.env): string[] {
  return Object.keys(source)
    .filter((name) => /^[A-Z][A-Z0-9_]{5,}$/i.test(name) && !KNOWN.includes(name))
    .flatMap((name) => {
      const meant = KNOWN.find((known) => distanceOf(name.toUpperCase(), known) <= (known.length <= SHORT ? 1 : 2));
      return meant === undefined ? [] : [`The environment sets ${name}, which is not a setting and has no effect. Did you mean ${meant}?`];
    });
}

/** Sets NEXTAUTH_URL to APP_URL: without it next-auth would trust the Host header. */
export function pinNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = env().APP_URL;
}
