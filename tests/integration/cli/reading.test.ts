import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertApiKey, revokeApiKey } from "#lib/auth/api-key-store";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import { openApiServer } from "#tests/support/api-server";
import { type Ended, runCommand, startCommand } from "#tests/support/command-line";
import { useDatabase } from "#tests/support/database";
import { type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { fileAll } from "#tests/support/log-writer";
import { loseUnlogged } from "#tests/support/lost-search";
import { makeOpenFolder } from "#tests/support/open-folder";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { envelope, SECRET, sign, signed } from "#tests/support/webhooks";

useDatabase({ SANDBOX: "on" });

let world: ExampleWorld;
let server: { url: string; close: () => Promise<void> };
let place: { folder: string; url: string; key: string };
let viewerKey: string;

beforeAll(async () => {
  world = await makeExampleWorld();
  server = await openApiServer();
  const { key } = await insertApiKey(world.workspaceId, { name: "cli", role: "developer", createdBy: null });
  viewerKey = (await insertApiKey(world.workspaceId, { name: "viewer", role: "viewer", createdBy: null })).key;
  place = { folder: makeOpenFolder("signalbox-cli-"), url: server.url, key };
});
afterAll(() => server.close());

const run = (args: string[], input?: string) => runCommand(place, args, input);
const lines = ({ stdout }: Ended) => stdout.trim().split("\n");

it("lists events as a table, as JSON lines and as IDs, filtered as in the API", { tags: ["deep"] }, async () => {
  const pretty = await run(["events", "ls", "--type", "document.error"]);
  expect(pretty).toMatchObject({ code: 0, stderr: "" });
  expect(lines(pretty)).toHaveLength(2);
  expect(pretty.stdout).toMatch(/^RECEIVED\s+STATE\s+TYPE\s+RESOURCE\s+ID\s+WHY\n.*document\.error/);
  expect(pretty.stdout).not.toContain("\u001b");
  const ndjson = await run(["events", "ls", "--output", "ndjson"]);
  const ids = lines(ndjson).map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids).toContain("evt_example");
  expect(lines(await run(["--output", "quiet", "events", "ls", "--limit", "0"]))).toEqual(ids);
  expect(await run(["events", "ls", "--resource", "doc_of_nobody"])).toEqual({ code: 0, stdout: "", stderr: "No event matches.\n" });
});

it("says how far back a search looked while the search index is being rebuilt", async () => {
  await loseUnlogged();
  const { code, stderr } = await run(["events", "ls", "--q", "acme"]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/Searched back to \d{4}-\d\d-\d\d .*newest events first: \d+ older events to go\.\n/),
  ]);
  await fileAll();
  expect((await run(["events", "ls", "--q", "acme"])).stderr).not.toContain("Searched back");
});

it("shows an event, and its body to the byte", async () => {
  const shown = await run(["events", "get", "evt_example"]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/Event\s+evt_example[\s\S]*Effects[\s\S]*Payload/);
  const raw = await run(["events", "get", "evt_example", "--raw"]);
  expect(JSON.parse(raw.stdout)).toMatchObject({ id: "evt_example" });
  const gone = await run(["events", "get", "evt_none"]);
  expect(gone).toEqual({ code: 1, stdout: "", stderr: "signalbox: There is no event with that ID.\n" });
});

it("lists and changes issues, and explains quarantined requests", { tags: ["deep"] }, async () => {
  expect(await run(["issues", "causes"])).toMatchObject({ code: 0, stderr: expect.stringContaining("No open issues share a cause.") });
  const [id = ""] = lines(await run(["issues", "ls", "--output", "quiet"]));
  expect((await run(["issues", "show", id])).stdout).toMatch(/What\s.*\nWhy\s.*\nFix\s/);
  expect(await run(["issues", "resolve", id])).toMatchObject({ code: 0, stdout: expect.stringMatching(/is resolved now/) });
  const [request = ""] = lines(await run(["quarantine", "ls", "--output", "quiet"]));
  const { stdout } = await run(["quarantine", "explain", request]);
  expect(stdout).toMatch(/Verdict\s+\S[\s\S]*Fix\s+\S/);
  expect(stdout).toMatch(new RegExp(`Page\\s+\\S+/quarantine/${request}\\s`)); // the page of that request
});

