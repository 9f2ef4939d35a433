// Who may import whom: down only (docs/ARCHITECTURE.md). Every rule is an error.
//
//   app, processes -> jobs -> flows -> rooms, platform -> base -> contracts, config, observability
//   components -> client -> contracts

const ROOMS = ["connections", "events", "views", "deliveries", "findings"];
const BASE = ["db", "queue", "vault", "http", "auth"];
const GROUND = ["contracts", "config", "observability"];

const lib = (...names) => `^lib/(${names.join("|")})/`;

/** `from` may import, of our own code, only what `allowed` says. */
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: "^(app|components|lib|tests|tools)/", pathNot: allowed },
});

const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

export default {
  forbidden: [
    only("contracts-stand-alone", "contracts import zod and each other, nothing else", lib("contracts"), [lib("contracts")]),
    only("config-is-ground", "config imports contracts only", lib("config"), [lib("config", "contracts")]),
    only("observability-is-ground", "observability imports config and contracts only", lib("observability"), [lib(...GROUND)]),
    only("base-goes-down", "db, queue, vault, http and auth import each other and what lies below", lib(...BASE), [
      lib(...BASE, ...GROUND),
    ]),
    only("platform-goes-down", "what we know of the platform knows no room", lib("platform"), [lib("platform", ...BASE, ...GROUND)]),
    ...ROOMS.map((room) =>
      only(`${room}-is-a-room`, "rooms don't import each other; a flow joins them", lib(room), [lib(room, "platform", ...BASE, ...GROUND)]),
    ),
    only("flows-go-down", "flows join rooms and know nothing above", lib("flows"), [
      lib("flows", ...ROOMS, "platform", ...BASE, ...GROUND),
    ]),
    only("jobs-go-down", "a job is a call of a flow", lib("jobs"), [lib("jobs", "flows", "sandbox", "queue", "db", ...GROUND)]),
    only("processes-go-down", "entry points start what lies below", lib("processes"), [
      lib("processes", "jobs", "flows", "platform", ...ROOMS, ...BASE, ...GROUND),
    ]),
    only("client-is-a-browser", "client code knows the contracts alone", lib("client"), [lib("client", "contracts")]),
    only("app-stays-on-top", "pages and handlers call flows, and reading functions of rooms", "^app/", [
      "^app/",
      "^components/",
      lib("flows", "sandbox", "client", "platform", ...ROOMS, ...BASE, ...GROUND),
    ]),
    only("ui-knows-no-feature", "primitives import primitives", "^components/ui/", ["^components/ui/", lib("client", "contracts")]),
    only("shell-knows-no-feature", "the shell imports primitives and client code", "^components/shell/", [
      "^components/(ui|shell)/",
      lib("client", "contracts"),
    ]),
    never(
      "features-stay-apart",
      "a component imports its own feature, ui, shell, client and contracts; never a store, a room or a flow",
      { path: "^components/(?!ui/|shell/)([^/]+)/" },
      { path: "^(app|components|lib|tests|tools)/", pathNot: ["^components/(ui|shell|$1)/", lib("client", "contracts")] },
    ),
    only("sandbox-is-the-other-side", "the sandbox talks to the rest over HTTP alone", lib("sandbox"), [
      lib("sandbox", "contracts", "config", "db", "http", "vault", "observability"),
      "^lib/platform/(event-catalogue|field-names)\\.ts$",
    ]),
    never(
      "nothing-leans-on-the-sandbox",
      "only its own pages and its job may import it",
      { path: "^(app|components|lib)/", pathNot: ["^app/sandbox/", "^app/[^/]+/sandbox/", lib("sandbox", "jobs")] },
      { path: lib("sandbox") },
    ),
    never(
      "prisma-lives-in-stores",
      "only *-store.ts and lib/db touch Prisma and the driver; processes may close what they end",
      { path: "^(app|components|lib)/", pathNot: ["-store\\.ts$", lib("db", "processes")] },
      { path: ["^lib/db/(generated/|prisma\\.ts$)", "^node_modules/(pg|@prisma)/"], dependencyTypesNot: ["type-only"] },
    ),
    never(
      "pages-know-no-pool",
      "flows and rooms may say which pool a store works with (tools/check.ts sees that they send it no SQL); pages may not",
      { path: "^(app|components|lib/client|lib/jobs)/" },
      { path: "^lib/db/(pool|transaction)\\.ts$" },
    ),
    never(
      "product-knows-no-test",
      "tests and tools import the product, not the other way round",
      { path: "^(app|components|lib)/" },
      { path: "^(tests|tools)/" },
    ),
    never("no-circles", "an import circle is one file in several pieces", {}, { circular: true }),
    never(
      "no-orphans",
      "a file that nothing imports is dead",
      {
        orphan: true,
        pathNot: [
          "^app/",
          "^lib/processes/(start|web|worker|doctor)\\.ts$",
          "\\.d\\.ts$",
          "^tests/",
          "^tools/",
          "^[^/]+$",
          "^lib/config/tool-database-url\\.ts$",
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
