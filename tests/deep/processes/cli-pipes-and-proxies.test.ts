import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import path from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { openApiServer } from "#tests/support/api-server";
import { runCommand, startCommand } from "#tests/support/command-line";
import { useDatabase } from "#tests/support/database";
import { makeExampleWorld } from "#tests/support/example-world";
import { makeOpenFolder } from "#tests/support/open-folder";

useDatabase({ SANDBOX: "on" });

let place: { folder: string; url: string; key: string };

beforeAll(async () => {
  const { workspaceId } = await makeExampleWorld();
  const { url, close } = await openApiServer();
  const { key } = await insertApiKey(workspaceId, { name: "cli", role: "developer", createdBy: null });
  place = { folder: makeOpenFolder("signalbox-cli-"), url, key };
  return close;
});

it("a replay whose output nobody reads any more sends the rest, keeps its exit code and writes its report", async () => {
  const got: string[] = [];
  const app = createServer((request, response) => {
    got.push(request.url ?? "");
    // The first is answered well: what fails comes after the reader has gone.
    setTimeout(() => response.writeHead(got.length > 1 ? 500 : 200).end(), 100);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void app.close());
  await once(app, "listening");
  const { port } = app.address() as AddressInfo;
  const report = path.join(place.folder, "replay.xml");
  const running = startCommand(place, ["replay", "--period", "30d", "--to", String(port), "--concurrency", "1", "--junit", report]);
  await running.printed(/✓/);
  running.child.stdout?.destroy();
  const { code, stderr } = await running.ended;
  const sent = got.length;
  expect(sent).toBeGreaterThan(3);
  expect(code).toBe(1);
  expect(stderr).toContain(`${sent} events in`);
  expect(stderr).toContain(`${sent - 1} did not respond with 2xx`);
  expect(await readFile(report, "utf8")).toContain(`tests="${sent}"`);
});

it("a list whose reader has seen enough ends quietly", async () => {
  const running = startCommand(place, ["events", "ls", "--limit", "0"]);
  running.child.stdout?.destroy();
  expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
});

it("goes through the proxy of the environment, but not to hosts that NO_PROXY names; without it the words name the proxy", async () => {
  const asked: string[] = [];
  const proxy = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  proxy.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    // Of this name only the proxy knows the address.
    const there = connect(Number(new URL(place.url).port), "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    there.pipe(socket).pipe(there);
    socket.on("error", () => there.destroy());
    there.on("error", () => socket.destroy());
  });
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const host = `signalbox.invalid:${new URL(place.url).port}`;
  const run = (environment: Record<string, string>) =>
    runCommand({ ...place, url: `http://${host}`, environment }, ["--allow-http", "--output", "quiet", "events", "ls"]);
  const through = `http://someone:not-shown@127.0.0.1:${port}`;
  const found = await run({ HTTP_PROXY: through });
  expect(found).toMatchObject({ code: 0, stderr: "" });
  expect(found.stdout).toContain("evt_example");
  expect(new Set(asked)).toEqual(new Set([host]));
  asked.length = 0;
  const direct = await run({ HTTP_PROXY: through, NO_PROXY: "other.example,.invalid" });
  expect(direct).toMatchObject({ code: 1, stderr: expect.stringContaining("Can't reach http://signalbox.invalid") });
  expect(asked).toEqual([]);
  const gone = await run({ http_proxy: "http://someone:not-shown@127.0.0.1:9" });
  expect(gone.stderr).toContain("http_proxy sets a proxy");
  for (const named of ["someone:not-shown@proxy.example:8080", "10.0.0.1:8080"])
    expect(await run({ HTTP_PROXY: named })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^signalbox: HTTP_PROXY is not a proxy URL\.\n/),
    });
  expect(direct.stderr + gone.stderr).not.toContain("not-shown");
  const local = await runCommand({ ...place, environment: { HTTP_PROXY: "http://127.0.0.1:9" } }, ["--output", "quiet", "events", "ls"]);
  expect(local.code).toBe(0);
});

it("verify says that it has asked the secrets of the files that were named, and no other", async () => {
  const files = ["one", "two"].map((name) => path.join(place.folder, name));
  for (const file of files) writeFileSync(file, "some-other-secret-of-32-characters");
  const args = files.flatMap((file) => ["--secret-file", file]);
  const { code, stdout } = await runCommand(place, ["verify", ...args, "--signature", "ab".repeat(32)], '{"id":"evt_1"}');
  expect(code).toBe(1);
  expect(stdout).toContain(`Checked against: the secret in ${files.join(", ")} and no other`);
  expect(stdout).not.toContain("every secret of this workspace");
});
