import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..");

/** A nice value: a process with it gets a third of what one without it gets of a processor that both want. */
const GIVES_WAY = 5;

export type CommandResult = { code: number; output: string };

/** The script of a package's command, to run on this very Node. */
export function commandOf(packageName: string, command: string = packageName): string {
  // By its path: not every package lets its package.json be resolved.
  const folder = path.join(ROOT, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { bin: string | Record<string, string> };
  const script = typeof bin === "string" ? bin : bin[command];
  if (!script) throw new Error(`${packageName} has no command ${command}`);
  return path.join(folder, script);
}

/**
 * Runs a Node script to its end.
 *
 * @param options.env added to the environment
 * @param options.onOutput called with each piece of output as it comes
 * @param options.givesWay the processors are its own and its children's where nothing else wants them
 */
export function runNode(
  script: string,
  args: string[],
  options: { env?: Record<string, string | undefined>; onOutput?: (text: string) => void; givesWay?: boolean } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, NEXT_TELEMETRY_DISABLED: "1", CHECKPOINT_DISABLE: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (options.givesWay && child.pid !== undefined) setPriority(child.pid, GIVES_WAY);
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
    options.onOutput?.(chunk.toString());
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output: output.trim() }));
  });
}
