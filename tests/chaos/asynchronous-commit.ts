import pg from "pg";

// Preloaded by a sabotaged run: every connection acknowledges commits before
// they are on disk, also those that ask for the contrary when they are opened.
// A crash of the server must then lose what was acknowledged.

type Method = (this: pg.Client, ...args: unknown[]) => unknown;

const { connect, query } = pg.Client.prototype as unknown as { connect: Method; query: Method };
const spoiltConnect: Method = function (...args) {
  this.once("connect", () => void this.query("SET synchronous_commit = off").catch(() => undefined));
  return connect.apply(this, args);
};
const spoiltQuery: Method = function (text, ...rest) {
  return query.call(
    this,
    typeof text === "string" ? text.replace(/synchronous_commit = '\w+'/, "synchronous_commit = off") : text,
    ...rest,
  );
};
Object.assign(pg.Client.prototype, { connect: spoiltConnect, query: spoiltQuery });
