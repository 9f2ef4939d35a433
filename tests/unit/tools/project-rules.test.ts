import { describe, expect, test } from "vitest";
import { findOffences } from "../../../tools/project-rules.ts";
import { thinFolders } from "../../../tools/rules/fragments.ts";
import { CROSSINGS, tableOwnership } from "../../../tools/rules/tables.ts";

const lines = (count: number) => "x\n".repeat(count);
/** Offences of these files alone: what the list of crossings and their folders lack here is no matter. */
const offencesOf = (...files: { name: string; text: string }[]) =>
  findOffences(files).filter((words) => !/allows a crossing that is not there|a folder has \d+ or is none/.test(words));

test("a file may have 500 lines, one of components 300 and a route handler 40", () => {
  expect(offencesOf({ name: "lib/flows/long.ts", text: lines(500) })).toEqual([]);
  expect(offencesOf({ name: "lib/flows/long.ts", text: lines(501) })[0]).toContain("501 lines");
  expect(offencesOf({ name: "components/issues/long.tsx", text: lines(300) })).toEqual([]);
  expect(offencesOf({ name: "components/issues/long.tsx", text: lines(301) })[0]).toContain("301 lines");
  expect(offencesOf({ name: "app/api/v1/events/route.ts", text: lines(41) })[0]).toContain("41 lines");
});

test("a folder below a module, a flow's subject or a feature has four files or is none", () => {
  const folder = (name: string, count: number) => Array.from({ length: count }, (_, n) => ({ name: `${name}/file-${n}.ts`, text: "" }));
  for (const name of ["lib/events/feed", "lib/flows/events/feed", "components/events/list"]) {
    expect(thinFolders(folder(name, 3))).toEqual([expect.stringContaining(`${name} has 3 files`)]);
    expect(thinFolders(folder(name, 4))).toEqual([]);
  }
  for (const name of ["lib/outages", "lib/flows/outages", "components/docs", "app/health/live", "tests/field"])
    expect(thinFolders(folder(name, 1))).toEqual([]);
});

describe("a file under 40 lines with one importer", () => {
  const part = { name: "lib/events/hours.ts", text: lines(39) };
  const whole = { name: "lib/events/count.ts", text: 'import { hours } from "./hours.ts";\n' };

  test("is part of it", () => {
    const told = [expect.stringContaining("lib/events/hours.ts has 39 lines and one importer, lib/events/count.ts")];
    expect(offencesOf(part, whole)).toEqual(told);
    expect(offencesOf(part, { ...whole, text: 'import type { Hours } from "#lib/events/hours";\n' })).toEqual(told);
    expect(offencesOf(part, whole, { name: "tests/unit/hours.test.ts", text: 'import "#lib/events/hours";\n' })).toEqual(told);
  });

  test("is not, with 40 lines or a second importer", () => {
    expect(offencesOf({ ...part, text: lines(40) }, whole)).toEqual([]);
    expect(offencesOf(part, whole, { name: "lib/flows/events/show.ts", text: 'import { hours } from "#lib/events/hours";\n' })).toEqual([]);
  });

  test("is not, where a border, SQL, the browser or the length parts them", () => {
    expect(offencesOf(part, { name: "lib/flows/events/show.ts", text: 'import { hours } from "#lib/events/hours";\n' })).toEqual([]);
    expect(offencesOf(part, { ...whole, name: "lib/events/count-store.ts" })).toEqual([]);
    expect(offencesOf(part, { ...whole, text: whole.text + lines(461) })).toEqual([]);
    const button = { name: "components/docs/button.tsx", text: `"use client";\n${lines(9)}` };
    expect(offencesOf(button, { name: "components/docs/page.tsx", text: 'import { Button } from "./button.tsx";\n' })).toEqual([]);
  });

  test("is not, where it is loaded later, found by Next, or one of four of a registry", () => {
    const later = 'import type { Hours } from "./hours.ts";\nconst hours = () => import("./hours.ts");\n';
    expect(offencesOf(part, { ...whole, text: later })).toEqual([]);
    const page = { name: "app/events/page.tsx", text: "" };
    expect(offencesOf(page, { name: "app/page.tsx", text: 'import { size } from "./events/page.tsx";\n' })).toEqual([]);
    const senders = ["a", "b", "c", "d"].map((name) => ({ name: `lib/events/senders/${name}.ts`, text: "" }));
    const registry = { name: "lib/events/registry.ts", text: senders.map(({ name }) => `import "./${name.slice(11)}";\n`).join("") };
    expect(offencesOf(...senders, registry)).toEqual([]);
  });
});

