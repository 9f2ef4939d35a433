import { chmodSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { accountFor, closedTo } from "#lib/installation/embedded/account";
import { temporaryFolder } from "#tests/support/temporary-folder";

const root = { isRoot: true, hasNamespaces: () => true };
const withoutNamespaces = { isRoot: true, hasNamespaces: () => false };
const isRoot = process.getuid?.() === 0;

function makeFolder(mode: number): string {
  const folder = path.join(temporaryFolder(), "closed");
  mkdirSync(folder);
  chmodSync(folder, mode);
  return path.join(folder, "postgres");
}

it("who is not root runs the server itself", () => {
  expect(accountFor(makeFolder(0o700), { isNew: true }, { ...root, isRoot: false })).toBeUndefined();
});

it.skipIf(!isRoot)(
  "new data go to an account that may enter, below a closed folder to a user namespace, and without one to an account",
  () => {
    expect(accountFor(makeFolder(0o755), { isNew: true }, root)).toMatchObject({ inNamespace: false });
    expect(accountFor(makeFolder(0o700), { isNew: true }, root)).toMatchObject({ inNamespace: true });
    const closed = makeFolder(0o700);
    const account = accountFor(closed, { isNew: true }, withoutNamespaces);
    expect(account).toMatchObject({ inNamespace: false });
    expect(closedTo(account, path.dirname(closed))).toEqual([path.dirname(closed)]);
  },
);

it.skipIf(!isRoot)("root's data without a user namespace are refused with the commands that help, and stay root's", () => {
  const directory = makeFolder(0o700);
  mkdirSync(directory);
  expect(accountFor(directory, { isNew: false }, root)).toMatchObject({ inNamespace: true });
  expect(() => accountFor(directory, { isNew: false }, withoutNamespaces)).toThrow(
    /belongs to root.*no user namespace.*Nothing was changed\. Run: chown -R \d+:\d+ '.*postgres' && chmod o\+x '.*closed'$/,
  );
  expect(statSync(directory).uid).toBe(0);
  expect(statSync(path.dirname(directory)).mode & 0o777).toBe(0o700);
});
