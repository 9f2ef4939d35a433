import { z } from "zod";
import { formatNumber } from "#lib/contracts/counts/format-count";
import { SOURCE_NAME } from "#lib/contracts/sources/source-name";
import { isHttpProxy, readAllowList } from "./forward-allow.ts";
import { parseKeyRing } from "./key-ring.ts";
import { turnsEncryptionOff } from "./mail-url.ts";
import { parseStoreUrl } from "./store-url.ts";

const url = z.url({ protocol: /^https?$/, error: "must be an http(s) URL, for example https://signalbox.example" });

/** Paths are appended to it, so it has no query and no fragment. */
const baseUrl = url.refine((text) => isBare(text), { error: "must be a URL without credentials, query or fragment" });

const origin = url.refine((text) => isBare(text) && /^\/*$/.test(URL.parse(text)?.pathname ?? ""), {
  error: "must be a URL without a path, for example https://signalbox.example. Signalbox can't be served under a path",
});

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

const SHARE = "must be a share between 0 and 1";
const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
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
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, "must be a postgresql:// URL")
      .optional(),
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
    PLATFORM_CLIENT_ID: z.string().optional(),
    PLATFORM_CLIENT_SECRET: z.string().optional(),
    PLATFORM_SCOPES: z.string().optional(),
    PLATFORM_TOKEN_BODY: z.enum(["json", "form"], { error: "must be json or form" }).default("json"),
    PLATFORM_PKCE: z.enum(["off", "S256"], { error: "must be off or S256" }).default("off"),
    PLATFORM_REVOKE_URL: url.optional(),
    PLATFORM_REVOKES: z.enum(["grant", "account"], { error: "must be grant or account" }).optional(),
    PLATFORM_ISSUER: url.optional(),
    WEBHOOK_URL: baseUrl.optional(),
    WEBHOOK_SOURCE: z.string().regex(SOURCE_NAME, "must be lowercase letters, digits and dashes").default("platform"),
    WEBHOOK_SECRET: z.string().min(8, "must be at least 8 characters long").optional(),
    WEBHOOK_MAX_BYTES: wholeNumber("a number of bytes", 1024, 67_108_864).default(1_048_576),
    OIDC_ISSUER: baseUrl.optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    OIDC_ALLOWED_DOMAINS: z
      .string()
      .regex(/^[\w.-]+\.[a-z]+(\s*,\s*[\w.-]+\.[a-z]+)*$/i, "must be email domains, for example acme.com,acme.org")
      .optional(),
    OIDC_FIRST_ROLE: z
      .enum(["none", "viewer", "developer", "admin"], { error: "must be none, viewer, developer or admin" })
      .default("none"),
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
  .refine((env) => !env.PLATFORM_AUTH_URL || (env.PLATFORM_TOKEN_URL && env.PLATFORM_CLIENT_ID && env.PLATFORM_CLIENT_SECRET), {
    path: ["PLATFORM_AUTH_URL"],
    error: "requires PLATFORM_TOKEN_URL, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET: set all four",
  });

export type RawEnv = z.infer<typeof envSchema>;
