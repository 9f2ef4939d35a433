import { globSync, rmSync } from "node:fs";
import path from "node:path";

// Runs after every install: removes from node_modules what nothing of ours reads, 480 of 1,450 MB. Each row was tried:
// `npm start`, `npm run dev`, `npm test` and `npm pack` work without it. What is missing there comes back with `npm ci --ignore-scripts`.

const UNUSED = [
  // Headers for building addons: all of ours come built.
  "node/node_modules/*/include",
  // Prisma's compilers of queries for other databases; its command line reads PostgreSQL's alone.
  "@prisma/client/runtime/query_compiler_*.{cockroachdb,mysql,sqlite,sqlserver}.*",
  "prisma/build/query_compiler_*.{cockroachdb,mysql,sqlite,sqlserver}.*",
  // The pages and programs of `prisma studio` and `prisma dev`.
  "@prisma/studio-core/dist/{ui,metafile-esm.json,metafile-cjs.json}",
  "@prisma/dev/dist/runtime-assets",
  "@electric-sql/pglite/dist/*.{wasm,data,tar.gz}",
  "effect/{src,dist/dts}",
  // Source maps of compiled libraries, where they weigh most.
  "{next,lucide-react,effect,remeda,graphql}/dist/**/*.map",
  "@prisma/client/runtime/*.map",
  "@electric-sql/pglite/dist/**/*.map",
  "@modelcontextprotocol/{client,server,core}/dist/**/*.map",
  "@opentelemetry/*/build/**/*.map",
];

const modules = path.resolve(import.meta.dirname, "../node_modules");
for (const pattern of UNUSED)
  for (const found of globSync(pattern, { cwd: modules })) rmSync(path.join(modules, found), { recursive: true, force: true });
