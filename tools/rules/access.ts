import { findLine, isProduct, type Rule } from "./source-file.ts";

/** The environment is read in one place, where it is validated. */
export const environment: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    const line =
      isProduct(name) && !/^(lib\/config|packages\/cli\/src\/environment\.ts$)/.test(name) ? findLine(text, /process\.env\b/) : null;
    return line ? [`${name}:${line} reads process.env. Ask env() of #lib/config/env.`] : [];
  });

/** Stores, lib/db, what starts the built-in server, and the adapter that gives pg-boss our pool. */
const SQL_HOME = /^lib\/(db|installation)\/|^lib\/background\/schedule\.ts$|-store\.ts$/;

/** SQL is sent by stores alone; what a flow holds of a pool it hands on. */
export const sql: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    const product = /^(app|lib)\//.test(name) && !SQL_HOME.test(name);
    const line = product
      ? findLine(
          text,
          /(\.(query|\$queryRaw\w*|\$executeRaw\w*)|\b(query(Rows?|Values?|Count)|countChanged|changesOne))\s*(<[^>(]*>)?\s*[(`]/,
        )
      : null;
    return line ? [`${name}:${line} talks to the database. That belongs in a *-store.ts file.`] : [];
  });

/** Calls that Prisma joins over transactions, or sends past the route that `prisma()` sets. */
const UNROUTED = /\.(findUnique(OrThrow)?|\$(transaction|queryRaw|executeRaw|extends)\w*)\s*[(`]/;

/** A call of Prisma is one statement on the connection that it was given. */
export const prismaCalls: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    const line = /^(app|lib)\//.test(name) && name !== "lib/db/prisma.ts" ? findLine(text, UNROUTED) : null;
    return line ? [`${name}:${line} makes a call of Prisma that may leave its transaction. Use findFirst, or SQL.`] : [];
  });

const STORE_IMPORT = /import (?:type )?\{([^}]*)\} from "#lib\/(?!sandbox\/)[^"]*-store"/g;
const READS = /^(type |find|list|count|read|measure|is|has)/;

/** Pages and handlers read from a store; every change goes through a flow. */
export const changesThroughFlows: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    if (!name.startsWith("app/")) return [];
    const changing = [...text.matchAll(STORE_IMPORT)].flatMap(([, names = ""]) =>
      names
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== "" && !READS.test(each)),
    );
    return changing.map((each) => `${name} changes data by ${each} of a store. Call a flow (lib/flows) that does it.`);
  });

/** A definition of a changing method, up to the next one. */
const CHANGING_METHOD = /\b(?:defineRoute|and)\("(POST|PUT|PATCH|DELETE)"(?:(?!\.and\(|\bdefineRoute\()[\s\S])*/g;

/** A route that changes something uses the audit that it is given, or hands its context on, which has it; or it says that it changes nothing. */
export const auditedChanges: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    if (!/^app\/.*\/route\.ts$/.test(name)) return [];
    const silent = [...text.matchAll(CHANGING_METHOD)].filter(([block]) => !/\baudit\b|\(context[,)]|changes: "nothing"/.test(block));
    return silent.map(
      ([, method]) =>
        `${name} changes something by ${method} and does not use \`audit\`. Record what changed, or say changes: "nothing" or audit.unchanged().`,
    );
  });

/** A request's body is read within bounds, which the methods of a web Request don't know. */
export const unboundedBodies: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    const line = /^(app|lib)\//.test(name) ? findLine(text, /\brequest\.(text|json|formData|arrayBuffer|blob|bytes)\(/) : null;
    return line ? [`${name}:${line} reads a body of any size. Call bodyTextOf of #lib/http/request-body.`] : [];
  });
