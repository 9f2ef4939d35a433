import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { openApiServer } from "#tests/support/api-server";
import { startCommand, startOnTerminal } from "#tests/support/command-line";
import { useDatabase } from "#tests/support/database";
import { openLocalApp } from "#tests/support/local-app";
import { makeOpenFolder } from "#tests/support/open-folder";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

const END_OF_INPUT = "\x04";
const INTERRUPT = "\x03";

useDatabase();

let source: string;
let key: string;
let server: { url: string; close: () => Promise<void> };

beforeAll(async () => {
  const workspace = await makeWorkspace();
  source = workspace.source;
  ({ key } = await insertApiKey(workspace.workspaceId, { name: "laptop", role: "developer", createdBy: null }));
  server = await openApiServer();
});
afterAll(() => server.close());

const folder = () => makeOpenFolder("signalbox-cli-");

// `script` of other systems takes other options.
describe.runIf(process.platform === "linux")("questions on a terminal", () => {
  it("login takes a key that is typed, and never shows it", async () => {
    const login = startOnTerminal({ folder: folder() }, ["login", server.url]);
    await login.printed(/API key for .*: /);
    login.type(`${key}\r`);
    const { code, stdout } = await login.ended;
    expect(stdout).toMatch(/Logged in to/);
    expect(stdout).not.toContain(key);
    expect(code).toBe(0);
  });

  it.each([
    ["Ctrl-C", INTERRUPT],
    ["Ctrl-D", END_OF_INPUT],
  ])("%s ends the question in words, and keeps nothing", async (_name, keys) => {
    const login = startOnTerminal({ folder: folder() }, ["login", server.url]);
    await login.printed(/API key for .*: /);
    login.type(keys);
    const { code, stdout } = await login.ended;
    expect(stdout).toMatch(/: \r\nsignalbox: Stopped: no answer was given\.\r\n$/);
    expect(code).toBe(1);
  });

  it("listen asks about what came meanwhile until it understands the answer; a stopped question skips nothing", async () => {
    const app = await openLocalApp();
    const at = folder();
    const first = startCommand({ folder: at, url: server.url, key }, ["listen", app.url]);
    await first.printed(/Forwarding events/);
    first.child.kill("SIGINT");
    await first.ended;
    await receiveUntilKept(createReceiver(), { source, ...signed(envelope({ id: "evt_while_away" })) });

    const stopped = startOnTerminal({ folder: at, url: server.url, key }, ["listen", app.url]);
    await stopped.printed(/1 event received since this command stopped .* Send or skip\? \[send\]/);
    stopped.type(INTERRUPT);
    expect(await stopped.ended).toMatchObject({ code: 1 });

    const again = startOnTerminal({ folder: at, url: server.url, key }, ["listen", app.url]);
    await again.printed(/Send or skip\? \[send\]/);
    again.type("what\r");
    await again.printed(/Type send or skip:/);
    expect(app.total()).toBe(0);
    again.type("send\r");
    await again.printed(/evt_while_away/);
    again.type(INTERRUPT);
    expect(await again.ended).toMatchObject({ code: 0 });
    await app.close();
  }, 120_000);
});
