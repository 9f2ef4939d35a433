import { expect, test } from "vitest";
import { EnvError, parseEnv } from "#lib/config/env";

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
  expect(env.platform.authUrl).toBe("http://localhost:3000/sandbox");
});

test("the address follows the port, and loses a trailing slash", () => {
  expect(parseEnv({ PORT: "8080" }).APP_URL).toBe("http://localhost:8080");
  expect(parseEnv({ APP_URL: "https://signalbox.example/" }).APP_URL).toBe("https://signalbox.example");
});

test("an empty variable counts as unset", () => {
  expect(parseEnv({ DATABASE_URL: "", SANDBOX: "", PLATFORM_AUTH_URL: "" }).DATABASE_URL).toBeUndefined();
});

test("the sandbox goes off with a platform, and on again when asked for", () => {
  const platform = {
    PLATFORM_AUTH_URL: "https://platform.example",
    PLATFORM_TOKEN_URL: "https://platform.example",
    PLATFORM_CLIENT_ID: "id",
    PLATFORM_CLIENT_SECRET: "secret",
  };
  expect(parseEnv(platform).sandboxOn).toBe(false);
  expect(parseEnv({ ...platform, SANDBOX: "on" }).sandboxOn).toBe(true);
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
  ["SANDBOX", "maybe"],
  ["LOG_LEVEL", "loud"],
  ["PLATFORM_TOKEN_BODY", "xml"],
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
