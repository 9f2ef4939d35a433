import pg from "pg";

// Preloaded by a sabotaged run: every connection acknowledges commits before
// they are on disk. A crash of the server must then lose what was acknowledged.

type Connect = (this: pg.Client, ...args: unknown[]) => unknown;

const connect = pg.Client.prototype.connect as Connect;
const spoilt: Connect = function (...args) {
  this.once("connect", () => void this.query("SET synchronous_commit = off").catch(() => undefined));
  return connect.apply(this, args);
};
pg.Client.prototype.connect = spoilt as typeof pg.Client.prototype.connect;
