import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EnvError, misspeltSettings, parseEnv } from "#lib/config/env";

const words = (source: Record<string, string>): string => {
  try {
    parseEnv(source);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return (error as Error).message;
  }
};

test("nothing set is a whole environment, with the sandbox for a platform", () => {
  const env = parseEnv({});
  expect(env).toMatchObject({ PORT: 3000, APP_URL: "http://localhost:3000", sandboxOn: true });
  expect(env.platform.authorizeUrl).toBe("http://localhost:3000/sandbox/oauth/authorize");
});

test("the address follows the port, and loses a trailing slash", () => {
  expect(parseEnv({ PORT: "8080" }).APP_URL).toBe("http://localhost:8080");
  expect(parseEnv({ APP_URL: "https://signalbox.example/" }).APP_URL).toBe("https://signalbox.example");
});

test.each([
  ["https://signalbox.example:443", "https://signalbox.example"],
  ["HTTPS://Signalbox.Example", "https://signalbox.example"],
  ["http://[::1]:3000", "http://[::1]:3000"],
])("the address %j is written as browsers do: %j", (written, address) => {
  expect(parseEnv({ APP_URL: written }).APP_URL).toBe(address);
});

test.each([
  "https://tools.example/signalbox",
  "https://signalbox.example/?a=1",
  "https://signalbox.example?",
  "https://signalbox.example/#a",
  "https://user:pass@signalbox.example",
])("an address below which nothing is served is refused: %j", (address) => {
  expect(words({ APP_URL: address })).toMatch(/APP_URL must be a URL without a path/);
  expect(words({ APP_URL: address })).not.toContain(address);
});

test("the platform's addresses may have a path, and no query: paths are appended to them", () => {
  expect(parseEnv({ PLATFORM_TOKEN_URL: "https://platform.example/v2/" }).platform.tokenEndpoint).toBe(
    "https://platform.example/v2/oauth/token",
  );
  for (const name of ["PLATFORM_AUTH_URL", "PLATFORM_TOKEN_URL", "OIDC_ISSUER"])
    expect(words({ [name]: "https://platform.example/?tenant=1" })).toContain(
      `${name} must be a URL without credentials, query or fragment`,
    );
});

test("an empty variable counts as unset", () => {
  const page = readFileSync("docs/configuration.md", "utf8");
  const names = [...page.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = ""]) => name);
  expect(names).toContain("DATA_DIR");
  expect(parseEnv(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(parseEnv({}));
});

test("without the sandbox it says what is missing before an account can be connected", () => {
  expect(parseEnv({}).platformMissing).toEqual([]);
  expect(parseEnv({ SANDBOX: "off" }).platformMissing).toEqual([
    "PLATFORM_AUTH_URL",
    "PLATFORM_TOKEN_URL",
    "PLATFORM_CLIENT_ID",
    "PLATFORM_CLIENT_SECRET",
  ]);
  expect(parseEnv({ SANDBOX: "off", PLATFORM_CLIENT_ID: "id" }).platformMissing).not.toContain("PLATFORM_CLIENT_ID");
});

test("a password of the mail server needs encryption, but on this machine or when it is allowed to go without", () => {
  const mailOf = (SMTP_URL: string, more = {}) => parseEnv({ SMTP_URL, MAIL_FROM: "a@example.com", ...more }).mail?.needsTls;
  for (const url of ["smtp://u:p@mail.example.com:587", "smtp://u:p@0.0.0.0", "smtp://u:p%23@10.0.0.1"])
    expect(mailOf(url), url).toBe(true);
  for (const url of [
    "smtps://u:p@mail.example.com",
    "smtp://mail.example.com",
    "smtp://u:p@localhost",
    "smtp://u:p@127.0.0.9:25",
    "smtp://u:p@[::1]",
  ])
    expect(mailOf(url), url).toBe(false);
  expect(mailOf("smtp://u:p@mail.example.com", { SMTP_TLS: "optional" })).toBe(false);
  for (const end of ["?ignoreTLS=true", "?requireTLS=false", "?secure=false"])
    for (const scheme of ["smtp", "smtps"])
      expect(() => mailOf(`${scheme}://u:p@mail.example.com${end}`), end).toThrow(
        /SMTP_URL must not turn encryption off.*SMTP_TLS=optional/,
      );
  expect(mailOf("smtp://u:p@mail.example.com?ignoreTLS=true", { SMTP_TLS: "optional" })).toBe(false);
});

test("a platform puts the sandbox off, unless it is asked for; what its revocation ends is assumed with care until it is said", () => {
  const platform = {
    PLATFORM_AUTH_URL: "https://platform.example",
    PLATFORM_TOKEN_URL: "https://platform.example",
    PLATFORM_CLIENT_ID: "id",
    PLATFORM_CLIENT_SECRET: "secret",
  };
  expect(parseEnv({}).platform.revokes).toBe("grant");
  expect(parseEnv(platform)).toMatchObject({ sandboxOn: false, platform: { revokes: "account" } });
  expect(parseEnv({ ...platform, SANDBOX: "on" }).sandboxOn).toBe(true);
  expect(parseEnv({ ...platform, PLATFORM_REVOKES: "grant" }).platform.revokes).toBe("grant");
});

