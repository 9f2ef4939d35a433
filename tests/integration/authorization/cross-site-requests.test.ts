import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database";
import { dumpDatabase } from "#tests/support/dump-database";
import { makeExampleWorld } from "#tests/support/example-world";
import { callEndpoint, callExample, listDeclared } from "#tests/support/routes";
import { atSize } from "#tests/support/sample";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1", BACKUP_DIR: "no-worker-writes-here" });

/** Origins that a forged request may claim; ours is http://localhost:3000. */
const ORIGINS = [
  undefined,
  "",
  "null",
  "https://evil.example",
  "http://localhost:3000.evil.example",
  "http://evil.example/http://localhost:3000",
  "https://localhost:3000",
  "http://localhost:3001",
  "http://localhost",
  "http://sub.localhost:3000",
  "http://localhost:3000@evil.example",
];
/** Content types that a form, or a fetch without a preflight, can send. */
const CONTENT_TYPES = [
  "application/json",
  "text/plain",
  "text/plain;application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
];

/** All content types; in the quick suite one for each origin, in turn. */
const contentTypes = (turn: number) =>
  Array.from({ length: atSize(CONTENT_TYPES.length, 1) }, (_, at) => CONTENT_TYPES[(turn + at) % CONTENT_TYPES.length] ?? "");

/** Everything that is stored, but for the note of when a session was seen last. */
const stored = async () =>
  (await dumpDatabase())
    .replaceAll(/"\d{4}-\d\d-\d\d [^"]*"/g, "T")
    .split("\n")
    .sort();

test("a change that another site asks for changes nothing, whatever it claims to be", { timeout: 120_000 }, async () => {
  const { cookie } = await makeExampleWorld();
  const changes = (await listDeclared()).filter(({ method }) => method !== "GET");
  const before = await stored();
  for (const endpoint of changes) {
    for (const [turn, origin] of ORIGINS.entries()) {
      for (const type of contentTypes(turn)) {
        const answer = await callExample(endpoint, { cookie, "content-type": type, ...(origin !== undefined && { origin }) });
        expect(answer.status, `${endpoint.method} /${endpoint.route} from ${origin} as ${type}`).toBe(403);
        expect(await answer.json()).toMatchObject({ code: "origin_mismatch" });
      }
    }
  }
  expect(await stored()).toEqual(before);
});

test("a body that is not called JSON is refused even from our own pages", async () => {
  const { cookie } = await makeExampleWorld("second");
  const withBody = (await listDeclared()).filter(({ declaration, method }) => method !== "GET" && declaration.body);
  for (const endpoint of withBody) {
    for (const type of CONTENT_TYPES.slice(1)) {
      const answer = await callExample(
        endpoint,
        { cookie, origin: "http://localhost:3000", "content-type": type },
        { body: { any: "thing" } },
      );
      expect(answer.status, `${endpoint.method} /${endpoint.route} as ${type}`).toBe(415);
    }
  }
});

test("reading changes nothing", { timeout: 120_000 }, async () => {
  const { cookie } = await makeExampleWorld("third");
  const reads = (await listDeclared()).filter(({ method, route }) => method === "GET" && !route.endsWith("/feed"));
  const before = await stored();
  for (const endpoint of reads) await callEndpoint(endpoint, { cookie }, endpoint.declaration.example);
  expect(await stored()).toEqual(before);
});
