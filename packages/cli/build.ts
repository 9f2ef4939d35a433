import { rmSync } from "node:fs";
import { rolldown } from "rolldown";

// `npm run build`: the command as JavaScript for Node 20 and newer, with what it shares with the product (contracts, the
// signature diagnosis) inside; its dependencies stay outside. Node strips no types below node_modules.

const folder = import.meta.dirname;
rmSync(`${folder}/dist`, { recursive: true, force: true });
const bundle = await rolldown({
  input: { signalbox: `${folder}/src/main.ts` },
  platform: "node",
  external: [/^node:/, "commander", "eventsource-parser", "undici", /^@modelcontextprotocol\//, /^zod/],
});
await bundle.write({ dir: `${folder}/dist`, format: "esm", chunkFileNames: "[name]-[hash].js" });
