import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { approve, askRevocation, askToken, askTokenByForm, CALLBACK, exchange, refresh } from "./platform-client.ts";

useDatabase();

test("a code is exchanged for tokens that name their scope, account and life, and are never cached", async () => {
  const { status, headers, body } = await exchange(await approve({}, { account: "globex" }));
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(body).toEqual({
    access_token: expect.stringMatching(/^sat_/),
    refresh_token: expect.stringMatching(/^srt_/),
    token_type: "Bearer",
    expires_in: 600,
    scope: "documents:read tasks:read",
    account: "Globex Corporation",
  });
});

test("a form with Basic credentials is taken as well as JSON", async () => {
  const code = await approve();
  const { status } = await askTokenByForm({ grant_type: "authorization_code", code, redirect_uri: CALLBACK });
  expect(status).toBe(200);
});

test("neither codes nor tokens stand in the database as they are", async () => {
  const code = await approve();
  const { body } = await exchange(code);
  const { rows } = await pool().query(
    "SELECT row_to_json(c)::text AS t FROM sandbox_codes c UNION ALL SELECT row_to_json(g)::text FROM sandbox_grants g",
  );
  const everything = rows.map(({ t }) => t).join();
  for (const secret of [code, body.access_token, body.refresh_token]) expect(everything).not.toContain(secret);
});

test.each([{ client_secret: "wrong" }, { client_id: "another" }, { client_secret: undefined }])(
  "wrong client credentials %o are refused with 401 and leave the code good",
  async (wrong) => {
    const code = await approve();
    const { status, headers, body } = await exchange(code, wrong);
    expect([status, body.error]).toEqual([401, "invalid_client"]);
    expect(headers.get("www-authenticate")).toMatch(/^Basic/);
    expect((await exchange(code)).status).toBe(200);
  },
);

test("a code is refused with another redirect_uri, and after 60 seconds", async () => {
  const code = await approve();
  expect((await exchange(code, { redirect_uri: `${CALLBACK}/` })).body.error).toBe("invalid_grant");
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  const late = await exchange(code);
  vi.useRealTimers();
  expect([late.status, late.body.error]).toEqual([400, "invalid_grant"]);
  expect((await exchange(code)).status).toBe(200);
});

test("a code that is used again is refused, and what the first use gave is revoked", async () => {
  const code = await approve();
  const first = await exchange(code);
  const second = await exchange(code);
  expect([second.status, second.body.error]).toEqual([400, "invalid_grant"]);
  expect((await refresh(first.body.refresh_token)).body.error).toBe("invalid_grant");
});

test("of two exchanges of one code at once, one is refused", async () => {
  const code = await approve();
  const answers = await Promise.all([exchange(code), exchange(code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test("a refresh hands out new tokens; a refresh token that was rotated away is refused and ends the whole grant", async () => {
  const first = await exchange(await approve());
  const second = await refresh(first.body.refresh_token);
  expect(second.status).toBe(200);
  expect(second.body.access_token).not.toBe(first.body.access_token);
  const third = await refresh(second.body.refresh_token);
  expect(third.status).toBe(200);
  expect((await refresh(first.body.refresh_token)).body.error).toBe("invalid_grant");
  expect((await refresh(third.body.refresh_token)).body.error).toBe("invalid_grant");
});

test("it misbehaves on request: fewer permissions, no refresh token, no lifetime, a short life", async () => {
  const granted = async (fault: string) => (await exchange(await approve({}, { fault }))).body;
  expect(await granted("fewer_scopes")).toMatchObject({ scope: "documents:read" });
  expect(await granted("no_refresh_token")).not.toHaveProperty("refresh_token");
  expect(await granted("no_lifetime")).not.toHaveProperty("expires_in");
  const short = await granted("short_life");
  expect(short.expires_in).toBe(30);
  expect((await refresh(short.refresh_token)).body.expires_in).toBe(30);
});

test("it answers slowly or with rubbish on request, at the exchange and at every renewal", {
  tags: ["deep"],
  timeout: 120_000,
}, async () => {
  const [broken, renewals] = [
    await approve({}, { fault: "broken_answer" }),
    await exchange(await approve({}, { fault: "broken_renewals" })),
  ];
  await expect(exchange(broken)).rejects.toThrow(/JSON/);
  await expect(refresh(renewals.body.refresh_token)).rejects.toThrow(/JSON/);
  const since = Date.now();
  const slow = await exchange(await approve({}, { fault: "slow_answer" }));
  expect(slow.status).toBe(200);
  expect(Date.now() - since).toBeGreaterThan(5900);
});

test("with a challenge only its verifier is accepted; without one no verifier is", async () => {
  const code_verifier = "v".repeat(43);
  const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
  const code = await approve({ code_challenge, code_challenge_method: "S256" });
  expect((await exchange(code)).body.error).toBe("invalid_grant");
  expect((await exchange(code, { code_verifier: "w".repeat(43) })).body.error).toBe("invalid_grant");
  expect((await exchange(code, { code_verifier })).status).toBe(200);
  expect((await exchange(await approve(), { code_verifier })).body.error).toBe("invalid_grant");
});

test("the expired code, the rejected client and the outage show when they were asked for", async () => {
  expect((await exchange(await approve({}, { fault: "expired_code" }))).body.error).toBe("invalid_grant");
  expect((await exchange(await approve({}, { fault: "wrong_client" }))).status).toBe(401);
  expect((await exchange(await approve({}, { fault: "platform_down" }))).status).toBe(503);
});

test("a revoked token ends its grant, and revoking an unknown one is no error", async () => {
  const { body } = await exchange(await approve());
  expect((await askRevocation({ token: String(body.access_token) })).status).toBe(200);
  expect((await refresh(body.refresh_token)).body.error).toBe("invalid_grant");
  expect((await askRevocation({ token: "nothing" })).status).toBe(200);
  expect((await askRevocation({ token: "nothing", client_secret: "wrong" })).status).toBe(401);
});

test("another grant type, an absent code and an unknown one each have their error", async () => {
  expect((await askToken({ grant_type: "password" })).body.error).toBe("unsupported_grant_type");
  expect((await askToken({ grant_type: "authorization_code" })).body.error).toBe("invalid_request");
  expect((await exchange("code_nobody")).body.error).toBe("invalid_grant");
});
