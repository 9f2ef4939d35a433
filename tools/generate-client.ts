import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

// Generates the Prisma client into lib/db/generated, unless the one that lies
// there was made from this very schema by this very version. Runs after every
// install and before every start, so it must cost nothing when it is fresh.

const root = path.resolve(import.meta.dirname, "..");
const stamp = path.join(root, "lib/db/generated/.made-from");
const require = createRequire(import.meta.url);
const packageFile = require.resolve("prisma/package.json");

const wanted = createHash("sha256")
  .update(readFileSync(path.join(root, "prisma/schema.prisma")))
  .update(readFileSync(packageFile))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  execFileSync(process.execPath, [path.join(path.dirname(packageFile), "build/index.js"), "generate", "--no-hints"], {
    cwd: root,
    stdio: "pipe", // its output is part of the error, and of nothing else
  });
  writeFileSync(stamp, wanted);
}
