import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  typedRoutes: false,
  // `npm run check` reads the types, tests and tools included; a start must not wait for them.
  typescript: { ignoreBuildErrors: true },
  // A page that the person's role may not see answers 403 (lib/auth/require-actor.ts).
  experimental: { authInterrupts: true },
  serverExternalPackages: ["pg", "pino", "@node-rs/argon2", "pg-boss", "undici"],
};

export default config;
