import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  typedRoutes: false,
  serverExternalPackages: ["pg", "pino", "@node-rs/argon2", "pg-boss", "undici"],
};

export default config;
