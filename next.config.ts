import type { NextConfig } from "next";
import { HEADER_RULES } from "./lib/http/security-headers.ts";

/** A page's query parameter under its present name. Next keeps the old one in the URL, so that without `missing` the redirect would match itself. */
const renamedParameter = (source: string, from: string, to: string) => ({
  source,
  has: [{ type: "query" as const, key: from, value: "(?<value>.+)" }],
  missing: [{ type: "query" as const, key: to }],
  destination: `${source}?${to}=:value`,
});

/** URLs of pages from before each thing had one name; 308. */
const MOVED = [
  { source: "/failures/:path*", destination: "/issues/:path*" },
  { source: "/refused/:path*", destination: "/quarantine/:path*" },
  { source: "/findings", destination: "/missing-events" },
  { source: "/settings/views", destination: "/settings/records" },
  renamedParameter("/events", "status", "state"),
  renamedParameter("/tasks", "inWork", "active"),
];

const config: NextConfig = {
  poweredByHeader: false,
  redirects: async () => MOVED.map((move) => ({ ...move, permanent: true })),
  typedRoutes: false,
  // Written into the code of server and pages as it is compiled (lib/config/product.ts).
  env: { SIGNALBOX_BUILD: process.env.SIGNALBOX_BUILD ?? "" },
  // `npm run check` reads the types, tests and tools included; a start must not wait for them.
  typescript: { ignoreBuildErrors: true },
  // No page has an image to resize; the resizer would answer anyone.
  images: { unoptimized: true },
  experimental: {
    // A page that the person's role may not see answers 403 (lib/auth/require-actor.ts).
    authInterrupts: true,
    // A build runs once for a version, on the machine that starts it: what a second build would reuse, and maps that nothing reads (the
    // log has the stacks as they are), would cost 0.9 GB of memory, 20 s and 300 MB of disk.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
    turbopackInputSourceMaps: false,
  },
  serverExternalPackages: ["pg", "pino", "@node-rs/argon2", "pg-boss", "undici"],
  headers: async () =>
    HEADER_RULES.map(({ source, headers }) => ({ source, headers: Object.entries(headers).map(([key, value]) => ({ key, value })) })),
};

export default config;
