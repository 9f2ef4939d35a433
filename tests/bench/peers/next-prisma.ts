import { readFileSync } from "node:fs";
import path from "node:path";
import type { StartSubject } from "../cost/measure.ts";
import { install, type Peer, run, startPeer } from "./install.ts";

// The receiver that a team writes first: a route handler of Next, one `create` of Prisma for each webhook, a repeat found by the unique key.

const ROOT = path.resolve(import.meta.dirname, "../../..");

const SCHEMA = `generator client {
  provider     = "prisma-client"
  output       = "../generated"
  moduleFormat = "esm"
}
datasource db {
  provider = "postgresql"
}
model Event {
  id         String   @id
  type       String
  created    BigInt
  receivedAt DateTime @default(now())
  body       String
}
`;

const TABLE = `CREATE TABLE "Event" (id text PRIMARY KEY, type text NOT NULL, created bigint NOT NULL,
  "receivedAt" timestamp(3) NOT NULL DEFAULT now(), body text NOT NULL)`;

const ROUTE = `import { createHmac, timingSafeEqual } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { Prisma, PrismaClient } from "../../generated/client";

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });

export async function POST(request: Request) {
  const body = await request.text();
  const given = Buffer.from(request.headers.get("x-webhook-signature") ?? "", "hex");
  const expected = createHmac("sha256", process.env.SECRET ?? "").update(body).digest();
  if (given.length !== expected.length || !timingSafeEqual(expected, given)) return Response.json({ error: "signature" }, { status: 401 });
  const { id, type, created } = JSON.parse(body);
  try {
    await prisma.event.create({ data: { id, type, created: BigInt(created), body } });
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") throw error;
    return Response.json({ received: true, id, duplicate: true });
  }
  return Response.json({ received: true, id, duplicate: false });
}
`;

/** Installs and builds it. @returns how to start it */
export function installNextPrisma(parent: string): StartSubject {
  const ours = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const names = [
    "next",
    "react",
    "react-dom",
    "pg",
    "prisma",
    "@prisma/client",
    "@prisma/adapter-pg",
    "typescript",
    "@types/node",
    "@types/react",
  ];
  const peer: Peer = {
    name: "next-prisma",
    dependencies: Object.fromEntries(names.map((name) => [name, ours.dependencies[name] ?? "latest"])),
    files: {
      "prisma/schema.prisma": SCHEMA,
      "prisma.config.ts": `export default { schema: "prisma/schema.prisma" };\n`,
      "app/webhooks/route.ts": ROUTE,
      "app/layout.tsx": "export default ({ children }: { children: React.ReactNode }) => <html lang='en'><body>{children}</body></html>;\n",
      "app/page.tsx": "export default () => <p>Receiver</p>;\n",
      "next.config.mjs": "export default { typescript: { ignoreBuildErrors: true } };\n",
    },
  };
  const folder = install(parent, peer);
  // The native schema engine is a download of its own (prisma.config.ts).
  run(folder, "npx", ["prisma", "generate", "--no-hints"], { PRISMA_SCHEMA_ENGINE_BINARY: path.join(ROOT, "tools/schema-engine.mjs") });
  run(folder, "npx", ["next", "build"], { NEXT_TELEMETRY_DISABLED: "1" });
  const args = (port: number) => ["node_modules/next/dist/bin/next", "start", "-p", String(port), "-H", "127.0.0.1"];
  return startPeer({ folder, args, table: '"Event"', create: TABLE });
}
