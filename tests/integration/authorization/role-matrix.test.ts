import { beforeAll, expect, test } from "vitest";
import type { RouteExample } from "#lib/api/route-declaration";
import { can, isOfInstallation } from "#lib/auth/permissions";
import { workspaceId as toWorkspaceId } from "#lib/contracts/api/ids";
import { type Role, role as roleSchema } from "#lib/contracts/auth/settings";
import { prisma } from "#lib/db/prisma";
import { openSession } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { dumpDatabase } from "#tests/support/dump-database";
import { canaryOf, makeExampleWorld } from "#tests/support/example-world";
import { figure } from "#tests/support/figure";
import { callEndpoint, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";
import { atSize, matrixSample, type Sample, valuesOf } from "#tests/support/sample";
import { takeSnapshot } from "#tests/support/world-snapshot";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1", BACKUP_DIR: "no-worker-writes-here" });

const ORIGIN = { origin: "http://localhost:3000" };
/** The log from its beginning: a feed that starts at its end would show nothing of anybody. */
const FROM_THE_START = { from: "0-0" };
const LISTENED_MS = atSize(400, 150);

let cells = 0;
let bytes = 0;
const faults: string[] = [];

/** One cell of the matrix: what was asked, by whom, and what must hold of the answer. */
async function cell(
  name: string,
  endpoint: DeclaredEndpoint,
  cookie: string | null,
  example: RouteExample,
  status: (status: number) => boolean,
  foreignCanary = canaryOf("other"),
) {
  const answer = await callEndpoint(endpoint, { ...ORIGIN, ...(cookie && { cookie }) }, example);
  const text = `${JSON.stringify([...answer.headers])}${await textOf(answer)}`;
  cells += 1;
  bytes += text.length;
  if (!status(answer.status)) faults.push(`${name}: answered ${answer.status} ${text.slice(0, 300)}`);
  if (text.includes(foreignCanary)) faults.push(`${name}: shows something of the other workspace: ${text.slice(0, 300)}`);
  return text;
}

/** The whole body; of a stream what comes within a moment. */
async function textOf(answer: Response): Promise<string> {
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer.text();
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const end = Date.now() + LISTENED_MS;
  while (reader && Date.now() < end) {
    const pause = new Promise<null>((resolve) => setTimeout(() => resolve(null), end - Date.now()));
    const part = await Promise.race([reader.read(), pause]);
    if (part === null || part.done) break;
    text += part.value;
  }
  await reader?.cancel();
  return text;
}

const withFeedStart = ({ declaration: { example }, route }: DeclaredEndpoint): RouteExample =>
  route.endsWith("/feed") ? { ...example, query: { ...example.query, ...FROM_THE_START } } : example;

/** The example with the other workspace's ids, wherever it has ids: in the path, the query or the body. */
const foreignExample = (endpoint: DeclaredEndpoint): RouteExample =>
  JSON.parse(JSON.stringify(withFeedStart(endpoint)).replaceAll(/_example\b/g, "_other")) as RouteExample;

/** Two workspaces with one of everything each, and a session of each role in the first. */
async function makeTwoWorlds(): Promise<Record<Role, string>> {
  const { workspaceId, userId } = await makeExampleWorld();
  await makeExampleWorld("other");
  const cookies = {} as Record<Role, string>;
  for (const role of roleSchema.options) {
    const id = role === "owner" ? userId : `usr_${role}`;
    if (role !== "owner") {
      await prisma().user.create({ data: { id, email: `${id}@example.com` } });
      await prisma().membership.create({ data: { workspaceId, userId: id, role } });
    }
    cookies[role] = (await openSession(workspaceId, id, "totp")).cookie;
  }
  return cookies;
}

/** Every row that is of a world by its name or its canary; backups are of the world that runs the installation. */
async function rowsOf(name: string): Promise<string[]> {
  const named = new RegExp(`_${name}\\b|${canaryOf(name)}${name === "example" ? "|^\\(bak_" : ""}`);
  return (await dumpDatabase())
    .split("\n")
    .filter((line) => named.test(line))
    .sort();
}

/** All roles, or one of those that may call a route and one of those that may not. */
const rolesFor = (sample: Sample, { declaration: { operation } }: DeclaredEndpoint, turn: number): Role[] =>
  [true, false].flatMap((may) => {
    const roles = roleSchema.options.filter((role) => can(role, operation) === may);
    return valuesOf(sample, roles, turn);
  });

/** Returns what a call that the role may make can be answered with, on one's own things. */
function ownAnswers({ declaration: { answers, operation } }: DeclaredEndpoint, role: Role): string[] {
  // The example's session, password and private filter are the owner's own: nobody else's, whatever the role.
  const personal = (operation === "account.manage" || operation === "saved_filters.manage") && role !== "owner";
  return [...Object.keys(answers), ...(personal ? ["404", "409"] : [])];
}

/** On another workspace's: unknown where the path names it; else unknown, or an answer without a byte of it. */
function foreignAnswers(endpoint: DeclaredEndpoint, role: Role): string[] {
  if (JSON.stringify(foreignExample(endpoint)) === JSON.stringify(withFeedStart(endpoint))) return ownAnswers(endpoint, role);
  const inPath = JSON.stringify(endpoint.declaration.example.params ?? {}).includes("_example");
  return inPath ? ["404"] : ["404", ...ownAnswers(endpoint, role)];
}

/** The one reading that changes what is read: an export is downloaded once. */
const DOWNLOADED_ONCE = "GET /api/v1/events/exports/[id]";

let cookies: Record<Role, string>;
let otherOwner: string;
let restore: () => Promise<void>;
beforeAll(async () => {
  cookies = await makeTwoWorlds();
  otherOwner = (await openSession(toWorkspaceId.parse("wsp_other"), "usr_other", "totp")).cookie;
  restore = await takeSnapshot();
});

test("workspace x role x operation, from the inventory of routes", { timeout: 900_000 }, async () => {
  const endpoints = await listDeclared();
  const sample = matrixSample();
  const before = await rowsOf("other");
  let seenOwn = 0;
  for (const [turn, endpoint] of endpoints.entries()) {
    const { declaration, method, route } = endpoint;
    const name = `${method} /${route}`;
    await cell(`nobody ${name}`, endpoint, null, declaration.example, (status) => status === 401);
    for (const role of rolesFor(sample, endpoint, turn)) {
      const may = can(role, declaration.operation);
      const among = (answers: string[]) => (status: number) => (may ? answers.includes(String(status)) : status === 403);
      await cell(
        `${role} ${name} of another workspace`,
        endpoint,
        cookies[role],
        foreignExample(endpoint),
        among(foreignAnswers(endpoint, role)),
      );
      if (method !== "GET" && may) {
        expect(await rowsOf("other"), `${role} ${name} changed the other workspace`).toEqual(before);
        await restore();
      }
      const text = await cell(`${role} ${name}`, endpoint, cookies[role], withFeedStart(endpoint), among(ownAnswers(endpoint, role)));
      if (text.includes(canaryOf("example"))) seenOwn += 1;
      if ((method !== "GET" || name === DOWNLOADED_ONCE) && may) await restore();
    }
  }
  expect(faults).toEqual([]);
  // The canaries are there to be found: most reading answers hold the own workspace's.
  expect(seenOwn).toBeGreaterThan(40);
  figure(
    `${cells} cells (${endpoints.length} routes x nobody and ${sample.all ? 4 : 2} roles, own and foreign ids): 0 let in wrongly, 0 foreign ids known, 0 of ${bytes} bytes from the other workspace`,
  );
});

/** True if nothing is named: what the path or the body names is tried above, with the other's ids. The rest acts on the caller's workspace, or on all. */
const namesNothing = (endpoint: DeclaredEndpoint): boolean => !JSON.stringify(endpoint.declaration.example).includes("_example");

test("what names no record acts on the caller's workspace alone: its sandbox, settings, secrets, members; backups are the first's", async () => {
  const endpoints = (await listDeclared()).filter(namesNothing);
  await restore();
  const before = await rowsOf("example");
  faults.length = 0;
  for (const endpoint of endpoints) {
    const { declaration, method, route } = endpoint;
    const name = `other's owner ${method} /${route}`;
    const allowed = isOfInstallation(declaration.operation) ? ["403"] : [...ownAnswers(endpoint, "owner"), "404"];
    await cell(name, endpoint, otherOwner, withFeedStart(endpoint), (status) => allowed.includes(String(status)), canaryOf("example"));
    if (method === "GET") continue;
    const after = await rowsOf("example");
    if (JSON.stringify(after) !== JSON.stringify(before)) faults.push(`${name}: changed the first workspace`);
    await restore();
  }
  expect(faults).toEqual([]);
  const changes = endpoints.filter(({ method }) => method !== "GET");
  expect(changes.filter(({ route }) => route.startsWith("sandbox/")).length).toBeGreaterThan(5);
  figure(`${endpoints.length} routes that name no record, asked by another workspace's owner: 0 changed or showed the first workspace`);
});
