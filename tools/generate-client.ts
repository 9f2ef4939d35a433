import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

// Generates the Prisma client into lib/db/generated, unless the one that lies
// there was made from this very schema by this very version. Runs after every
// install and before every start, so it must cost nothing when it is fresh.
//
// It is made from a copy of the schema in which what defaults to now() defaults to what the database says: Prisma fills in the
// process's clock otherwise, and the clocks of several machines differ.

const root = path.resolve(import.meta.dirname, "..");
const stamp = path.join(root, "lib/db/generated/.made-from");
const require = createRequire(import.meta.url);
const packageFile = require.resolve("prisma/package.json");

const schema = readFileSync(path.join(root, "prisma/schema.prisma"), "utf8")
  .replaceAll("@default(now())", "@default(dbgenerated())")
  .replace('"../lib/db/generated"', '"../../lib/db/generated"');

const wanted = createHash("sha256").update(schema).update(readFileSync(packageFile)).digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  const copy = path.join(root, "node_modules/.cache/schema.prisma");
  mkdirSync(path.dirname(copy), { recursive: true });
  writeFileSync(copy, schema);
  execFileSync(process.execPath, [path.join(path.dirname(packageFile), "build/index.js"), "generate", "--no-hints", "--schema", copy], {
    cwd: root,
    stdio: "pipe", // its output is part of the error, and of nothing else
  });
  writeFileSync(stamp, wanted);
}
