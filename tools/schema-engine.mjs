#!/usr/bin/env node
// Stands in for Prisma's native schema engine, which is a download of its own:
// the same engine, built to WASM, comes with a registry package. `prisma`
// starts this file (prisma.config.ts) and speaks JSON-RPC with it, a message a
// line. PostgreSQL only.
//
// JavaScript, not TypeScript: Prisma runs it with whatever Node there is.

import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { runCommand } from "./schema-engine/commands.mjs";
import { readDatasource } from "./schema-engine/datasource.mjs";
import { createEngineHost } from "./schema-engine/engine.mjs";
import { engineVersion } from "./schema-engine/wasm.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    datamodels: { type: "string", multiple: true },
    datasource: { type: "string" },
    version: { type: "boolean", short: "V" },
    "enabled-preview-features": { type: "string" },
    "extension-types": { type: "string" },
  },
});

const datasource = readDatasource(options.datasource);

if (options.version) process.stdout.write(`schema-engine-wasm ${engineVersion()}\n`);
else if (positionals[0] === "cli") process.exitCode = await runCommand(positionals[1], datasource);
else serve(createEngineHost(datasource, options.datamodels ?? []));

/** Answers the requests on stdin one after the other, until it ends. */
function serve(host) {
  let queue = Promise.resolve();
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (!line.trim()) return;
    const message = JSON.parse(line);
    if (message.method) queue = queue.then(() => answer(host, message));
  });
  lines.on("close", () => queue.then(() => process.exit(0)));
}

async function answer(host, { id, method, params }) {
  try {
    const result = await host.call(method, params);
    // A diff's text goes out as a request of its own: the caller prints it.
    if (method === "diff" && result?.stdout) {
      send({ id: 10_000 + id, method: "print", params: { content: result.stdout } });
      send({ id, result: { exitCode: result.exitCode, stdout: null } });
    } else send({ id, result: result ?? null });
  } catch (error) {
    send({ id, error: asRpcError(error) });
  }
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** The shape in which the native engine reports an error; 4466 is its code for "known to the user". */
const asRpcError = (error) => ({
  code: 4466,
  message: "An error happened. Check the data field for details.",
  data: { is_panic: error.name === "RuntimeError", message: error.message, error_code: error.code, meta: error.meta ?? null },
});
