import { spawnSync } from "node:child_process";
import { TEST_ENV } from "./environment.ts";

/** Runs `npm run doctor`'s own program. @returns its exit code and what it says, line by line */
export function runDoctor(environment: Record<string, string>): { code: number | null; lines: string[] } {
  const { status, stdout } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", "lib/processes/doctor.ts"], {
    env: { ...process.env, ...TEST_ENV, NODE_ENV: "production", ...environment },
    encoding: "utf8",
    timeout: 120_000,
  });
  return { code: status, lines: stdout.split("\n") };
}
