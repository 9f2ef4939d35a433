import { expect, test, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { useDatabase } from "#tests/support/database";
import { GET as authorize } from "../../../app/sandbox/oauth/authorize/route.ts";
import { choose, openDialog, press, readDialog } from "./platform-client.ts";

useDatabase();

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
