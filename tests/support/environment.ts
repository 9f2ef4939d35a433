type Variables = Record<string, string | undefined>;

/** Makes this process's variables what they were. */
export function giveBackVariables(before: Variables): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}

/** Values that every integration test runs with. Not secrets: nothing outside a test knows them. */
export const TEST_ENV = {
  NODE_ENV: "test",
  APP_URL: "http://localhost:3000",
  NEXTAUTH_URL: "http://localhost:3000",
  NEXTAUTH_SECRET: "a-secret-that-only-the-tests-know-of",
  VAULT_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  WEBHOOK_SECRET: "a-webhook-secret-of-the-tests",
  LOG_LEVEL: "silent",
};
