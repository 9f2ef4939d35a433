import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";

// The package's own loader is made for bundlers: load the module by hand.

// The engine looks for this by name when it panics.
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  message: "",
  set_message(message) {
    this.message = message;
    process.stderr.write(`${JSON.stringify({ level: "ERROR", fields: { message } })}\n`);
  },
};

const script = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
const module = new WebAssembly.Module(readFileSync(script.replace(/\.js$/, ".wasm")));
const { exports } = new WebAssembly.Instance(module, { "./schema_engine_bg.js": bindings });
bindings.__wbg_set_wasm(exports);
exports.__wbindgen_start();

export const engineVersion = () => bindings.version();

/**
 * An engine over a driver adapter.
 *
 * @param datamodels pairs of file name and text
 */
export const newEngine = (datamodels, adapterFactory) => bindings.SchemaEngine.new({ datamodels }, () => undefined, adapterFactory);
