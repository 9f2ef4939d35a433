import { randomInt, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOpenFolder } from "#tests/support/open-folder";
import { envelope, signed } from "#tests/support/webhooks";
import { Installation, OWNER } from "../../chaos/installation.ts";
import type { Engine } from "./engine.ts";
import { startFirefox } from "./firefox.ts";
import { ENGINES } from "./installed-engines.ts";
import { FAULTS, startWatchingProxy } from "./watching-proxy.ts";
import { startWebKit } from "./webkit.ts";

// The main job in engines other than the browser tests' Chromium, as a person does it: with the mouse and the keys of the browser itself.

const START = {
  Firefox: () => startFirefox(ENGINES.Firefox.paths["firefox-esr"]),
  WebKitGTK: () => startWebKit(ENGINES.WebKitGTK.paths),
};
const PATIENCE_MS = 90_000;

const dataDir = makeOpenFolder("signalbox-engines-");
const port = randomInt(30_000, 32_000);
let proxy: Awaited<ReturnType<typeof startWatchingProxy>>;
let installation: Installation;
beforeAll(async () => {
  proxy = await startWatchingProxy(port);
  installation = new Installation(dataDir, { port, environment: { APP_URL: proxy.url, NODE_ENV: "production", LOG_LEVEL: "warn" } });
  await installation.start();
});
afterAll(async () => {
  await installation.stop();
  await proxy.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe.each(Object.entries(START))("%s", (name, start) => {
  const isMissing = ENGINES[name as keyof typeof ENGINES].missing.length > 0;

  it.skipIf(isMissing)("sign in, connect, feed, inspector and dark work, and no page has an error", async () => {
    const engine = await start();
    try {
      process.stdout.write(`${name} ${engine.version}\n`);
      await signIn(engine);
      await connect(engine, `Acme in ${name}`);
      const eventId = await seeLive(engine);
      await inspect(engine, eventId);
      await goDark(engine);
      expect(await engine.evaluate(FAULTS)).toEqual([]);
      // What the line before rests on: an error would have been heard.
      await engine.evaluate('void setTimeout(() => { throw new Error("thrown by the test") })');
      await expect
        .poll(() => engine.evaluate<string[]>(FAULTS), { timeout: PATIENCE_MS })
        .toEqual([expect.stringContaining("thrown by the test")]);
    } finally {
      await engine.close();
    }
  });
});

async function signIn(engine: Engine): Promise<void> {
  await engine.go(`${proxy.url}/events`);
  await untilAt(engine, /\/sign-in/);
  await fill(engine, label("Email"), OWNER.email);
  await fill(engine, label("Password"), OWNER.password);
  await press(engine, button("Sign in"));
  await untilAt(engine, /\/events/);
  await untilShown(engine, button("Account menu for owner@example.com"));
}

async function connect(engine: Engine, account: string): Promise<void> {
  await engine.go(`${proxy.url}/connections`);
  await press(engine, button("Connect an account"));
  await fill(engine, label("Name"), account);
  await press(engine, button("Continue to the platform"));
  await untilAt(engine, /\/sandbox\/oauth\/authorize/);
  await untilShown(engine, text("documents:read"));
  await press(engine, button("Approve"));
  await untilAt(engine, /\/connections\/con_/);
  expect(await hrefOf(engine)).not.toMatch(/code=|state=/);
  await untilShown(engine, text("Connected"));
  await untilShown(engine, text(account));
}

/** Sends two webhooks while the list is open. @returns the ID of the newer one's event, whose row has another one below it */
async function seeLive(engine: Engine): Promise<string> {
  await engine.go(`${proxy.url}/events`);
  await untilShown(engine, '//header//button[starts-with(normalize-space(), "Live")]');
  await engine.evaluate("void (window.isSamePage = true)");
  const ids: string[] = [];
  for (const documentId of ["doc_below", "doc_in_another_engine"]) {
    const id = `evt_${randomUUID()}`;
    const body = envelope({ id, data: { documentId, organizationId: "org_1", status: "completed", metadata: { pages: 3 } } });
    const sent = await fetch(`${installation.url}/webhooks/platform`, { method: "POST", ...signed(body, installation.secret) });
    expect(sent.status).toBe(200);
    await untilShown(engine, `//*[@data-event="${id}"]`);
    ids.push(id);
  }
  expect(await engine.evaluate("window.isSamePage")).toBe(true);
  return ids[1] ?? "";
}

async function inspect(engine: Engine, eventId: string): Promise<void> {
  await press(engine, `//*[@data-event="${eventId}"]//a`);
  const inspector = `//aside[@data-event-id = "${eventId}"]`;
  await untilShown(engine, `${inspector}//h2[normalize-space() = "Document processed"]`);
  await untilShown(engine, inspector + text("document.processed"));
  await untilShown(engine, `${inspector}//*[contains(text(), "doc_in_another_engine")]`);
}

async function goDark(engine: Engine): Promise<void> {
  expect(await brightness(engine)).toBeGreaterThan(200);
  await press(engine, button("Account menu for owner@example.com"));
  await press(engine, '//*[@role="menuitemradio"][normalize-space() = "Dark"]');
  await expect.poll(() => brightness(engine), { timeout: PATIENCE_MS }).toBeLessThan(60);
  await engine.reload();
  await untilShown(engine, button("Account menu for owner@example.com"));
  expect(await brightness(engine)).toBeLessThan(60);
}

/** Of the page's ground, 0 to 255, as the engine paints it: each writes colors in another way. */
const brightness = (engine: Engine) =>
  engine.evaluate<number>(`(() => {
    const paint = new OffscreenCanvas(1, 1).getContext("2d");
    paint.fillStyle = getComputedStyle(document.body).backgroundColor;
    paint.fillRect(0, 0, 1, 1);
    return Math.max(...paint.getImageData(0, 0, 1, 1).data.slice(0, 3));
  })()`);

const button = (name: string) => `//button[normalize-space() = "${name}" or @aria-label = "${name}"]`;
const label = (name: string) => `//label[starts-with(normalize-space(), "${name}")]`;
const text = (words: string) => `//*[normalize-space(text()) = "${words}"]`;

/**
 * An expression that gives the first element of an XPath that is shown and, on a page of ours, that React has taken over; of a label its
 * control.
 */
const shown = (path: string) => `(() => {
  const found = document.evaluate(${JSON.stringify(path)}, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  for (let at = 0; at < found.snapshotLength; at++) {
    const element = found.snapshotItem(at).control ?? found.snapshotItem(at);
    const listens = !("next" in window) || Object.keys(element).some((key) => key.startsWith("__reactFiber"));
    if (listens && element.checkVisibility() && element.getClientRects().length > 0) return element;
  }
  return null;
})()`;

async function untilShown(engine: Engine, path: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100))
    if (await engine.evaluate<boolean>(`${shown(path)} !== null`).catch(() => false)) return;
  throw new Error(`${path} is not shown at ${await hrefOf(engine)}: ${await engine.evaluate("document.body.innerText.slice(0, 2000)")}`);
}

async function press(engine: Engine, path: string): Promise<void> {
  await untilShown(engine, path);
  await engine.click(shown(path));
}

async function fill(engine: Engine, path: string, value: string): Promise<void> {
  await untilShown(engine, path);
  await engine.type(shown(path), value);
}

const hrefOf = (engine: Engine) => engine.evaluate<string>("location.href");

async function untilAt(engine: Engine, url: RegExp): Promise<void> {
  await expect.poll(() => hrefOf(engine).catch(() => ""), { timeout: PATIENCE_MS }).toMatch(url);
}
