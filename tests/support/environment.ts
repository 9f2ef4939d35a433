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
