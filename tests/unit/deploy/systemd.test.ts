import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { ROOT } from "../../../tools/run-command.ts";

const SYSTEMD_ANALYZE = "/usr/bin/systemd-analyze";

/** Returns what systemd finds wrong with a unit. It starts a program that this machine has. */
function faults(file: string, edit: (unit: string) => string = (unit) => unit): string {
  const unit = readFileSync(path.join(ROOT, "deploy/systemd", file), "utf8").replace(/^ExecStart=\S+/m, "ExecStart=/bin/true");
  const copy = path.join(temporaryFolder(), file.replace("@.", "@web."));
  writeFileSync(copy, edit(unit));
  const { stderr } = spawnSync(SYSTEMD_ANALYZE, ["verify", "--man=no", "--recursive-errors=no", copy], { encoding: "utf8" });
  return stderr;
}

describe.skipIf(!existsSync(SYSTEMD_ANALYZE))("deploy/systemd", () => {
  it.each(["signalbox.service", "signalbox@.service"])("systemd takes %s", (file) => {
    expect(faults(file)).toBe("");
  });

  it("a misspelt setting and an unknown value are found", () => {
    const broken = faults("signalbox.service", (unit) =>
      unit.replace("RestartSec=", "RestartSecs=").replace("KillMode=mixed", "KillMode=mixd"),
    );
    expect(broken).toContain("Unknown key 'RestartSecs'");
    expect(broken).toContain("Failed to parse kill mode specification");
  });
});