test("the environment is read in lib/config alone", () => {
  const text = "const port = process.env.PORT;";
  expect(offencesOf({ name: "app/api/v1/events/route.ts", text })[0]).toContain("process.env");
  expect(offencesOf({ name: "lib/flows/connect.ts", text })).toHaveLength(1);
  expect(offencesOf({ name: "lib/config/env.ts", text })).toEqual([]);
  expect(offencesOf({ name: "lib/flows/connect.ts", text: " * never process.env" })).toEqual([]);
});

test("SQL is sent by stores alone", () => {
  for (const text of ['await client.query("SELECT 1")', "pool().query<Row>(`SELECT`)"]) {
    expect(offencesOf({ name: "lib/flows/connect.ts", text })[0]).toContain("store");
    expect(offencesOf({ name: "lib/connections/connection-store.ts", text })).toEqual([]);
  }
  expect(offencesOf({ name: "lib/flows/connect.ts", text: "prisma().$queryRaw`SELECT`" })[0]).toContain("store");
});

test("a call of Prisma is one statement on its own connection", () => {
  const name = "lib/connections/connection-store.ts";
  for (const text of ["prisma().user.findUnique({})", "prisma(client).$transaction([])", "prisma()\n  .$queryRaw`SELECT`"])
    expect(offencesOf({ name, text })[0]).toContain("may leave its transaction");
  expect(offencesOf({ name, text: "prisma(client).connection.findFirst({})" })).toEqual([]);
});

test("the time is handed in, beside what is a source of time", () => {
  for (const text of ["const now = new Date();", "f({ now = new Date() })", "const since = Date.now();", "read(Date.now)"]) {
    expect(offencesOf({ name: "lib/connections/connection-store.ts", text })[0]).toContain("connection-store.ts:1 reads the time");
    for (const name of ["lib/processes/start.ts", "lib/background/loop.ts", "lib/client/stamp.ts", "lib/time/clock.ts", "app/page.tsx"])
      expect(offencesOf({ name, text })).toEqual([]);
  }
  for (const text of ["new Date(now.getTime() + 1)", "Date.parse(at)", "f(clock = systemClock)"])
    expect(offencesOf({ name: "lib/flows/connect.ts", text })).toEqual([]);
  expect(offencesOf({ name: "lib/connections/connection-store.ts", text: "f(clock = systemClock)" })).toHaveLength(1);
});

test("what a page loads imports no values of a contract that brings Zod", () => {
  const contracts = [
    { name: "lib/contracts/auth/roles.ts", text: 'import * as z from "zod/mini";\nexport const role = z.enum(["owner"]);\n' },
    { name: "lib/contracts/auth/members.ts", text: 'import {\n  type Role,\n  role,\n} from "./roles.ts";\n' },
    { name: "lib/contracts/counts.ts", text: 'import type { Role } from "./auth/roles.ts";\n' },
  ];
  const told = (text: string, name = "components/settings/roles.tsx") =>
    offencesOf(...contracts, { name, text }).filter((words) => words.includes("brings Zod"));
  expect(told('import { role } from "#lib/contracts/auth/members";')[0]).toContain("components/settings/roles.tsx imports values of");
  expect(told('import { role } from "#lib/contracts/auth/roles";', "lib/client/queries/roles.ts")).toHaveLength(1);
  for (const allowed of ['import type { Role } from "#lib/contracts/auth/roles";', 'import { counted } from "#lib/contracts/counts";'])
    expect(told(allowed)).toEqual([]);
  expect(told('import { role } from "#lib/contracts/auth/roles";', "app/(dashboard)/page.tsx")).toEqual([]);
});

test("a body is read within bounds", () => {
  expect(offencesOf({ name: "app/api/join/route.ts", text: "await request.text()" })[0]).toContain("any size");
});

test("a route or page reads from stores and changes nothing past a flow", () => {
  const text = (names: string) => `import { ${names} } from "#lib/auth/members/member-store";`;
  expect(offencesOf({ name: "app/api/v1/members/route.ts", text: text("listMembers, type Member") })).toEqual([]);
  expect(offencesOf({ name: "app/api/v1/members/route.ts", text: text("listMembers, removeMember") })[0]).toContain("removeMember");
});

test("a route that changes something uses its audit, or hands on the context that has it", () => {
  const route = (method: string, handle: string) => `defineRoute("${method}", {\n  summary: "x",\n  handle: ${handle},\n})`;
  const reads = route("GET", "({ actor }) => list(actor)");
  const silent = route("POST", "({ actor }) => change(actor)");
  const audited = route("DELETE", "({ actor, audit }) => remove(actor, audit)");
  const name = "app/api/v1/things/route.ts";
  const handedOn = route("POST", "({ context, body }) => change(context, body)");
  expect(offencesOf({ name, text: reads + audited + handedOn })).toEqual([]);
  const chained = (reads + silent + audited).replaceAll("})defineRoute(", "}).and(");
  expect(offencesOf({ name, text: chained })).toEqual([expect.stringContaining("by POST and does not use `audit`")]);
  const wrapped = `export const PUT = whileSandboxOn(\n  defineRoute("PUT", {\n    handle: async ({ body }) => save(body),\n  }).PUT,\n);\n`;
  expect(offencesOf({ name: "app/sandbox/api/things/route.ts", text: wrapped })[0]).toContain("by PUT");
});

