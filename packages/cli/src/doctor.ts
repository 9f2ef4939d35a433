import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { usageError } from "./exit.ts";

/** Runs the installation's own checks in its folder, since they read its environment and database. */
export async function runDoctor(): Promise<void> {
  const folder = process.cwd();
  if (!isInstallation(folder)) {
    throw usageError("There is no Signalbox in this folder.", "Run it in the folder of the installation, on its machine: npm run doctor");
  }
  const child = spawn("npm", ["run", "--silent", "doctor"], { stdio: "inherit", cwd: folder, shell: process.platform === "win32" });
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

function isInstallation(folder: string): boolean {
  const file = path.join(folder, "package.json");
  if (!existsSync(file)) return false;
  const { name, scripts = {} } = JSON.parse(readFileSync(file, "utf8")) as { name?: string; scripts?: Record<string, string> };
  return name === "signalbox" && scripts.doctor !== undefined;
}
