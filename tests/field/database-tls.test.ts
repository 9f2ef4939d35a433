import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { TLSSocket } from "node:tls";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { startDatabase } from "#lib/installation/database";
import { useDatabase } from "#tests/support/database";

// node-postgres#2375: sslmode=require verifies here, unlike libpq. Each line of the table in docs/configuration.md is tried.

const database = useDatabase();
const CERTIFICATES = path.resolve("tests/support/forwarding/certificates");
const CA = path.join(CERTIFICATES, "authority.pem");

/** What encrypts in front of the database; null: it says that it does not. Counts encrypted connections. */
async function encrypting(certificate: "valid" | "expired" | "other-host" | null) {
  const pem = certificate && readFileSync(path.join(CERTIFICATES, `${certificate}.pem`));
  const server = new URL(database.url());
  let encrypted = 0;
  const pass = (socket: Socket, first?: Buffer) => {
    const upstream = connect(Number(server.port), server.hostname);
    if (first) upstream.write(first);
    socket.pipe(upstream).pipe(socket);
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
  };
  const proxy: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (first) => {
      socket.pause();
      // SSLRequest: https://www.postgresql.org/docs/current/protocol-message-formats.html
      if (first.length !== 8 || first.readInt32BE(4) !== 80_877_103) return pass(socket, first);
      if (pem === null) return void socket.end("N");
      socket.write("S");
      const tls = new TLSSocket(socket, { isServer: true, key: pem, cert: pem });
      tls.on("error", () => undefined);
      tls.once("secure", () => {
        encrypted += 1;
      });
      pass(tls);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const url = new URL(database.url());
  url.port = String((proxy.address() as AddressInfo).port);
  const start = async (query: string) => {
    resetEnv({ DATABASE_URL: `${url.href}${query && `?${query}`}` });
    return startDatabase().then(
      () => (encrypted > 0 ? "encrypted" : "in clear"),
      (error: Error) => error.message,
    );
  };
  return start;
}

beforeAll(() => {
  const silenced = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined); // pg announces libpq's meanings for its next version
  return () => silenced.mockRestore();
});

const TWO_WAYS = /^The certificate of the database server is not accepted: .*\(sslrootcert=\/path\/to\/ca\.pem\).*sslmode=no-verify\.$/;
const LIBPQ = "uselibpqcompat=true";

it.each([
  ["", "valid", "in clear"],
  ["sslmode=disable", "valid", "in clear"],
  ["sslmode=prefer", "valid", TWO_WAYS],
  ["sslmode=require", "valid", TWO_WAYS],
  ["sslmode=verify-ca", "valid", TWO_WAYS],
  ["sslmode=verify-full", "valid", TWO_WAYS],
  ["sslmode=no-verify", "valid", "encrypted"],
  ["sslmode=no-verify", "expired", "encrypted"],
  ...["prefer", "require", "verify-ca", "verify-full"].flatMap((mode) => [
    [`sslmode=${mode}&sslrootcert=${CA}`, "valid", "encrypted"] as const,
    [`sslmode=${mode}&sslrootcert=${CA}`, "expired", TWO_WAYS] as const,
    [`sslmode=${mode}&sslrootcert=${CA}`, "other-host", TWO_WAYS] as const,
  ]),
  [`${LIBPQ}&sslmode=require`, "expired", "encrypted"],
  [`${LIBPQ}&sslmode=verify-ca&sslrootcert=${CA}`, "other-host", "encrypted"],
  [`${LIBPQ}&sslmode=verify-full&sslrootcert=${CA}`, "other-host", TWO_WAYS],
] as const)("%s, before a server whose certificate is %s: %s", async (query, certificate, expected) => {
  const outcome = await (await encrypting(certificate))(query);
  if (typeof expected === "string") expect(outcome).toBe(expected);
  else expect(outcome).toMatch(expected);
});

it("a server without TLS, and a file that is missing, are said in words", async () => {
  const start = await encrypting(null);
  expect(await start("sslmode=require")).toMatch(
    /^The database server does not encrypt connections, and sslmode in DATABASE_URL asks for it\./,
  );
  expect(await start("sslmode=require&sslrootcert=/nowhere/ca.pem")).toBe(
    "The file /nowhere/ca.pem that DATABASE_URL names (sslrootcert, sslcert or sslkey) is missing.",
  );
});
