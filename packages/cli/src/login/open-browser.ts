import { spawn } from "node:child_process";

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };

/** Without a browser, the page's URL is on the terminal anyway. */
export function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => process.stderr.write(`No browser could be opened. Open ${url}\n`));
  child.unref();
}