test.each([
  ["PORT", "seventy"],
  ["PORT", "70000"],
  ["APP_URL", "localhost"],
  ["APP_URL", "javascript:alert(1)"],
  ["DATABASE_URL", "mysql://here"],
  ["NEXTAUTH_SECRET", "short"],
  ["VAULT_KEYS", "k1:tooshort"],
  ["INIT_API_KEY", "sbx_short"],
  ["WEBHOOK_SOURCE", "With Blanks"],
  ["WEBHOOK_MAX_BYTES", "lots"],
  ["METRICS_TOKEN", "short"],
  ["METRICS_TOKEN", "sixteen characters and a blank"],
  ["SANDBOX", "maybe"],
  ["LOG_LEVEL", "loud"],
  ["PLATFORM_TOKEN_BODY", "xml"],
  ["PLATFORM_REVOKES", "everything"],
])("a wrong %s is named, and its value %j is not repeated", (name, value) => {
  expect(words({ [name]: value })).toContain(name);
  expect(words({ [name]: value })).not.toContain(`"${value}"`);
});

test("every wrong variable is named at once", () => {
  expect(words({ PORT: "x", SANDBOX: "x" })).toMatch(/PORT[\s\S]+SANDBOX/);
});

test("an owner needs both an address and a password", () => {
  expect(words({ OWNER_EMAIL: "a@example.com" })).toContain("OWNER_PASSWORD");
});

const STORE = {
  BACKUP_S3_URL: "s3://backups/signalbox/",
  BACKUP_S3_ACCESS_KEY_ID: "key-id",
  BACKUP_S3_SECRET_ACCESS_KEY: "the-secret",
  BACKUP_KEY: `b2:${Buffer.alloc(32, 2).toString("base64")}, b1:${Buffer.alloc(32, 1).toString("base64")}`,
};

test("a store for backups is a schedule, with or without a folder; the first key seals", () => {
  const { backup } = parseEnv(STORE);
  expect(backup).toMatchObject({ dir: null, everyMs: 86_400_000, proveEveryMs: 604_800_000 });
  expect(backup?.store).toMatchObject({ bucket: "backups", prefix: "signalbox/", endpoint: null, region: "us-east-1" });
  expect(backup?.store?.keys.map(({ kid }) => kid)).toEqual(["b2", "b1"]);
  expect(parseEnv({ ...STORE, BACKUP_S3_URL: "s3://backups", BACKUP_PROVE_EVERY: "0" }).backup).toMatchObject({ proveEveryMs: 0 });
  expect(parseEnv({ BACKUP_DIR: "/backups" }).backup).toMatchObject({ dir: "/backups", store: null, proveEveryMs: 0 });
});

test.each(Object.keys(STORE))("a store for backups without %s is refused, in words and without a secret", (name) => {
  const said = words({ ...STORE, [name]: "" });
  expect(said).toContain(
    "BACKUP_S3_URL requires BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY and BACKUP_KEY: set all four or none",
  );
  expect(said).not.toContain("the-secret");
});

test("settings of a store that can't be meant are refused", () => {
  for (const url of ["s3://", "https://bucket", "s3://UPPER/x", "s3://bucket/../x", "s3://bucket//x", "s3://user:pass@bucket"])
    expect(words({ ...STORE, BACKUP_S3_URL: url })).toContain("BACKUP_S3_URL must be s3://bucket or s3://bucket/prefix");
  expect(words({ BACKUP_S3_ENDPOINT: "https://minio.example" })).toContain("BACKUP_S3_ENDPOINT requires BACKUP_S3_URL");
  expect(words({ ...STORE, BACKUP_KEY: "short:abc" })).toContain("BACKUP_KEY must be name:base64-of-32-bytes");
  expect(words({ ...STORE, BACKUP_PROVE_EVERY: "weekly" })).toContain("BACKUP_PROVE_EVERY must be a number of hours or days");
  const shared = `v1:${Buffer.alloc(32, 1).toString("base64")}`;
  expect(words({ ...STORE, VAULT_KEYS: shared })).toContain("BACKUP_KEY must not be a key of VAULT_KEYS");
});

test.each([
  ["BACKUP_DIRR", "BACKUP_DIR"],
  ["DATABSE_URL", "DATABASE_URL"],
  ["WEBHOOK_SECERT", "WEBHOOK_SECRET"],
  ["trusted_proxies", "TRUSTED_PROXIES"],
])("%s is taken for a misspelt %s, and its value is not repeated", (name, meant) => {
  const words = misspeltSettings({ [name]: "a-secret-value", [meant]: "kept" });
  expect(words).toEqual([`The environment sets ${name}, which is not a setting and has no effect. Did you mean ${meant}?`]);
});

test("settings, and what other programs have in the environment, are no misspellings", () => {
  const others =
    "PATH HOME PWD SHELL PGPORT PGHOST LANG TERM HOSTNAME NODE_OPTIONS npm_lifecycle_event OTEL_SERVICE_NAME KUBERNETES_PORT HTTPS_PROXY";
  expect(misspeltSettings(Object.fromEntries(["PORT", "BACKUP_DIR", ...others.split(" ")].map((name) => [name, "1"])))).toEqual([]);
});

