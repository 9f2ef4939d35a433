import { spawn } from "node:child_process";
import { printable } from "../../../lib/contracts/api/plain-text.ts";
import type { SessionInfo } from "../../../lib/contracts/auth/settings.ts";
import { type Api, openApi } from "./api-client.ts";
import type { Session } from "./commands/session.ts";
import { environment } from "./environment.ts";
import { usageError } from "./exit.ts";
import { keepKey, originOf, readSecretFile } from "./settings.ts";
import { ask, type Output } from "./terminal.ts";

export async function login({ output, target, keyFile }: Session, given: string | undefined, browser: boolean): Promise<void> {
  const url = given === undefined ? target.url : originOf(given);
  const page = `${url}/settings/keys`;
  if (browser) openBrowser(page);
  const key = keyFile === undefined ? await askForKey(url, page, output) : readSecretFile(keyFile, "API key");
  if (!key.startsWith("sbx_")) throw usageError("This is not an API key: keys begin with sbx_.", `Create one under ${page}`);
  const api = openApi({ url, key, keyFrom: "this login", allowHttp: target.allowHttp });
  const session = await api.get<SessionInfo>("/api/v1/session");
  const file = keepKey(url, key);
  output.item(
    { url, ...told(session, api) },
    () => `Logged in to ${url}: ${printable(session.workspace.name)}, as ${printable(session.role)}.`,
  );
  output.note(`The key is kept in ${file}.`);
}

async function askForKey(url: string, page: string, output: Output): Promise<string> {
  if (environment.SIGNALBOX_API_KEY) return environment.SIGNALBOX_API_KEY.trim();
  if (!process.stdin.isTTY) return readSecretFile("-", "API key");
  output.note(`Create a key under ${page}`);
  return ask(`API key for ${url}: `, { hidden: true });
}

export async function whoAmI({ output, api: open, target }: Session): Promise<void> {
  const api = open();
  const session = await api.get<SessionInfo>("/api/v1/session");
  const lines = [
    ["Signalbox", `${target.url} (version ${api.serverVersion() ?? "unknown"})`],
    ["Workspace", session.workspace.name],
    ["Role", session.role],
    ["Key from", target.keyFrom],
  ];
  output.item({ url: target.url, ...told(session, api) }, (paint) =>
    lines.map(([label = "", value = ""]) => `${paint("dim", label.padEnd(11))}${printable(value)}`).join("\n"),
  );
}

const told = ({ workspace, role }: SessionInfo, api: Api) => ({ workspace, role, serverVersion: api.serverVersion() });

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };

/** Without a browser, the page's URL is on the terminal anyway. */
function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => process.stderr.write(`No browser could be opened. Open ${url}\n`));
  child.unref();
}
