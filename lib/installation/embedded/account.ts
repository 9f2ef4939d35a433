import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";

/** Undefined: this process's account. In a namespace the server only looks like the account: it is root without its capabilities. */
export type Account = { uid: number; gid: number; inNamespace: boolean } | undefined;

type System = { isRoot: boolean; hasNamespaces: () => boolean };

const CANDIDATES = ["postgres", "nobody"];
const OWNER_MAY_ENTER = 0o100;
export const OTHERS_MAY_ENTER = 0o001;
/** The kernel's overflow ID, for a system that names none. */
const NOBODY = { uid: 65534, gid: 65534 };

const thisSystem: System = { isRoot: process.getuid?.() === 0, hasNamespaces };

/** Picks who runs PostgreSQL, which refuses root: the data's owner, or for new data an account that may enter, else a namespace. */
export function accountFor(directory: string, { isNew }: { isNew: boolean }, system = thisSystem): Account {
  if (!system.isRoot) return undefined;
  return isNew ? accountOfNew(path.dirname(directory), system) : accountOfOwner(directory, system);
}

function accountOfNew(parent: string, system: System): Account {
  const known = CANDIDATES.flatMap((name) => findAccount(name) ?? []);
  const reaching = [...known, ...ownersAbove(parent)].find((account) => closedTo(account, parent).length === 0);
  if (reaching) return reaching;
  const root: Account = { ...(known[0] ?? NOBODY), inNamespace: true };
  if (closedTo(root, parent).length === 0 && system.hasNamespaces()) return root;
  if (known[0]) return known[0];
  throw new Error("PostgreSQL can't run as root, and there is no postgres or nobody account to run it. Start Signalbox as another user.");
}

function accountOfOwner(directory: string, system: System): Account {
  const { uid, gid } = statSync(directory);
  const spare = CANDIDATES.flatMap((name) => findAccount(name) ?? [])[0] ?? { ...NOBODY, inNamespace: false };
  const root = { ...spare, inNamespace: true };
  const rootMayRun = closedTo(root, directory).length === 0 && system.hasNamespaces();
  if (uid === 0 && rootMayRun) return root;
  const owner = uid === 0 ? spare : { uid, gid, inNamespace: false };
  const closed = closedTo(owner, path.dirname(directory));
  if (uid !== 0 && closed.length === 0) return owner;
  const why =
    uid === 0
      ? "it belongs to root, PostgreSQL does not run as root, and this system has no user namespace for it"
      : `it belongs to the account ${uid}, which can't enter ${closed.join(", ")}`;
  const commands = [
    ...(uid === 0 ? [`chown -R ${owner.uid}:${owner.gid} '${directory}'`] : []),
    ...closed.map((folder) => `chmod o+x '${folder}'`),
  ].join(" && ");
  const instead = uid !== 0 && system.hasNamespaces() ? `, or give the database to root: chown -R 0:0 '${directory}'` : "";
  throw new Error(`The database in ${directory} can't be run: ${why}. Nothing was changed. Run: ${commands}${instead}`);
}

/** Returns the owner of the nearest folder above that isn't root's: sudo in somebody's home. */
function ownersAbove(folder: string): NonNullable<Account>[] {
  for (let at = folder; ; at = path.dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (stat && stat.uid !== 0) return [{ uid: stat.uid, gid: stat.gid, inNamespace: false }];
    if (at === path.dirname(at)) return [];
  }
}

function findAccount(name: string): NonNullable<Account> | null {
  try {
    return { uid: idOf("-u", name), gid: idOf("-g", name), inNamespace: false };
  } catch {
    return null; // no such account
  }
}

const idOf = (flag: "-u" | "-g", name: string): number =>
  Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));

/** True if kernel and util-linux have user namespaces, and no profile (a container's) forbids them. */
function hasNamespaces(): boolean {
  try {
    const [file, args] = asAccount({ ...NOBODY, inNamespace: true }, "true", []);
    execFileSync(file, args, { stdio: "ignore", timeout: 5000 });
    return true;
  } catch {
    return false;
  }
}

/** Returns the command that runs a program as an account, except for what `spawn` does itself. */
export function asAccount(account: Account, file: string, args: string[]): [string, string[]] {
  if (!account?.inNamespace) return [file, args];
  return ["unshare", ["--user", `--map-user=${account.uid}`, `--map-group=${account.gid}`, file, ...args]];
}

/** Returns the folders on the way down, itself included, that the account may not enter. */
export function closedTo(account: Account, folder: string): string[] {
  if (!account) return [];
  const uid = account.inNamespace ? 0 : account.uid;
  const closed: string[] = [];
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (stat && !(stat.mode & (stat.uid === uid ? OWNER_MAY_ENTER : OTHERS_MAY_ENTER))) closed.unshift(at);
    if (at === path.dirname(at)) return closed;
  }
}
