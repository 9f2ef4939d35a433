import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

// Tried here: a worker that the system killed left one line of level info.

const CHILD = path.resolve("tests/support/children/obedient.ts");
const SUPERVISOR = `
  import { setTimeout as sleep } from "node:timers/promises";
  import { Child } from "#lib/processes/child";
  import { speakInLogLines } from "#lib/processes/progress";
  speakInLogLines();
  const child = new Child("worker", ${JSON.stringify(CHILD)});
  await child.start();
  const { pid } = child.process;
  process.kill(pid, "SIGKILL");
  while (child.process?.pid === pid) await sleep(20);
  await child.stop();
  process.exit(0);`;

it("a killed process is a warning in the log, with what it means", () => {
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", SUPERVISOR], { encoding: "utf8" });
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { level: string; msg: string });
  expect(lines.map(({ level, msg }) => [level, msg])).toContainEqual([
    40,
    expect.stringMatching(/^The worker process ended \(SIGKILL\)\. If nobody killed it, the system ran out of memory/),
  ]);
});
