#!/usr/bin/env node
// Prisma schema engine over WASM: stands in for the native `schema-engine` binary
// (PRISMA_SCHEMA_ENGINE_BINARY=./tools/schema-engine.mjs). Postgres only.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import * as rt from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  message: "",
  set_message(m) {
    this.message = m;
    process.stderr.write(JSON.stringify({ level: "ERROR", fields: { message: m } }) + "\n");
  },
};
const require = createRequire(import.meta.url);
const bg = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg");
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(bg.replace(/\.js$/, ".wasm"))), {
  "./schema_engine_bg.js": rt,
});
rt.__wbg_set_wasm(exports);
exports.__wbindgen_start();

const { values: a, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    datamodels: { type: "string", multiple: true },
    datasource: { type: "string" },
    version: { type: "boolean", short: "V" },
    "enabled-preview-features": { type: "string" },
    "extension-types": { type: "string" },
  },
});
if (a.version) {
  console.log("schema-engine-wasm " + rt.version());
  process.exit(0);
}
const ds = a.datasource ? JSON.parse(a.datasource) : {};

const log = (level, message, error_code) =>
  process.stderr.write(
    JSON.stringify({ timestamp: new Date().toISOString(), level, target: "schema_engine::logger", fields: { message, error_code } }) + "\n",
  );

const cfg = (url) => {
  const u = new URL(url);
  const schema = u.searchParams.get("schema") ?? undefined;
  return {
    schema,
    database: decodeURIComponent(u.pathname.slice(1)),
    conn: {
      host: u.hostname,
      port: +(u.port || 5432),
      user: decodeURIComponent(u.username),
      password: decodeURIComponent(u.password),
      database: decodeURIComponent(u.pathname.slice(1)),
    },
  };
};

// adapter-pg splits scripts on ';' (breaks $$ bodies) and drops the shadow database while connected: put both right.
const live = new Set(); // pools of the request in hand: ended with it, and the advisory lock with them
class Factory extends PrismaPg {
  async connect() {
    return this.fix(await super.connect());
  }
  fix(ad) {
    live.add(ad.underlyingDriver());
    // pg_catalog's "char" (oid 18) is unknown to adapter-pg: read it as text, hand it on as Character
    const pool = ad.underlyingDriver(),
      query = pool.query.bind(pool),
      queryRaw = ad.queryRaw.bind(ad);
    let chars = [];
    pool.query = async (...x) => {
      const r = await query(...x);
      chars = [];
      r?.fields?.forEach((f, i) => {
        if (f.dataTypeID === 18) {
          f.dataTypeID = 25;
          chars.push(i);
        }
      });
      return r;
    };
    ad.queryRaw = async (q) => {
      const r = await queryRaw(q);
      for (const i of chars) r.columnTypes[i] = ColumnTypeEnum.Character;
      return r;
    };
    ad.executeScript = async (s) => {
      try {
        await ad.underlyingDriver().query(s);
      } catch (e) {
        ad.onError(e);
      }
    };
    return ad;
  }
  async connectToShadowDb() {
    if (ds.shadowDatabaseUrl) {
      const c = cfg(ds.shadowDatabaseUrl);
      return new Factory(c.conn, { schema: c.schema }).connect();
    }
    const db = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
    const main = await this.connect();
    await main.executeScript(`CREATE DATABASE "${db}"`);
    const shadow = await new Factory({ ...this.config, database: db }, this.options).connect();
    const end = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await end();
      await main.executeScript(`DROP DATABASE IF EXISTS "${db}" WITH (FORCE)`);
      await main.dispose();
    };
    return shadow;
  }
}
const admin = async (sql, database = "postgres") => {
  const c = new pg.Client({ ...cfg(ds.url).conn, database });
  await c.connect();
  try {
    return await c.query(sql);
  } finally {
    await c.end();
  }
};
const known = (e) =>
  ({ "3D000": "P1003", "28P01": "P1000", 28000: "P1000", ECONNREFUSED: "P1001", ENOTFOUND: "P1001", ETIMEDOUT: "P1001" })[e.code];
const dbName = () => cfg(ds.url).database;

if (positionals[0] === "cli") {
  log("INFO", "Starting schema engine CLI"); // the caller skips the first line
  try {
    if (positionals[1] === "can-connect-to-database") {
      await admin("select 1", dbName());
      log("INFO", "Connection successful");
    } else if (positionals[1] === "create-database") {
      await admin(`CREATE DATABASE "${dbName()}"`);
      log("INFO", `Database \`${dbName()}\` was successfully created.`);
    } else if (positionals[1] === "drop-database") {
      await admin(`DROP DATABASE "${dbName()}" WITH (FORCE)`);
      log("INFO", "The database was successfully dropped.");
    }
    process.exit(0);
  } catch (e) {
    log("ERROR", e.message || e.code, known(e) ?? "P1010");
    process.exit(1);
  }
}

// A fresh engine for each request: a used one cannot take a second shadow database.
const newEngine = async () => {
  const c = ds.url ? cfg(ds.url) : { conn: {} };
  const factory = bindMigrationAwareSqlAdapterFactory(new Factory(c.conn, { schema: c.schema }));
  return rt.SchemaEngine.new(
    {
      datamodels: a.datamodels?.length
        ? a.datamodels.map((p) => [p, readFileSync(p, "utf8")])
        : [["empty.prisma", 'datasource db {\n  provider = "postgresql"\n}\n']],
    },
    (m) => process.env.DEBUG && process.stderr.write(m + "\n"),
    factory,
  );
};
const out = (o) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...o }) + "\n");
const handle = async ({ id, method, params }) => {
  try {
    let r;
    if (method === "createDatabase") {
      await admin(`CREATE DATABASE "${dbName()}"`);
      r = { databaseName: dbName() };
    } else if (method === "getDatabaseVersion") r = (await admin("show server_version", dbName())).rows[0].server_version;
    else {
      const engine = await newEngine();
      // these two lack the shadow-database factory, but find the schema devDiagnostic has just worked out
      if (method === "evaluateDataLoss" || method === "createMigration")
        await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters }).catch(() => {});
      r = await engine[method](params);
    }
    if (method === "diff" && r?.stdout) {
      out({ id: 10000 + id, method: "print", params: { content: r.stdout } });
      r = { exitCode: r.exitCode, stdout: null };
    }
    out({ id, result: r ?? null });
  } catch (e) {
    const code = e.code,
      message = e.message;
    out({
      id,
      error: {
        code: 4466,
        message: "An error happened. Check the data field for details.",
        data: { is_panic: e.name === "RuntimeError", message, error_code: code, meta: e.meta ?? null },
      },
    });
  } finally {
    for (const p of live) if (!p.ended) await p.end();
    live.clear();
  }
};
let chain = Promise.resolve(),
  open = 0;
const rl = createInterface({ input: process.stdin });
rl.on("line", (l) => {
  if (!l.trim()) return;
  const m = JSON.parse(l);
  if (m.method) chain = chain.then(() => handle(m));
});
rl.on("close", () => chain.then(() => process.exit(0)));
