import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "./engine.ts";

type Programs = { "webkit2gtk-driver": string; "libwebkit2gtk-4.1-0": string; xvfb: string };

/** What stands for an element in W3C WebDriver. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const START_LIMIT_MS = 60_000;

/** Starts WebKitGTK's MiniBrowser on a screen of its own, driven by W3C WebDriver. */
export async function startWebKit(programs: Programs): Promise<Engine> {
  const screen = spawn(programs.xvfb, ["-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = await displayOf(screen);
  const port = randomInt(33_000, 35_000);
  const driver = spawn(programs["webkit2gtk-driver"], [`--port=${port}`], {
    // A group of its own: a browser that outlives its driver ends with it.
    detached: true,
    env: { ...process.env, DISPLAY: `:${display}` },
    stdio: "ignore",
  });
  const end = async () => {
    await ended(driver, () => process.kill(-(driver.pid ?? 0), "SIGKILL"));
    await ended(screen, () => screen.kill());
  };
  try {
    const { session, version, close } = await openSession(`http://127.0.0.1:${port}`, programs["libwebkit2gtk-4.1-0"]);
    const run = <T>(expression: string) => session<T>("POST", "/execute/sync", { script: `return ${expression}`, args: [] });
    const element = async (expression: string) => {
      const found = (await run<Record<string, string> | null>(expression))?.[ELEMENT];
      if (!found) throw new Error(`there is no ${expression}`);
      return `/element/${found}`;
    };
    return {
      version,
      go: (url) => session("POST", "/url", { url }),
      reload: () => session("POST", "/refresh", {}),
      evaluate: run,
      click: async (expression) => session("POST", `${await element(expression)}/click`, {}),
      type: async (expression, text) => session("POST", `${await element(expression)}/value`, { text }),
      close: () => close().finally(end),
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function openSession(driver: string, binary: string) {
  const options = { binary, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options, timeouts: { pageLoad: 120_000, script: 60_000 } } };
  for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await sleep(100))
    if (await fetch(`${driver}/status`).catch(() => null)) break;
  type Opened = { sessionId: string; capabilities: { browserVersion: string } };
  const { sessionId, capabilities: opened } = await call<Opened>(`${driver}/session`, "POST", { capabilities });
  const session = <T>(method: string, path: string, body?: unknown) => call<T>(`${driver}/session/${sessionId}${path}`, method, body);
  await session("POST", "/window/rect", { width: 1280, height: 800 });
  return { session, version: opened.browserVersion, close: () => session<void>("DELETE", "") };
}

/** One command of WebDriver. @throws Error with what the driver said */
async function call<T>(url: string, method: string, body?: unknown): Promise<T> {
  const answer = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: T & { error: string; message: string } };
  if (!answer.ok) throw new Error(`${method} ${url}: ${value.error}, ${value.message}`);
  return value;
}

/** The number of the display, which the server writes once it takes connections. */
function displayOf(screen: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    screen.stdio[3]?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    screen.once("error", reject);
    screen.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
}

async function ended(child: ChildProcess, kill: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  kill();
  await gone;
}
