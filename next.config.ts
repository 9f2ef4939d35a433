import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  typedRoutes: false,
  // `npm run check` reads the types, tests and tools included; a start must not wait for them.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg", "pino", "@node-rs/argon2", "pg-boss", "undici"],
};

export default config;
