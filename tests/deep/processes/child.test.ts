import { execFileSync } from "node:child_process";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Child } from "#lib/processes/child";
import { expectPace } from "#tests/support/pace";

// The supervisor tells the person at the terminal about deaths; a test run need not.
beforeEach(() => void vi.spyOn(process.stdout, "write").mockReturnValue(true));

const script = (name: string) => path.join(import.meta.dirname, `../../support/children/${name}.ts`);

/** The pids of our own children that run a script. */
function pidsOf(name: string): number[] {
  const list = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" });
  return list
    .split("\n")
    .filter((line) => line.includes(`${name}.ts`))
    .map((line) => Number.parseInt(line, 10));
}

function supervise(name: string, beatMs?: number): Child {
  const child = new Child(name, script(name), beatMs);
  onTestFinished(() => child.kill());
  return child;
}

test("a child that dies is started again", async () => {
  const child = supervise("obedient");
  await child.start();
  const [first] = pidsOf("obedient");
  process.kill(first ?? 0, "SIGKILL");
  await vi.waitFor(() => expect(pidsOf("obedient").filter((pid) => pid !== first)).toHaveLength(1), 30_000);
  await child.stop();
  expect(pidsOf("obedient")).toEqual([]);
});

test("a child that can't start at all is given up, in words", async () => {
  await expect(supervise("broken").start()).rejects.toThrow(/The broken process can't be started/);
});

test("a child that ends on request is not waited for longer than it takes", async () => {
  const child = supervise("obedient");
  await child.start();
  const since = performance.now();
  await child.stop();
  expectPace(performance.now() - since, 1000);
});

test("a child that hears nothing is ended hard after 9.6 s, so that all is over within 10", async () => {
  const child = supervise("stubborn");
  await child.start();
  const since = performance.now();
  await child.stop();
  expect(performance.now() - since).toBeGreaterThan(9000);
  expectPace(performance.now() - since, 9900);
  expect(pidsOf("stubborn")).toEqual([]);
});

test("a child that tells nothing for 12 beats is ended and started again; one that goes on telling is left alone", async () => {
  const [mute, obedient] = [supervise("mute", 300), supervise("obedient", 300)];
  await Promise.all([mute.start(), obedient.start()]);
  const [silent] = pidsOf("mute");
  const [well] = pidsOf("obedient");
  await vi.waitFor(() => expect(pidsOf("mute").filter((pid) => pid !== silent)).toHaveLength(1), 30_000);
  expect(pidsOf("mute")).not.toContain(silent);
  expect(pidsOf("obedient")).toEqual([well]);
  await Promise.all([mute.stop(), obedient.stop()]);
});

test("a child is not started after its supervisor was told to stop", async () => {
  const child = supervise("obedient");
  await child.stop();
  void child.start();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(pidsOf("obedient")).toEqual([]);
});
