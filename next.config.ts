import type { NextConfig } from "next";
import { DATA_POLICY, STATIC_HEADERS } from "./lib/http/security-headers.ts";

const headersOf = (headers: Record<string, string>) => Object.entries(headers).map(([key, value]) => ({ key, value }));

const config: NextConfig = {
  poweredByHeader: false,
  typedRoutes: false,
  // `npm run check` reads the types, tests and tools included; a start must not wait for them.
  typescript: { ignoreBuildErrors: true },
  // A page that the person's role may not see answers 403 (lib/auth/require-actor.ts).
  experimental: { authInterrupts: true },
  serverExternalPackages: ["pg", "pino", "@node-rs/argon2", "pg-boss", "undici"],
  headers: async () => [
    { source: "/:path*", headers: headersOf(STATIC_HEADERS) },
    // Pages get theirs, with a nonce, in proxy.ts; the sandbox platform's dialog brings its own.
    ...["/api/:path*", "/webhooks/:path*", "/health/:path*", "/sandbox/api/:path*", "/callback", "/metrics"].map((source) => ({
      source,
      headers: headersOf({ "content-security-policy": DATA_POLICY }),
    })),
  ],
};

export default config;
