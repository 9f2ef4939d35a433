import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { openApiServer } from "#tests/support/api-server";
import { startCommand } from "#tests/support/command-line";
import { openCuttingProxy } from "#tests/support/cutting-proxy";
import { useDatabase } from "#tests/support/database";
import { openLocalApp } from "#tests/support/local-app";
import { makeOpenFolder } from "#tests/support/open-folder";
import { ownPort } from "#tests/support/own-port";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();

let server: Awaited<ReturnType<typeof openApiServer>>;
let key: string;
let receive: (id: string) => Promise<void>;

beforeAll(async () => {
  const { workspaceId, source } = await makeWorkspace();
  ({ key } = await insertApiKey(workspaceId, { name: "laptop", role: "developer", createdBy: null }));
  server = await openApiServer();
  const receiver = createReceiver();
  receive = async (id) => {
    const { body, headers } = signed(envelope({ id, type: "document.processed" }));
    expect((await receiveUntilKept(receiver, { source, headers, body })).status).toBe(200);
    notifySoon(pool(), "appended", workspaceId);
  };
});
afterAll(() => server.close());

it("ends on Ctrl-C while the app hangs, and hands on again what had no answer", async () => {
  let came = 0;
  const port = ownPort();
  const hanging = createServer(() => void came++).listen(port, "127.0.0.1");
  await once(hanging, "listening");
  const [folder, target] = [makeOpenFolder("signalbox-cli-"), `http://127.0.0.1:${port}/hooks`];
  const args = ["listen", target, "--concurrency", "1"];
  const first = startCommand({ folder, url: server.url, key }, args);
  await first.printed(/Forwarding events/);
  for (const id of ["evt_1", "evt_2", "evt_3"]) await receive(id);
  await expect.poll(() => came, { timeout: 60_000 }).toBe(1);
  first.child.kill("SIGINT");
  expect(await first.ended).toMatchObject({ code: 0, stdout: "" });
  expect(came).toBe(1);
  hanging.closeAllConnections();
  hanging.close();
  const app = await openLocalApp({ port });
  onTestFinished(() => app.close());
  startCommand({ folder, url: server.url, key }, args);
  await app.has(3);
  expect(app.got.map(({ id }) => id)).toEqual(["evt_1", "evt_2", "evt_3"]);
}, 120_000);

it("ends with code 3 while an event waits for an app that is down", async () => {
  const app = await openLocalApp();
  await app.close();
  const proxy = await openCuttingProxy(server.url);
  onTestFinished(() => proxy.close());
  const args = ["listen", app.url, "--max-offline", "1s"];
  const listening = startCommand({ folder: makeOpenFolder("signalbox-cli-"), url: proxy.url, key }, args);
  await listening.printed(/Forwarding events/);
  await receive("evt_4");
  await listening.printed(/can't be reached/);
  proxy.refuse(true);
  proxy.cut();
  expect(await listening.ended).toMatchObject({ code: 3, stderr: expect.stringMatching(/giving up/) });
});

it("prints no warning while 30 deliveries wait for an app that is down, are retried, and are open at once", async () => {
  const app = await openLocalApp();
  await app.close();
  const args = ["listen", app.url, "--concurrency", "30", "--since", "1s"];
  const listening = startCommand({ folder: makeOpenFolder("signalbox-cli-"), url: server.url, key }, args);
  await listening.printed(/Forwarding events/);
  for (let n = 0; n < 40; n++) await receive(`evt_many_${n}`);
  await listening.printed(/can't be reached/);
  await sleep(1500);
  // None is answered before 30 are there.
  const held: ServerResponse[] = [];
  const slow = createServer((_, response) => {
    held.push(response);
    if (held.length >= 30) for (const each of held) each.end();
  }).listen(app.port, "127.0.0.1");
  onTestFinished(() => void slow.close());
  await expect.poll(() => listening.stdout().match(/evt_many_/g)?.length, { timeout: 60_000 }).toBe(40);
  listening.child.kill("SIGINT");
  const { code, stderr } = await listening.ended;
  expect({ code, warnings: stderr.match(/warning/gi) }).toEqual({ code: 0, warnings: null });
}, 120_000);

it("lets one of a name listen, and tells the other to take another one", async () => {
  const app = await openLocalApp();
  onTestFinished(() => app.close());
  const at = { folder: makeOpenFolder("signalbox-cli-"), url: server.url, key };
  const first = startCommand(at, ["listen", app.url, "--name", "second"]);
  await first.printed(/Forwarding events/);
  const refused = await startCommand(at, ["listen", app.url, "--name", "second"]).ended;
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/named second .*already forwarding events to \S+\.\nGive this one another name: --name$/m),
  });
  await startCommand(at, ["listen", app.url, "--name", "third"]).printed(/Forwarding events/);
  await receive("evt_both");
  await expect.poll(() => app.counts().get("evt_both"), { timeout: 60_000 }).toBe(2);
});
