import pg from "pg";
import { createDatabase, databaseName, runStatement } from "./datasource.mjs";

const COMMANDS = {
  "can-connect-to-database": async (datasource) => {
    await runStatement(datasource, "SELECT 1", databaseName(datasource));
    return "Connection successful";
  },
  "create-database": async (datasource) => {
    await createDatabase(datasource);
    return `Database \`${databaseName(datasource)}\` was successfully created.`;
  },
  "drop-database": async (datasource) => {
    await runStatement(datasource, `DROP DATABASE ${pg.escapeIdentifier(databaseName(datasource))} WITH (FORCE)`);
    return "The database was successfully dropped.";
  },
};

/** Prisma's codes for what goes wrong on the way to a database. */
const PRISMA_CODES = {
  "3D000": "P1003",
  "28P01": "P1000",
  28000: "P1000",
  ECONNREFUSED: "P1001",
  ENOTFOUND: "P1001",
  ETIMEDOUT: "P1001",
};

/** `schema-engine cli <command>`: one thing done to a database, told in log lines. @returns the exit code */
export async function runCommand(name, datasource) {
  log("INFO", "Starting schema engine CLI"); // the caller skips the first line
  try {
    log("INFO", await COMMANDS[name](datasource));
    return 0;
  } catch (error) {
    log("ERROR", error.message || error.code, PRISMA_CODES[error.code] ?? "P1010");
    return 1;
  }
}

const log = (level, message, errorCode) =>
  process.stderr.write(
    `${JSON.stringify({ timestamp: new Date().toISOString(), level, target: "schema_engine::logger", fields: { message, error_code: errorCode } })}\n`,
  );
