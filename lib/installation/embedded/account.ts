import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";

/** The system account that the server runs as; undefined: the account of this process. */
export type Account = { uid: number; gid: number } | undefined;

const CANDIDATES = ["postgres", "nobody"];
const OTHERS_MAY_ENTER = 0o001;

/**
 * PostgreSQL does not run as root, so root hands it to an unprivileged
 * account: the one that owns the data already, else `postgres`, else `nobody`.
 *
 * @throws Error when this process is root and no such account exists
 */
export function serverAccount(dataDirectory: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of CANDIDATES) {
    try {
      return { uid: idOf("-u", name), gid: idOf("-g", name) };
    } catch {
      // no such account; the next one
    }
  }
  throw new Error("PostgreSQL can't run as root, and there is no postgres or nobody account to run it. Start Signalbox as another user.");
}

const idOf = (flag: "-u" | "-g", name: string): number =>
  Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));

/** True when the account may walk down to the folder (a home of mode 700 on the way stops it). */
export function canReach(account: Account, folder: string): boolean {
  if (!account) return true;
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (stat && stat.uid !== account.uid && !(stat.mode & OTHERS_MAY_ENTER)) return false;
    if (at === path.dirname(at)) return true;
  }
}
