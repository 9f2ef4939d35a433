import { beforeAll, describe, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { openSession } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { makeExampleWorld } from "#tests/support/example-world";
import { callExample, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";
import { takeSnapshot } from "#tests/support/world-snapshot";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1", BACKUP_DIR: "no-worker-writes-here" });

/** Routes that ask for a recent proof of who somebody is; with a body, only when it is sent. */
const ASKS: [string, Record<string, unknown>?][] = [
  ["POST api/v1/api-keys"],
  ["DELETE api/v1/account/factors/passkeys/[id]"],
  ["DELETE api/v1/account/factors/totp"],
  ["POST api/v1/account/recovery-codes"],
  ["POST api/v1/destinations"],
  ["PATCH api/v1/destinations/[id]", { secret: `whsec_${Buffer.alloc(32, 3).toString("base64")}` }],
  ["PATCH api/v1/destinations/[id]", { url: "https://elsewhere.example.com/hooks" }],
  ["PATCH api/v1/destinations/[id]", { mode: "pass_through" }],
  ["POST api/v1/destinations/[id]/rotate"],
  ["POST api/v1/invitations"],
  ["PATCH api/v1/members/[id]"],
  ["DELETE api/v1/members/[id]"],
  ["DELETE api/v1/members/[id]/factors"],
  ["POST api/v1/sources"],
  ["PATCH api/v1/sources/[id]", { secret: "a-secret-of-the-sender", template: "github" }],
  ["PATCH api/v1/sources/[id]", { scheme: { network: { networks: ["10.0.0.0/8"] } } }],
  ["PATCH api/v1/sources/[id]", { template: "network", scheme: { network: { networks: ["203.0.113.0/24"] } } }],
  ["PATCH api/v1/sources/[id]", { learning: true }],
  ["POST api/v1/sources/[id]/accept-again"],
  ["POST api/v1/sources/[id]/rotate"],
  ["POST api/v1/sources/[id]/verification-token"],
  ["PUT api/v1/workspace/sign-in-policy"],
  ["PUT sandbox/api/secret"],
];

let world: Awaited<ReturnType<typeof makeExampleWorld>>;
let restore: () => Promise<void>;
let endpoints: DeclaredEndpoint[];

beforeAll(async () => {
  endpoints = await listDeclared();
  world = await makeExampleWorld();
  restore = await takeSnapshot();
});

const age = (minutes: number) => pool().query("UPDATE sessions SET confirmed_at = now() - $1 * interval '1 minute'", [minutes]);
const nameOf = ({ method, route }: DeclaredEndpoint) => `${method} ${route}`;
const codeOf = async (answer: Response) => (answer.ok ? String(answer.status) : ((await answer.json()) as { code: string }).code);

function endpointOf(name: string): DeclaredEndpoint {
  const found = endpoints.find((each) => nameOf(each) === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

const call = (endpoint: DeclaredEndpoint, headers: Record<string, string>, body?: Record<string, unknown>) =>
  callExample(endpoint, headers, body ? { body } : {});
const session = () => ({ cookie: world.cookie, origin: "http://localhost:3000" });

describe("a proof of who somebody is within 15 minutes", () => {
  test.each(ASKS.filter(([, body]) => body))("is needed for %s, and 14 minutes are recent enough", async (name, body) => {
    const endpoint = endpointOf(name);
    await age(16);
    const stale = await call(endpoint, session(), body);
    expect([stale.status, await codeOf(stale)]).toEqual([403, "confirmation_required"]);
    await age(14);
    expect(await codeOf(await call(endpoint, session(), body))).not.toMatch(/confirmation/);
    await restore();
  });

  test("is needed for the others of them, and for nothing else", { timeout: 120_000 }, async () => {
    const asked: string[] = [];
    for (const endpoint of endpoints.filter(({ method }) => method !== "GET")) {
      await age(16);
      const stale = await call(endpoint, session());
      if ((await codeOf(stale)).includes("confirmation")) {
        expect([stale.status, stale.headers.get("content-type")]).toEqual([403, "application/problem+json"]);
        asked.push(nameOf(endpoint));
        await age(14);
        expect(await codeOf(await call(endpoint, session())), nameOf(endpoint)).not.toMatch(/confirmation/);
      }
      await restore();
    }
    expect(asked.sort()).toEqual(
      ASKS.filter(([, body]) => body === undefined)
        .map(([name]) => name)
        .sort(),
    );
  });

  test("is another single sign-on for a session that began with one: its sign-in counts for 15 minutes too", async () => {
    const endpoint = endpointOf("POST api/v1/invitations");
    const { rows } = await pool().query<{ userId: string; workspaceId: string }>(
      `SELECT user_id AS "userId", workspace_id AS "workspaceId" FROM memberships WHERE role = 'owner' ORDER BY user_id LIMIT 1`,
    );
    const [owner] = rows;
    const { cookie, sessionHash } = await openSession(owner?.workspaceId as never, owner?.userId ?? "", "totp");
    await pool().query("UPDATE sessions SET method = 'sso' WHERE id_hash = $1", [sessionHash]);
    const headers = { cookie, origin: "http://localhost:3000" };
    expect((await call(endpoint, headers)).status).toBe(201);
    await age(16);
    expect(await codeOf(await call(endpoint, headers))).toBe("sso_confirmation_required");
    await restore();
  });

  test("is not asked of an API key: nobody is at a keyboard", async () => {
    const made = await call(endpointOf("POST api/v1/api-keys"), session(), { name: "a script", role: "admin" });
    const { key } = (await made.json()) as { key: string };
    await age(16);
    for (const name of ["POST api/v1/api-keys", "POST api/v1/invitations", "POST api/v1/sources/[id]/rotate"])
      expect(await codeOf(await call(endpointOf(name), { authorization: `Bearer ${key}` })), name).toMatch(/^20[01]$/);
    await restore();
  });
});