it("lists sources, pauses and resumes one, and lists issues and quarantined requests by source", { tags: ["deep"] }, async () => {
  const adminKey = (await insertApiKey(world.workspaceId, { name: "admin", role: "admin", createdBy: null })).key;
  const asAdmin = (args: string[]) => runCommand({ ...place, key: adminKey }, args);
  const [name = ""] = lines(await run(["sources", "ls", "--output", "quiet"]));
  expect((await run(["sources", "ls"])).stdout).toMatch(/^NAME\s+SENDER\s+STATE\s+LAST\s+URL\n/);
  expect(await asAdmin(["sources", "pause", name])).toMatchObject({ code: 0, stdout: `${name} is paused now.\n` });
  expect((await run(["sources", "ls"])).stdout).toMatch(/ paused /);
  expect(await run(["sources", "resume", name])).toMatchObject({ code: 1, stderr: expect.stringContaining("role") });
  expect(await asAdmin(["sources", "resume", name])).toMatchObject({ code: 0, stdout: `${name} is receiving now.\n` });
  expect(await asAdmin(["sources", "pause", "nobody"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no source named nobody"),
  });
  for (const list of ["issues", "quarantine"]) {
    expect(lines(await run([list, "ls", "--source", name, "--output", "quiet"]))[0]).not.toBe("");
    expect((await run([list, "ls", "--source", "nobody", "--output", "quiet"])).stdout).toBe("");
  }
});

it("writes types that name every type of the catalogue, and triggers events of the sandbox", { tags: ["deep"] }, async () => {
  const { stdout, code } = await run(["types"]);
  expect(code).toBe(0);
  expect(stdout).toContain('export type DocumentProcessed = SignalboxEnvelope<"document.processed", {\n  "documentId": string;');
  for (const type of EVENT_TYPES) expect(stdout).toContain(JSON.stringify(type));
  expect(stdout.match(/^ {2}\| /gm)).toHaveLength(EVENT_TYPES.length);
  expect(await run(["trigger", "document.processed"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Queued evt_/) });
});

it("says offline why a signature does not verify, with exit code 1", async () => {
  const file = path.join(place.folder, "secret");
  writeFileSync(file, `${SECRET}\n`);
  const verify = (signature: string) => run(["verify", "--secret-file", file, "--signature", signature], '{"id":"evt_1"}');
  expect(await verify(sign('{"id":"evt_1"}'))).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓/) });
  const wrong = await verify(sign('{"id":"evt_1"}', `${SECRET}\n`));
  expect(wrong).toMatchObject({ code: 1, stdout: expect.stringMatching(/^✗/) });
  expect(wrong.stdout + wrong.stderr).not.toContain(SECRET);
});

it("keeps a key in a file that its owner alone can read, and uses it for its own URL alone", { tags: ["deep"] }, async () => {
  const folder = makeOpenFolder("signalbox-cli-");
  const login = await runCommand({ folder }, ["login", server.url], `${place.key}\n`);
  expect(login).toMatchObject({ code: 0, stdout: `Logged in to ${server.url}: canary-example-7f3a, as developer.\n` });
  const file = path.join(folder, "credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain(place.key);
  expect((await runCommand({ folder }, ["whoami"])).stdout).toMatch(/Role\s+developer/);
  expect((await runCommand({ folder }, ["whoami", "--url", "http://127.0.0.1:6553"])).stderr).toMatch(
    /^signalbox: There is no API key for http:\/\/127.0.0.1:6553/,
  );
  const wrong = await runCommand({ folder }, ["login", server.url], "sbx_wrong\n");
  expect(wrong).toMatchObject({ code: 1, stdout: "" });
});

it("has words for a wrong, a revoked, an expired and a viewer's key, each without the key itself", { tags: ["deep"] }, async () => {
  const viewer = { name: "old", role: "viewer", createdBy: null } as const;
  const { key: expired } = await insertApiKey(world.workspaceId, { ...viewer, expiresAt: new Date("2026-01-31T00:00:00Z") });
  const revoked = await insertApiKey(world.workspaceId, viewer);
  await revokeApiKey(world.workspaceId, revoked.id, new Date());
  const rejected =
    /not accept the API key: it is mistyped, was revoked, or belongs to another installation\.\nIt is from SIGNALBOX_API_KEY/;
  const words: [key: string, says: RegExp][] = [
    [`sbx_${"x".repeat(40)}`, rejected],
    [revoked.key, rejected],
    [expired, /This API key expired on 2026-01-31/],
  ];
  for (const [key, says] of words) {
    const { code, stdout, stderr } = await runCommand({ ...place, key }, ["events", "ls"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain(key);
  }
  const release = await runCommand({ ...place, key: viewerKey }, ["quarantine", "release", "qua_example"]);
  expect(release).toMatchObject({ code: 1, stderr: expect.stringMatching(/role|viewer/) });
});

it("has words for a server that is unreachable, no Signalbox, or of another version", { tags: ["deep"] }, async () => {
  const nothing = await runCommand({ ...place, url: "http://127.0.0.1:6553" }, ["events", "ls"]);
  expect(nothing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Can't reach http:\/\/127.0.0.1:6553: nothing is listening there/),
  });
  const other = await answering((path) => (path.startsWith("/api/v1/session") ? [404, "text/html", "<html>"] : OLD));
  expect((await runCommand({ ...place, url: other }, ["whoami"])).stderr).toMatch(/answered 404, but not with a Signalbox response/);
  const old = await runCommand({ ...place, url: other }, ["types"]);
  expect(old).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has no \/api\/v1\/event-types\.\nThe server is version 0\.0\.9, this command \d/),
  });
});

