import { readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { findFirstWorkspace } from "#lib/auth/members/user-store";
import type { Role } from "#lib/contracts/auth/settings";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { cookieOf, enterWithPassword, makePerson, setUpTotp } from "#tests/support/second-factors";

// Pages are called without Next and without proxy.ts: what keeps people out is in the pages themselves.
const asked = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({ headers: async () => asked.headers, cookies: async () => new Map() }));

useDatabase({ SANDBOX: "on" });

const DASHBOARD = path.resolve(import.meta.dirname, "../../../app/(dashboard)");
const FILES = readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" }).filter((file) => path.basename(file) === "page.tsx");
/** Pages that a viewer may not see; a page that asks for such a right and is missing here fails the test. */
const KEEPERS_ONLY = ["settings/audit/page.tsx", "settings/backups/page.tsx", "settings/keys/page.tsx"];
const BUILDERS_ONLY = ["sandbox/page.tsx", "sandbox/receiving-app/page.tsx", "sandbox/senders/page.tsx"];

type Page = (props: { params: Promise<object>; searchParams: Promise<object> }) => Promise<unknown>;

beforeAll(() => vi.stubEnv("__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS", "true"));

/** Returns what calling the page came to: `307 /sign-in`, `403`, `404`, or `shown`. */
async function visit(file: string, cookie: string | null): Promise<string> {
  asked.headers = new Headers({ "x-signalbox-path": "/somewhere", ...(cookie && { cookie }) });
  const { default: page } = (await import(path.join(DASHBOARD, file))) as { default: Page };
  try {
    await page({ params: Promise.resolve({ id: "nothing" }), searchParams: Promise.resolve({}) });
    return "shown";
  } catch (error) {
    const [kind, ...rest] = String((error as { digest?: unknown }).digest ?? error).split(";");
    return kind === "NEXT_REDIRECT" ? `${rest.at(-2)} ${rest[1]}` : (rest[0] ?? String(error));
  }
}

test("with the proxy off every page of the dashboard sends nobody to sign-in before it reads anything", {
  timeout: 120_000,
}, async () => {
  await makeAccount();
  const strangers = [null, "signalbox.session=made-up", `signalbox.session=${"A".repeat(43)}`];
  for (const file of FILES)
    for (const cookie of strangers) expect(await visit(file, cookie), file).toMatch(/^307 \/sign-in\?returnTo=%2F[\w%-]+$/);
  const person = await makePerson();
  await setUpTotp(person.browser);
  const thief = cookieOf(await enterWithPassword(person)); // has the password alone
  for (const file of FILES) expect(await visit(file, thief), file).toMatch(/^307 \/sign-in\/second-factor\?returnTo=%2F/);
});

test("a page that the role may not see answers 403", { timeout: 120_000 }, async () => {
  await makeAccount();
  const workspaceId = (await findFirstWorkspace()) ?? undefined;
  const roles: Role[] = ["owner", "admin", "developer", "viewer"];
  for (const role of roles) {
    const { cookie } = await makeAccount({ role, ...(workspaceId && { workspaceId }) });
    const refused: string[] = [];
    for (const file of FILES) if ((await visit(file, cookie)) === "403") refused.push(file);
    const expected = [...(["owner", "admin"].includes(role) ? [] : KEEPERS_ONLY), ...(role === "viewer" ? BUILDERS_ONLY : [])];
    expect(refused.sort(), role).toEqual(expected.sort());
  }
  const elsewhere = await makeAccount();
  expect(await visit("settings/backups/page.tsx", elsewhere.cookie)).toBe("403");
});