const CLIENT = { PLATFORM_CLIENT_ID: "id", PLATFORM_CLIENT_SECRET: "secret" };
const FULL = {
  ...CLIENT,
  PLATFORM_AUTHORIZE_URL: "https://id.example/consent?tenant=1",
  PLATFORM_TOKEN_ENDPOINT: "https://api.example/v2/token?key=1",
};

test("full URLs are used as they are, switch the sandbox off, and ask for no scope of the sandbox", () => {
  const env = parseEnv(FULL);
  expect(env).toMatchObject({ sandboxOn: false, platformMissing: [] });
  expect(env.platform).toMatchObject({
    isSandbox: false,
    authorizeUrl: FULL.PLATFORM_AUTHORIZE_URL,
    tokenEndpoint: FULL.PLATFORM_TOKEN_ENDPOINT,
    scopes: [],
    revokes: "account",
  });
});

test("full URLs win over the base URLs, one without the other too", () => {
  const base = { ...CLIENT, PLATFORM_AUTH_URL: "https://base.example/x/", PLATFORM_TOKEN_URL: "https://base.example" };
  expect(parseEnv({ ...base, ...FULL }).platform.authorizeUrl).toBe(FULL.PLATFORM_AUTHORIZE_URL);
  const { platform } = parseEnv({ ...base, PLATFORM_TOKEN_ENDPOINT: FULL.PLATFORM_TOKEN_ENDPOINT });
  expect(platform.authorizeUrl).toBe("https://base.example/x/oauth/authorize");
  expect(platform.tokenEndpoint).toBe(FULL.PLATFORM_TOKEN_ENDPOINT);
});

test("an issuer alone leaves the addresses to its metadata", () => {
  const env = parseEnv({ ...CLIENT, PLATFORM_ISSUER: "https://id.example" });
  expect(env).toMatchObject({ sandboxOn: false, platform: { isSandbox: false, authorizeUrl: null, tokenEndpoint: null } });
});

test.each([
  [{ PLATFORM_AUTHORIZE_URL: "https://p.example/a", ...CLIENT }, "PLATFORM_AUTHORIZE_URL requires PLATFORM_TOKEN_ENDPOINT"],
  [{ PLATFORM_TOKEN_ENDPOINT: "https://p.example/a", ...CLIENT }, "PLATFORM_TOKEN_ENDPOINT requires PLATFORM_AUTHORIZE_URL"],
  [{ PLATFORM_ISSUER: "https://p.example" }, "PLATFORM_ISSUER requires PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET"],
  [{ PLATFORM_AUTH_URL: "https://p.example", ...CLIENT }, "PLATFORM_AUTH_URL requires PLATFORM_TOKEN_URL"],
])("%j says what it lacks: %s", (given, lacks) => {
  expect(words(given)).toContain(lacks);
});

test.each([
  ["PLATFORM_AUTHORIZE_PARAMS", "prompt=consent&state=1", "must not contain state, which Signalbox sets itself"],
  ["PLATFORM_AUTHORIZE_PARAMS", "scope=a", "must not contain scope, which Signalbox sets itself (PLATFORM_SCOPES)"],
  ["PLATFORM_AUTHORIZE_PARAMS", "response_mode=form_post", "must not contain a response_mode but query"],
  ["PLATFORM_AUTHORIZE_PARAMS", "prompt=consent&prompt=login", "must not contain a parameter twice"],
  ["PLATFORM_AUTHORIZE_PARAMS", "?prompt=consent", "must be parameters, for example"],
  [
    "PLATFORM_AUTHORIZE_URL",
    "https://p.example/a?client_id=x",
    "must not contain client_id, which Signalbox sets itself (PLATFORM_CLIENT_ID) in its query",
  ],
  ["PLATFORM_AUTHORIZE_URL", "https://p.example/#/a", "must be a URL without credentials or fragment"],
  ["PLATFORM_TOKEN_ENDPOINT", "https://me:you@p.example/a?b", "must be a URL without credentials or fragment"],
  ["PLATFORM_ISSUER", "https://p.example/?a", "must be a URL without credentials, query or fragment"],
  ["PLATFORM_TOKEN_AUTH", "digest", "must be body or basic"],
  ["PLATFORM_SCOPE_SEPARATOR", ",", "must be space or comma"],
])("%s=%s is refused: %s", (name, value, why) => {
  expect(words({ ...FULL, [name]: value })).toContain(`${name} ${why}`);
});

test("scopes are written with spaces, or with commas where the platform joins them so", () => {
  const scopes = (given: Record<string, string>) => parseEnv({ ...FULL, ...given }).platform.scopes;
  expect(scopes({ PLATFORM_SCOPES: "read,write all" })).toEqual(["read,write", "all"]);
  expect(scopes({ PLATFORM_SCOPES: "read, write all", PLATFORM_SCOPE_SEPARATOR: "comma" })).toEqual(["read", "write", "all"]);
});
