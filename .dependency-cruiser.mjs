// Who may import whom: down only (docs/ARCHITECTURE.md). Every rule is an error.
//
//   app, processes -> background -> flows -> modules -> platform -> base -> ground
//   components -> client -> contracts

const MODULES = [
  "ingest",
  "events",
  "sources",
  "quarantine",
  "processing",
  "issues",
  "missing-events",
  "views",
  "connections",
  "operations",
  "outages",
  "listeners",
  "saved-filters",
  "event-types",
  "backup",
  "forwarding",
  "alerts",
];
const GROUND = ["contracts", "config", "context", "time", "observability"];
/** Each imports those before it, and the ground. */
const BASE = ["db", "vault", "installation", "http", "auth", "api"];

const lib = (...names) => `^lib/(${names.join("|")})/`;

/** `from` may import, of our own code, only what `allowed` says. */
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: "^(app|components|lib|packages|tests|tools)/", pathNot: allowed },
});

const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

export default {
  forbidden: [
    only("contracts-stand-alone", "contracts import zod and each other, nothing else", lib("contracts"), [lib("contracts")]),
    only("config-is-ground", "config imports contracts only", lib("config"), [lib("config", "contracts")]),
    only("context-stands-alone", "what a process has one of is kept by name alone", lib("context"), [lib("context", "time")]),
    only("time-stands-alone", "clocks, limits and waits know nothing else of ours", lib("time"), [lib("time")]),
    only("observability-is-ground", "observability imports the ground only", lib("observability"), [lib(...GROUND)]),
    ...BASE.map((name, index) =>
      only(`${name}-goes-down`, `${name} imports what stands before it in BASE, and the ground`, lib(name), [
        lib(...BASE.slice(0, index + 1), ...GROUND),
      ]),
    ),
    only("platform-goes-down", "what we know of the platform knows no module", lib("platform"), [lib("platform", ...BASE, ...GROUND)]),
    ...MODULES.map((module) =>
      only(`${module}-is-a-module`, "modules don't import each other; a flow joins them", lib(module), [
        lib(module, "platform", ...BASE, ...GROUND),
      ]),
    ),
    only("flows-go-down", "flows join modules and know nothing above", lib("flows"), [
      lib("flows", ...MODULES, "platform", ...BASE, ...GROUND),
    ]),
    only("background-goes-down", "a job is a call of a flow", lib("background"), [
      lib("background", "flows", "sandbox", ...MODULES, ...BASE, ...GROUND),
    ]),
    only("processes-go-down", "entry points start what lies below", lib("processes"), [
      lib("processes", "background", "flows", "platform", ...MODULES, ...BASE, ...GROUND),
    ]),
    only("assistants-use-the-api", "tools for assistants call the API and know its contracts, nothing else", lib("assistants"), [
      lib("assistants", "contracts"),
    ]),
    only("client-is-a-browser", "client code knows the contracts alone", lib("client"), [lib("client", "contracts")]),
    only(
      "command-line-speaks-the-api",
      "the command line is a client of /api/v1: of the product it takes the contracts, the assistants' tools, the reader of payloads, and how senders sign",
      "^packages/cli/src/",
      [
        "^packages/cli/(src|node_modules)/",
        lib("contracts", "assistants"),
        "^lib/platform/(signature|read-event|json-text|event-catalogue|payload)\\.ts$",
        "^lib/forwarding/match-filter\\.ts$",
        "^lib/platform/(diagnosis|schemes)/",
      ],
    ),
    only("app-stays-on-top", "pages and handlers call flows, and reading functions of modules", "^app/", [
      "^app/",
      "^components/",
      lib("flows", "sandbox", "client", "assistants", "platform", ...MODULES, ...BASE, ...GROUND),
    ]),
    only("ui-knows-no-feature", "primitives import primitives", "^components/ui/", ["^components/ui/", lib("client", "contracts")]),
    only("records-know-the-contracts", "badges, ids and rows of records import primitives", "^components/records/", [
      "^components/(ui|records)/",
      lib("client", "contracts"),
    ]),
    only("shell-knows-no-feature", "the shell imports primitives, records and client code", "^components/shell/", [
      "^components/(ui|records|shell)/",
      lib("client", "contracts"),
    ]),
    never(
      "features-stay-apart",
      "a component imports its own feature, ui, records, shell, client and contracts; never a store, a module or a flow",
      { path: "^components/(?!ui/|records/|shell/)([^/]+)/" },
      {
        path: "^(app|components|lib|tests|tools)/",
        pathNot: ["^components/(ui|records|shell|$1)/", lib("client", "contracts")],
      },
    ),
    only("sandbox-is-the-other-side", "the sandbox talks to the rest over HTTP alone", lib("sandbox"), [
      lib("sandbox", "contracts", "config", "db", "http", "api", "vault", "observability"),
      "^lib/platform/(event-catalogue|field-names)\\.ts$",
      "^lib/platform/schemes/",
    ]),
    never(
      "nothing-leans-on-the-sandbox",
      "only its own pages and the background may import it",
      { path: "^(app|components|lib)/", pathNot: ["^app/sandbox/", "^app/[^/]+/sandbox/", lib("sandbox", "background")] },
      { path: lib("sandbox") },
    ),
    never(
      "prisma-lives-in-stores",
      "only *-store.ts, lib/db and what starts the embedded server touch Prisma and the driver; processes may close what they end",
      { path: "^(app|components|lib)/", pathNot: ["-store\\.ts$", lib("db", "installation", "processes")] },
      { path: ["^lib/db/(generated/|prisma\\.ts$)", "^node_modules/(pg|@prisma)/"], dependencyTypesNot: ["type-only"] },
    ),
    never(
      "pages-know-no-pool",
      "flows and modules may say which pool a store works with (npm run check sees that they send it no SQL); pages may not",
      { path: "^(app|components|lib/client)/" },
      { path: "^lib/db/(pool|transaction)\\.ts$" },
    ),
    never(
      "product-knows-no-test",
      "tests and tools import the product, not the other way round",
      { path: "^(app|components|lib|packages)/" },
      { path: "^(tests|tools)/" },
    ),
    never(
      "pages-load-no-folder",
      "these find folders by import.meta.dirname, which Next's build leaves undefined: a page that loads one can't be built",
      { path: "^app/" },
      { path: "^lib/(db/migrate|installation/process-environment)\\.ts$", reachable: true },
    ),
    never("no-circles", "an import circle is one file in several pieces", {}, { circular: true }),
    never(
      "no-orphans",
      "a file that nothing imports is dead",
      {
        orphan: true,
        pathNot: [
          "^app/",
          "^lib/processes/(start|web|worker|doctor|build)\\.ts$",
          "\\.d\\.ts$",
          "^tests/",
          "^tools/",
          "^[^/]+$",
          "^lib/config/tool-environment\\.ts$",
          "^packages/cli/(src/main|build)\\.ts$",
        ],
      },
      {},
    ),
    never("imports-resolve", "an import that leads nowhere", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^lib/db/generated/(internal|models)", "^\\.next/"] },
    parser: "swc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
