import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { GET as authorize } from "../../../app/sandbox/oauth/authorize/route.ts";
import {
  approve,
  askRevocation,
  askToken,
  askTokenByForm,
  CALLBACK,
  choose,
  exchange,
  openDialog,
  press,
  readDialog,
  refresh,
} from "./platform-client.ts";

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

test("a form with Basic credentials is taken as well as JSON, and neither codes nor tokens stand in the database as they are", async () => {
  const code = await approve();
  const { status, body } = await askTokenByForm({ grant_type: "authorization_code", code, redirect_uri: CALLBACK });
  expect(status).toBe(200);
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

test("the dialog names the app, the accounts to choose from and every scope in words, and is never cached or framed", async () => {
  const dialog = await openDialog();
  expect(dialog.status).toBe(200);
  expect(dialog.headers.get("cache-control")).toBe("no-store");
  expect(dialog.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  const html = await dialog.text();
  for (const words of ["Sandbox platform", "Signalbox", "Acme GmbH", "Globex Corporation", "Read documents", "Read tasks"])
    expect(html).toContain(words);
  expect(html).not.toContain("Read pipelines");
});

test("what the address carries is escaped in the page", async () => {
  const html = await (await openDialog({ state: '"><script>alert(1)</script>' })).text();
  expect(html).not.toContain("<script");
});

test("an unregistered callback gets an error page that says why and sends the browser nowhere", async () => {
  const answer = await openDialog({ redirect_uri: "https://evil.example/callback" });
  expect(answer.status).toBe(400);
  expect(answer.headers.get("location")).toBeNull();
  expect(await answer.text()).toContain("not registered in the OAuth app");
});

test("approving returns a code and the state unchanged, by a 303", async () => {
  const state = "a state/with+signs=&more";
  const { ticket, cookie } = await readDialog(await openDialog({ state }));
  const answer = await press({ ticket, decision: "approve", account: "globex" }, cookie);
  expect(answer.status).toBe(303);
  const { searchParams } = new URL(answer.headers.get("location") ?? "");
  expect(searchParams.get("state")).toBe(state);
  expect(searchParams.get("code")).toMatch(/^code_/);
});

test("denying returns access_denied and the state, and no code", async () => {
  expect(Object.fromEntries(await choose({ decision: "deny" }))).toEqual({
    error: "access_denied",
    error_description: "The permissions were denied.",
    state: "st",
  });
});

test("a decision without the dialog's cookie, with a changed ticket, or too late grants nothing", async () => {
  const { ticket, cookie } = await readDialog(await openDialog());
  const fields = { ticket, decision: "approve", account: "acme" };
  const other = await readDialog(await openDialog());
  const refused = [await press(fields, ""), await press(fields, other.cookie), await press({ ...fields, ticket: `x${ticket}` }, cookie)];
  vi.useFakeTimers({ now: Date.now() + 16 * 60_000, toFake: ["Date"] });
  refused.push(await press(fields, cookie));
  vi.useRealTimers();
  expect(refused.map(({ status, headers }) => [status, headers.get("location")])).toEqual(Array(4).fill([400, null]));
  expect((await press(fields, cookie)).status).toBe(303);
});

test("two dialogs in one browser both work", async () => {
  const first = await readDialog(await openDialog());
  const second = await readDialog(await openDialog({ state: "other" }, first.cookie));
  expect((await press({ ticket: first.ticket, decision: "approve", account: "acme" }, second.cookie)).status).toBe(303);
});

test("each way to misbehave before the exchange shows what it says", async () => {
  expect((await choose({ fault: "deny_without_state" })).has("state")).toBe(false);
  expect((await choose({ fault: "refuse_scope" })).get("error")).toBe("invalid_scope");
  expect((await choose({ fault: "wrong_state" })).get("state")).not.toBe("st");
  expect(Object.fromEntries(await choose({ fault: "no_code" }))).toEqual({ state: "st" });
  const { ticket, cookie } = await readDialog(await openDialog());
  const page = await press({ ticket, decision: "approve", account: "acme", fault: "callback_not_registered" }, cookie);
  expect([page.status, page.headers.get("location")]).toEqual([400, null]);
});

test("where the sandbox is switched off there is no dialog", async () => {
  resetEnv({ SANDBOX: "off" });
  const answer = await authorize(new Request("http://localhost:3000/sandbox/oauth/authorize"));
  expect(answer.status).toBe(404);
});