const OLD: [number, string, string] = [
  404,
  "application/problem+json",
  JSON.stringify({ code: "not_found", detail: "The API has no such URL." }),
];

async function answering(answer: (path: string) => [number, string, string]): Promise<string> {
  const server = createServer((request, response) => {
    const [code, type, body] = answer(request.url ?? "");
    response.writeHead(code, { "content-type": type, "signalbox-version": "0.0.9" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("prints nothing of what a server says that would move the cursor or forge a line", { tags: ["deep"] }, async () => {
  const forged = "Acme\u001b]0;owned\u0007\u001b[2J\nSignalbox: all is well\u009b31m\u202e";
  const session = JSON.stringify({ user: null, workspace: { id: "w", name: forged }, role: forged });
  const refused = JSON.stringify({ code: "forbidden", status: 403, title: "No", detail: forged });
  const url = await answering((path) =>
    path.startsWith("/api/v1/session") ? [200, "application/json", session] : [403, "application/problem+json", refused],
  );
  const outputs = [
    await runCommand({ ...place, url }, ["whoami"]),
    await runCommand({ folder: makeOpenFolder("signalbox-cli-") }, ["login", url], `${place.key}\n`),
    await runCommand({ ...place, url }, ["events", "ls"]),
    await runCommand({ ...place, url }, ["issues", "show", "iss_1"]),
  ];
  for (const { stdout, stderr } of outputs) {
    expect(stdout + stderr).toContain("Acme\\x1b]0;owned");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^Signalbox: all is well/m);
  }
});

it("sends no key over http to another machine, unless it is told to", { tags: ["deep"] }, async () => {
  for (const args of [["whoami"], ["events", "ls"], ["listen", "4000"]]) {
    const { code, stdout, stderr } = await runCommand({ ...place, url: "http://signalbox.invalid" }, args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^signalbox: http:\/\/signalbox\.invalid is not encrypted, so the API key could be intercepted\.\n.*https:/);
    expect(stderr).not.toContain(place.key);
  }
  const told = { ...place, url: "http://signalbox.invalid" };
  expect((await runCommand(told, ["whoami", "--allow-http"])).stderr).toMatch(/Can't reach http:\/\/signalbox\.invalid/);
  const environment = { SIGNALBOX_ALLOW_HTTP: "1" };
  expect((await runCommand({ ...told, environment }, ["whoami"])).stderr).toMatch(/Can't reach http:\/\/signalbox\.invalid/);
  const login = await runCommand({ folder: makeOpenFolder("signalbox-cli-") }, ["login", "http://signalbox.invalid"], `${place.key}\n`);
  expect(login).toMatchObject({ code: 2, stderr: expect.stringMatching(/is not encrypted/) });
});

it("ends with 2 for wrong usage", { tags: ["deep"] }, async () => {
  for (const args of [
    ["events", "lst"],
    ["events", "ls", "--nonsense"],
    ["events", "ls", "--limit", "x"],
    ["listen"],
    ["--output", "xml", "whoami"],
  ]) {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout], args.join(" ")).toEqual([2, ""]);
    expect(stderr).not.toBe("");
  }
});

it("completes commands and flags in bash", { tags: ["deep"] }, async () => {
  const { stdout } = await run(["completion", "bash"]);
  const ask = `${stdout}\nCOMP_WORDS=(signalbox events l); COMP_CWORD=2; _signalbox; echo "\${COMPREPLY[*]}"`;
  expect(spawnSync("bash", ["-c", ask], { encoding: "utf8" }).stdout.trim()).toBe("ls");
});

it("tails the log", { tags: ["deep"] }, async () => {
  const tail = startCommand(place, ["events", "tail", "--output", "ndjson"]);
  await tail.printed(/Waiting for events/);
  await receiveUntilKept(createReceiver(), { source: "source-example", ...signed(envelope({ id: "evt_tailed" })) });
  await tail.printed(/evt_tailed/);
  tail.child.kill("SIGINT");
  expect((await tail.ended).code).toBe(0);
});
