import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { environment } from "./environment.ts";
import { CliError, usageError } from "./exit.ts";

type Choices = { url?: string | undefined; keyFile?: string | undefined; allowHttp?: boolean | undefined };

/** `key` is null before a login. `allowHttp`: the key may be sent unencrypted to another machine. */
export type Target = { url: string; key: string | null; keyFrom: string; allowHttp: boolean };

type Stored = { current: string | null; installations: Record<string, { apiKey: string }> };

const FALLBACK_URL = "http://localhost:3000";

/** Folder of our files: credentials, cursors, the secret of `listen --signed`. */
export function configFolder(): string {
  if (environment.SIGNALBOX_CONFIG_DIR) return environment.SIGNALBOX_CONFIG_DIR;
  const base =
    process.platform === "win32"
      ? (environment.APPDATA ?? path.join(homedir(), "AppData", "Roaming"))
      : environment.XDG_CONFIG_HOME || path.join(homedir(), ".config");
  return path.join(base, "signalbox");
}

const credentialsFile = () => path.join(configFolder(), "credentials.json");

/** Returns the installation and key: from flags, else the environment, else `signalbox login`. A kept key is used only for its own URL. */
export function findTarget(choices: Choices): Target {
  const stored = readStored();
  const url = originOf(choices.url ?? environment.SIGNALBOX_URL ?? stored.current ?? FALLBACK_URL);
  const allowHttp = choices.allowHttp || environment.SIGNALBOX_ALLOW_HTTP === "1";
  if (choices.keyFile) return { url, key: readSecretFile(choices.keyFile, "API key"), keyFrom: choices.keyFile, allowHttp };
  if (environment.SIGNALBOX_API_KEY) return { url, key: environment.SIGNALBOX_API_KEY.trim(), keyFrom: "SIGNALBOX_API_KEY", allowHttp };
  return { url, key: stored.installations[url]?.apiKey ?? null, keyFrom: credentialsFile(), allowHttp };
}

/** True if requests to the URL cross a network unencrypted. */
export function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !isLoopback(hostname);
}

/** True for names and addresses of this machine, as in a URL's `hostname`. */
export const isLoopback = (hostname: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Keeps a key for a URL, which becomes the current one. */
export function keepKey(url: string, apiKey: string): string {
  const stored = readStored();
  stored.installations[url] = { apiKey };
  stored.current = url;
  const file = credentialsFile();
  writeOwnFile(file, `${JSON.stringify(stored, null, 2)}\n`);
  return file;
}

/** Writes a file that only its owner can read (mode 600), completely or not at all. */
export function writeOwnFile(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}

export function readSecretFile(file: string, what: string): string {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8").trim();
  } catch (error) {
    throw usageError(`The file of the ${what} can't be read: ${(error as Error).message}`);
  }
  if (text === "") throw usageError(`The file of the ${what} is empty: ${file}`);
  return text;
}

/** True for a number where a host is expected, which URLs read as an IPv4 address: `4465/webhook` would lead to 0.0.17.113. */
export const isNumberAsHost = (text: string): boolean => /^(https?:\/\/)?([^/?#@]*@|(?![^/?#]*@))\d+([/:?#]|$)/i.test(text);

/** Returns the URL's origin; `localhost:3000` gets its scheme. */
export function originOf(text: string): string {
  const full = /^https?:\/\//i.test(text) ? text : `${/^(localhost|127\.|\[)/.test(text) ? "http" : "https"}://${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (!url || url.username || url.password || isNumberAsHost(text))
    throw usageError(`"${text}" is not the URL of a Signalbox.`, "Write it like https://signalbox.example or http://localhost:3000");
  return url.origin;
}

function readStored(): Stored {
  const file = credentialsFile();
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { current: null, installations: {} };
    throw new CliError(`Your credentials can't be read: ${(error as Error).message}`);
  }
  try {
    const { current = null, installations = {} } = JSON.parse(text) as Partial<Stored>;
    return { current, installations };
  } catch {
    throw new CliError(`${file} is not valid JSON.`, { hint: "Delete it and run: signalbox login" });
  }
}

/** Returns the version in the package.json next to the folder that this runs from (`src` or `dist`). */
export const ownVersion = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }).version;
