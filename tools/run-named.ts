import process from "node:process";

// `npm run bench -- NAME …` and `npm run chaos -- NAME …`: one trial of many. Without a name, the first of its kind runs.

const TRIALS: Record<string, Record<string, string>> = {
  bench: {
    backup: "bench/backup.ts",
    "backup-store": "bench/backup-store.ts",
    browser: "bench/browser.ts",
    burst: "bench/burst.ts",
    cli: "bench/command-line.ts",
    cost: "bench/cost/run.ts",
    growth: "bench/growth.ts",
    latency: "bench/latency.ts",
    lists: "bench/lists.ts",
    live: "bench/live.ts",
    memory: "bench/memory.ts",
    navigation: "bench/navigation.ts",
    "page-load": "bench/page-load.ts",
    peers: "bench/peers/run.ts",
    rebuild: "bench/rebuild.ts",
    request: "bench/request.ts",
    scale: "bench/scale.ts",
    screenshots: "bench/screenshots.ts",
    seal: "bench/seal.ts",
    search: "bench/search.ts",
    "search-crash": "bench/search-crash.ts",
  },
  chaos: {
    forwarding: "chaos/forwarding.ts",
    ha: "chaos/ha/run.ts",
    rolling: "chaos/rolling.ts",
    upgrade: "chaos/upgrade.ts",
  },
};

const [kind = "", name] = process.argv.slice(2);
const trials = TRIALS[kind] ?? {};
const isNamed = name !== undefined && !name.startsWith("-");
const file = isNamed ? trials[name] : `${kind}/run.ts`;
if (file === undefined) {
  process.stderr.write(`There is no ${kind} "${name}". There are: ${Object.keys(trials).join(", ")}; without a name, the general one.\n`);
  process.exit(1);
}
// The trial reads its own options from the command line.
process.argv.splice(2, isNamed ? 2 : 1);
await import(`../tests/${file}`);
