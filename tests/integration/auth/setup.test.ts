import { beforeEach, expect, test } from "vitest";
import { findActor } from "#lib/auth/find-actor";
import { signIn } from "#lib/auth/sign-in/sign-in";
import { resetEnv } from "#lib/config/env";
import { workspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { completeSetup, findSetupState, prepareWorkspace } from "#lib/flows/members/set-up-workspace";
import { listSources } from "#lib/sources/source-store";
import { useDatabase } from "#tests/support/database";
import { POST } from "../../../app/api/setup/route.ts";

useDatabase();

const person = { email: "Ada@Example.com", name: "Ada", password: "tram-violet-7-lake" };
const NONE = { OWNER_EMAIL: "", OWNER_PASSWORD: "", INIT_API_KEY: "", WEBHOOK_SECRET: "first-webhook-secret" };

beforeEach(async () => {
  await pool().query("TRUNCATE users, workspaces, setup_links, sign_in_failures CASCADE");
  resetEnv(NONE);
});

const tokenOf = (setupUrl: string | null) => new URL(setupUrl ?? "http://none").searchParams.get("token") ?? "";
const freshToken = async () => tokenOf((await prepareWorkspace({ now: new Date() })).setupUrl);
const onlyWorkspace = async () => workspaceId.parse((await prisma().workspace.findFirstOrThrow()).id);

test("a web process that starts later replaces a link that nobody used: the start that made it may have failed", async () => {
  const { setupUrl } = await prepareWorkspace({ links: "first", now: new Date(Date.now() - 3 * 60_000) });
  const again = await prepareWorkspace({ now: new Date(), links: "first" });
  expect(await findSetupState(tokenOf(again.setupUrl), new Date())).toBe("open");
  expect(await findSetupState(tokenOf(setupUrl), new Date())).toBe("expired");
});

test("of several web processes one makes the link, also when they start at once, and a worker none", async () => {
  await prisma().setupLink.deleteMany();
  const started = await Promise.all([1, 2, 3].map(() => prepareWorkspace({ now: new Date(), links: "first" })));
  expect(started.filter(({ setupUrl }) => setupUrl !== null)).toHaveLength(1);
  expect(await prepareWorkspace({ now: new Date(), links: "none" })).toEqual({ setupUrl: null });
  expect(await prepareWorkspace({ links: "first", now: new Date(Date.now() + 25 * 3_600_000) })).not.toEqual({ setupUrl: null });
});

test("the first start prints a link that is nowhere in the database; the link makes the owner, the workspace and its source, once", async () => {
  const { setupUrl } = await prepareWorkspace({ now: new Date() });
  expect(setupUrl).toMatch(/^http:\/\/localhost:3000\/setup\?token=[\w-]{43}$/);
  const token = tokenOf(setupUrl);
  expect(JSON.stringify(await prisma().setupLink.findMany())).not.toContain(token);
  await expect(completeSetup({ ...person, token }, new Date())).resolves.toMatchObject({ outcome: "created" });
  const { outcome } = await signIn({ email: "ada@example.com", password: person.password }, new Date());
  expect(outcome).toBe("signed_in");
  expect(await listSources(await onlyWorkspace())).toMatchObject([{ name: "platform", secrets: [{ validUntil: null }] }]);
  await expect(completeSetup({ ...person, token }, new Date())).resolves.toEqual({ outcome: "link_rejected", state: "done" });
  await expect(prepareWorkspace({ now: new Date() })).resolves.toEqual({ setupUrl: null });
});

test("a refused password leaves the link usable; an old or foreign link is refused", async () => {
  const token = await freshToken();
  await expect(completeSetup({ ...person, password: "short", token }, new Date())).resolves.toMatchObject({ outcome: "weak_password" });
  await expect(findSetupState(token, new Date())).resolves.toBe("open");
  await expect(completeSetup({ ...person, token }, new Date(Date.now() + 25 * 3_600_000))).resolves.toMatchObject({ state: "expired" });
  await expect(completeSetup({ ...person, token: "made-up" }, new Date())).resolves.toMatchObject({ state: "unknown" });
});

test("two set-ups at the same moment make one owner", async () => {
  const [one, two] = [await freshToken(), await freshToken()];
  const results = await Promise.all([
    completeSetup({ ...person, token: one }, new Date()),
    completeSetup({ ...person, email: "b@example.com", token: two }, new Date()),
  ]);
  expect(results.map(({ outcome }) => outcome).sort()).toEqual(["created", "link_rejected"]);
  expect(await prisma().user.count()).toBe(1);
});

test("OWNER_EMAIL makes the owner without a link, and INIT_API_KEY an admin's key that works at once", async () => {
  const key = `sbx_${"k".repeat(40)}`;
  resetEnv({ OWNER_EMAIL: person.email, OWNER_PASSWORD: person.password, INIT_API_KEY: key });
  await expect(prepareWorkspace({ now: new Date() })).resolves.toEqual({ setupUrl: null });
  await prepareWorkspace({ now: new Date() });
  const actor = await findActor(new Headers({ authorization: `Bearer ${key}` }), new Date());
  expect(actor).toMatchObject({ role: "admin", workspaceName: "Ada's workspace", by: { kind: "key" } });
  expect(await prisma().apiKey.count()).toBe(1);
  const { rows } = await pool().query(
    "SELECT actor_kind, target_name FROM audit_entries WHERE action = 'key.created' AND workspace_id IN (SELECT id FROM workspaces)",
  );
  expect(rows).toEqual([{ actor_kind: "system", target_name: "INIT_API_KEY" }]);
});

test("a changed WEBHOOK_SECRET becomes the active one and the old one stays valid for a day; a retired one stays retired", async () => {
  resetEnv({ OWNER_EMAIL: person.email, OWNER_PASSWORD: person.password });
  await prepareWorkspace({ now: new Date() });
  resetEnv({ WEBHOOK_SECRET: "second-webhook-secret" });
  await prepareWorkspace({ now: new Date() });
  await prepareWorkspace({ now: new Date() });
  const [source] = await listSources(await onlyWorkspace());
  expect(source?.secrets).toHaveLength(2);
  expect(source?.secrets[0]?.validUntil).toBeNull();
  const hoursLeft = ((source?.secrets[1]?.validUntil?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hoursLeft).toBeCloseTo(24, 1);
  resetEnv({ WEBHOOK_SECRET: "first-webhook-secret" });
  await prepareWorkspace({ now: new Date() });
  expect((await listSources(await onlyWorkspace()))[0]?.secrets[0]?.id).toBe(source?.secrets[0]?.id);
});

test("the set-up's address answers as people need it: 201, or what is wrong in words", async () => {
  const token = await freshToken();
  const ask = (body: unknown) => POST(new Request("http://localhost:3000/api/setup", { method: "POST", body: JSON.stringify(body) }));
  const weak = await ask({ ...person, password: "passwordpassword", token });
  expect(weak.status).toBe(400);
  expect(await weak.json()).toMatchObject({ code: "invalid_request", errors: [{ path: "password" }] });
  expect((await ask({ ...person, email: "nobody", token })).status).toBe(400);
  expect((await ask("not an object")).status).toBe(400);
  expect((await ask({ ...person, token })).status).toBe(201);
  const late = await ask({ ...person, token });
  expect(late.status).toBe(409);
  expect(await late.json()).toMatchObject({ detail: "Signalbox already has an owner. Sign in." });
});
