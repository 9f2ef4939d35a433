import { expect, test } from "vitest";
import { newAuthRequest } from "#lib/auth/sign-in/auth-request";
import { enterBySso } from "#lib/auth/sso/sso";
import { prisma } from "#lib/db/prisma";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";

useDatabase({
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "client",
  OIDC_CLIENT_SECRET: "secret-of-the-client",
  OIDC_ALLOWED_DOMAINS: "example.com",
  OIDC_FIRST_ROLE: "viewer",
});

test("a name from the provider that the database can't hold keeps nobody out, and a subject that it can't hold names nobody", async () => {
  await makeAccount();
  const profile = { sub: "subject-1", email: "eve@example.com", email_verified: true, name: "E\u0000ve \ud800" };
  await expect(enterBySso(newAuthRequest(new Headers()), profile)).resolves.toBe(true);
  expect(await prisma().user.findUnique({ where: { email: "eve@example.com" } })).toMatchObject({ name: "Eve \ufffd" });
  const refused = await enterBySso(newAuthRequest(new Headers()), { ...profile, sub: "a\u0000b", email: "mallory@example.com" });
  expect(refused).toBe("/sign-in?error=SsoUnverified");
});
