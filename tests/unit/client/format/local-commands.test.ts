import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { localCommands } from "#lib/client/format/local-commands";

it("a shell reads every ID of the command to the letter", () => {
  for (const id of ["evt_1", "it's $HOME", "a b`id`", '"; echo x']) {
    const words = execFileSync(
      "/bin/sh",
      ["-c", `npx() { printf '%s\\n' "$@"; }\n${localCommands("http://localhost:3000", "0.1.0").replay(id)}`],
      {
        encoding: "utf8",
      },
    );
    expect(words.trimEnd().split("\n")).toEqual([
      "http://localhost:3000/cli/signalbox-cli-0.1.0.tgz",
      "replay",
      id,
      "--to",
      "http://localhost:4000",
      "--url",
      "http://localhost:3000",
    ]);
  }
});
