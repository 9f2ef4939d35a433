import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { signingSnippets } from "#lib/client/format/signing-snippets";
import { pool } from "#lib/db/pool";
import { rotateSecret } from "#lib/sources/source-store";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { useNodeReceiver } from "#tests/support/receivers";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

/** Every character that a shell or a language could take for its own. */
const AWKWARD = `it's "a" $HOME \`id\` #{1} \\n %d é`;

const isHere = (command: string) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;

it("each program that the set-up page shows sends an event that verifies", { timeout: 180_000 }, async () => {
  const { workspaceId, source, sourceId } = await makeWorkspace();
  await rotateSecret(workspaceId, sourceId, 0, new Date(), AWKWARD);
  const folder = temporaryFolder();
  const all = signingSnippets(`http://127.0.0.1:${receiver.port()}/webhooks/${source}`);
  const runnable = all.filter(({ run }) => isHere(run.split(" ")[0] ?? ""));
  for (const { file, run, code } of runnable) {
    writeFileSync(path.join(folder, file), code);
    const [command = "", ...args] = run.split(" ");
    const env = { ...process.env, WEBHOOK_SECRET: AWKWARD, GOCACHE: path.join(folder, "go"), GOFLAGS: "-mod=mod" };
    const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env, timeout: 120_000 });
    expect(stdout, run).toContain('"received":true');
  }
  const { rows } = await pool().query("SELECT event_id FROM events WHERE workspace_id = $1 ORDER BY event_id", [workspaceId]);
  const named = new Set(rows.map(({ event_id: id }) => String(id).split("_")[1]));
  expect(named).toEqual(new Set(runnable.map(({ language }) => language)));
  figure(`signing snippets: ${runnable.length} of ${all.length} ran on this machine (${[...named].join(", ")})`);
});

it("an address with an apostrophe or a blank stays one text in every language", () => {
  const codes = signingSnippets("https://signal.example/it's here/webhooks/platform").map(({ code }) => code);
  for (const code of codes) expect(code).toMatch(/it(\\|'\\'|)'s%20here/);
});