test("a store names the tables of its own module, and a crossing is listed with its reason", () => {
  const text = "SELECT 1 FROM memberships";
  expect(offencesOf({ name: "lib/auth/members/member-store.ts", text })).toEqual([]);
  expect(offencesOf({ name: "lib/issues/cause-store.ts", text })[0]).toContain("memberships, which belongs to lib/auth");
  expect(offencesOf({ name: "lib/processing/inbox-store.ts", text: "FROM due d LEFT JOIN events e" })).toEqual([]);
  for (const call of [
    "prisma().membership.count()",
    'prisma(pool("worker"))\n    .membership.count()',
    "prisma(client).membership.count()",
  ])
    expect(offencesOf({ name: "lib/issues/cause-store.ts", text: call })[0]).toContain("memberships, which belongs to lib/auth");
  expect(CROSSINGS.every(({ reason }) => reason.length > 15)).toBe(true);
});

test("a crossing that is not there any more is struck off the list", () => {
  expect(tableOwnership([])[0]).toContain("allows a crossing that is not there");
});

test("a name that was given up does not come back", () => {
  expect(offencesOf({ name: "lib/ingest/limits.ts", text: "class RefusalLimits {}" })[0]).toContain("given up");
  expect(offencesOf({ name: "components/sandbox/page.tsx", text: '<h2 title="Tell a story">' })[0]).toContain("run a scenario");
  expect(offencesOf({ name: "components/issues/page.tsx", text: '<PageHeader title="Failures" />' })[0]).toContain("issues");
  expect(offencesOf({ name: "components/settings/page.tsx", text: "<Button>Make the link</Button>" })[0]).toContain("create invite");
  expect(offencesOf({ name: "lib/contracts/quarantine.ts", text: "  admitted: z.int()," })[0]).toContain("released");
  expect(offencesOf({ name: "components/ui/json/json-node.tsx", text: 'label="Unfold"' })[0]).toContain("expand");
  expect(offencesOf({ name: "tests/e2e/40-start.spec.ts", text: 'test("row 21: nothing runs")' })[0]).toContain("the subject");
  expect(offencesOf({ name: "tests/integration/ingest/row-9-signatures.test.ts", text: "" })[0]).toContain("by its subject");
});

test("a thing has one doc comment", () => {
  const offences = (text: string) => offencesOf({ name: "lib/events/count.ts", text });
  for (const gap of ["\n", "\n\n"])
    expect(offences(`const a = 1;\n/** Bytes. */${gap}/** At most. */\nconst b = 2;\n`)).toEqual([
      expect.stringContaining("count.ts:2 has two doc comments"),
    ]);
  expect(offences("// Events by the hour.\n\n/** Bytes. */\nconst a = 1;\n/** Bytes. */\nconst b = 2;\n")).toEqual([]);
  expect(offences("type A = {\n  /** Bytes. */\n  a: 1;\n  /** Seconds. */\n  b: 2;\n};\n")).toEqual([]);
});

test.each([
  ["/** The rows. */\nconst rows = [];", "rows"],
  ["/** Returns the count of events. */\nexport function countEvents(): number {}", "countEvents"],
  ["/**\n * Renews a token.\n */\nexport const renewToken = () => 1;", "renewToken"],
  ["/** Shows an events page. */\nexport function EventsPage({ rows }: Props) {}", "EventsPage"],
  ["type Row = {\n  /** The event's ID. */\n  eventId: string;\n};", "eventId"],
  ["/** A listener. */\nexport class Listener extends Base {}", "Listener"],
])("a doc comment that says the name again is rejected: %j", (text, name) => {
  expect(offencesOf({ name: "lib/events/count.ts", text })).toEqual([expect.stringContaining(`says the name ${name} again`)]);
});

test.each([
  "/** At most 1,001. */\nexport function countEvents(): number {}",
  "/** Unix milliseconds. */\nconst receivedAt = 1;",
  "/** @throws AppError `not_found` */\nexport function findEvent() {}",
  "/** Returns the count of events that failed. */\nexport function countEvents(): number {}",
  "/** RFC 7009. */\nexport const POST = 1;",
  "// The rows.\nconst rows = [];",
])("a doc comment that says more than the name is none of it: %j", (text) => {
  expect(offencesOf({ name: "lib/events/count.ts", text })).toEqual([]);
});
