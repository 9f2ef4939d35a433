import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma/config";
import { toolDatabaseUrl } from "./lib/config/tool-environment.ts";

// The native schema engine is a download of its own; the WASM build comes with
// the registry package, so it is used everywhere (tools/schema-engine.ts).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL("./tools/schema-engine.mjs", import.meta.url));

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: toolDatabaseUrl() },
});
