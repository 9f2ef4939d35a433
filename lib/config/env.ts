import { z } from "zod";

/**
 * The environment, validated in one place (shared contract: "Environment").
 * Nothing else in the product reads `process.env`.
 */

const url = z.url({ protocol: /^https?$/, error: "wants an http(s) address, for example https://signalbox.example" });

const optional = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const keyRing = z.string().refine((text) => text.split(",").every((entry) => isKeyRingEntry(entry.trim())), {
  error: "wants name:base64-of-32-bytes[,older...], the active key first; a name is of letters, digits, _, . and -",
});

function isKeyRingEntry(entry: string): boolean {
  const [kid, key, ...rest] = entry.split(":");
  return /^[\w.-]{1,64}$/.test(kid ?? "") && rest.length === 0 && Buffer.from(key ?? "", "base64").length === 32;
}

const envSchema = z
  .object({
    NODE_ENV: z.enum(["development", "production", "test"]).default("production"),
    PORT: z.coerce.number({ error: "wants a port number" }).int().min(1).max(65535).default(3000),
    APP_URL: optional(url),
    DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, "wants a postgresql:// address")),
    DATA_DIR: z.string().min(1).default(".data"),
    NEXTAUTH_SECRET: optional(z.string().min(32, "wants 32 characters or more")),
    VAULT_KEYS: optional(keyRing),
    OWNER_EMAIL: optional(z.email("wants an e-mail address")),
    OWNER_PASSWORD: optional(z.string().min(12, "wants 12 characters or more")),
    INIT_API_KEY: optional(z.string().regex(/^sbx_[\x21-\x7e]{36,200}$/, "wants sbx_ and 36 to 200 more characters without a blank")),
    API_REQUESTS_PER_MINUTE: z.coerce.number({ error: "wants a number of requests" }).int().min(1).max(1_000_000).default(6000),
    PLATFORM_AUTH_URL: optional(url),
    PLATFORM_TOKEN_URL: optional(url),
    PLATFORM_CLIENT_ID: optional(z.string()),
    PLATFORM_CLIENT_SECRET: optional(z.string()),
    PLATFORM_SCOPES: optional(z.string()),
    PLATFORM_TOKEN_BODY: z.enum(["json", "form"], { error: "wants json or form" }).default("json"),
    PLATFORM_PKCE: z.enum(["off", "S256"], { error: "wants off or S256" }).default("off"),
    PLATFORM_REVOKE_URL: optional(url),
    PLATFORM_ISSUER: optional(url),
    WEBHOOK_SOURCE: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "wants small letters, digits and dashes")
      .default("platform"),
    WEBHOOK_SECRET: optional(z.string().min(8, "wants 8 characters or more")),
    WEBHOOK_MAX_BYTES: z.coerce.number({ error: "wants a number of bytes" }).int().min(1024).max(67_108_864).default(1_048_576),
    OIDC_ISSUER: optional(url),
    OIDC_CLIENT_ID: optional(z.string()),
    OIDC_CLIENT_SECRET: optional(z.string()),
    OIDC_ALLOWED_DOMAINS: optional(
      z.string().regex(/^[\w.-]+\.[a-z]+(\s*,\s*[\w.-]+\.[a-z]+)*$/i, "wants e-mail domains, for example acme.com,acme.org"),
    ),
    OIDC_FIRST_ROLE: z.enum(["none", "viewer", "developer", "admin"], { error: "wants none, viewer, developer or admin" }).default("none"),
    TRUSTED_PROXIES: z.coerce.number({ error: "wants the number of proxies in front, 0 for none" }).int().min(0).max(5).default(0),
    SANDBOX: optional(z.enum(["on", "off"], { error: "wants on or off" })),
    LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  })
  .refine((env) => Boolean(env.OWNER_EMAIL) === Boolean(env.OWNER_PASSWORD), {
    path: ["OWNER_EMAIL"],
    error: "goes with OWNER_PASSWORD: set both or neither",
  })
  .refine((env) => new Set([env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET].map(Boolean)).size === 1, {
    path: ["OIDC_ISSUER"],
    error: "goes with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: set all three or none",
  })
  .refine((env) => env.OIDC_FIRST_ROLE === "none" || env.OIDC_ALLOWED_DOMAINS, {
    path: ["OIDC_FIRST_ROLE"],
    error: "goes with OIDC_ALLOWED_DOMAINS: without it anyone whom the provider knows would become a member",
  })
  .refine((env) => !env.PLATFORM_AUTH_URL || (env.PLATFORM_TOKEN_URL && env.PLATFORM_CLIENT_ID && env.PLATFORM_CLIENT_SECRET), {
    path: ["PLATFORM_AUTH_URL"],
    error: "goes with PLATFORM_TOKEN_URL, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET: set all four",
  });

export type RawEnv = z.infer<typeof envSchema>;

/** The environment with every default filled in. URLs carry no trailing slash. */
export type Env = RawEnv & {
  /** Single sign-on, when all three of OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are set. */
  sso: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    /** Small letters; empty when any domain is as good as another. */
    allowedDomains: string[];
    /** What somebody of an allowed domain becomes at the first sign-in; null to let in members alone. */
    firstRole: "viewer" | "developer" | "admin" | null;
  } | null;
  APP_URL: string;
  /** True while the sandbox platform stands in for the real one. */
  sandboxOn: boolean;
  platform: {
    authUrl: string;
    tokenUrl: string;
    clientId: string;
    clientSecret: string;
    scopes: string[];
  };
};

/** What the sandbox platform has registered for Signalbox. Not secrets: the sandbox guards nothing. */
export const SANDBOX_APP = {
  clientId: "signalbox-sandbox",
  clientSecret: "sandbox-client-secret",
  scopes: ["documents:read", "tasks:read", "pipelines:read", "automations:read", "webhooks:manage"],
} as const;

/** Thrown when a variable is wrong. The message names each one and says what it wants; it never repeats a value. */
export class EnvError extends Error {
  override name = "EnvError";
}

/**
 * Validates a set of variables.
 *
 * @param source name to value, for example `process.env`
 * @throws EnvError naming every wrong variable
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const parsed = envSchema.safeParse(source);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new EnvError(`The environment is not right:\n${lines.join("\n")}`);
  }
  const raw = parsed.data;
  const appUrl = stripSlash(raw.APP_URL ?? `http://localhost:${raw.PORT}`);
  return {
    ...raw,
    APP_URL: appUrl,
    sso: ssoOf(raw),
    sandboxOn: raw.SANDBOX ? raw.SANDBOX === "on" : !raw.PLATFORM_AUTH_URL,
    platform: {
      authUrl: stripSlash(raw.PLATFORM_AUTH_URL ?? `${appUrl}/sandbox`),
      tokenUrl: stripSlash(raw.PLATFORM_TOKEN_URL ?? `${appUrl}/sandbox`),
      clientId: raw.PLATFORM_CLIENT_ID ?? SANDBOX_APP.clientId,
      clientSecret: raw.PLATFORM_CLIENT_SECRET ?? SANDBOX_APP.clientSecret,
      scopes: raw.PLATFORM_SCOPES?.split(/\s+/).filter(Boolean) ?? [...SANDBOX_APP.scopes],
    },
  };
}

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

const stripSlash = (address: string) => address.replace(/\/+$/, "");

let cached: Env | undefined;

/** The validated environment of this process. */
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
