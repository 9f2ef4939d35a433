import { expect, test } from "vitest";
import { engineFaults } from "../../../tools/lockfile-engines.ts";

test("a package that refuses the machine's Node.js is told from one that refuses ours", () => {
  const packages = {
    "": { engines: { node: ">=99" } },
    "node_modules/node": { version: "24.21.0" },
    "node_modules/any": { engines: { node: ">=18" } },
    "node_modules/newer": { engines: { node: "^22.12.0 || ^24.0.0" } },
    "node_modules/too-new": { engines: { node: ">=26" } },
  };
  expect(engineFaults({ packages })).toEqual({ untrue: ["node_modules/newer"], broken: ["node_modules/too-new"] });
});
