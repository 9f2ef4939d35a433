import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openObjectStore } from "#lib/backup/object-store";
import { resetEnv } from "#lib/config/env";
import { holds, removeBackup } from "#lib/flows/installation/backup/run-backups";
import { listStore } from "#lib/processes/backups/restore-source";
import { objectNamed } from "#lib/processes/backups/store-target";
import { temporaryFolder } from "#tests/support/temporary-folder";

const LIMITS = { connectMs: 1000, silenceMs: 2000, attempts: 1 };

/** A server that lists backups as `answer` does, and says how often it was asked. */
async function startStore(answer: (response: ServerResponse, times: number) => void) {
  let times = 0;
  const server = createServer((_request, response) => {
    times += 1;
    response.setHeader("content-type", "application/xml");
    answer(response, times);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const access = {
    accessKeyId: "k",
    secretAccessKey: "s",
    region: "us-east-1",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const list = async () => {
    const store = await openObjectStore({ bucket: "backups", prefix: "", keys: [], ...access }, LIMITS);
    return store.list().finally(() => store.close());
  };
  return { list, access, asked: () => times };
}

const page = (keys: string[], next: string | null) =>
  `<ListBucketResult><IsTruncated>${next !== null}</IsTruncated>${keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size><LastModified>2026-11-28T00:00:00.000Z</LastModified></Contents>`).join("")}${next === null ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`}</ListBucketResult>`;

test("a list is followed to its end", async () => {
  const { list } = await startStore((response, times) => response.end(times < 3 ? page([`b${times}`], `t${times}`) : page(["b3"], null)));
  expect((await list()).map(({ name }) => name)).toEqual(["b1", "b2", "b3"]);
});

test.each([
  ["the same page again and again", (times: number) => page(["b1"], `t${times}`)],
  ["empty pages", (times: number) => page([], `t${times}`)],
  ["the same place", () => page(["b1"], "t")],
])("a list that never advances ends: %s", async (_, answer) => {
  const { list, asked } = await startStore((response, times) => response.end(answer(times)));
  await expect(list()).rejects.toThrow(/^The store's list does not advance: [^\n]*$/);
  expect(asked()).toBeLessThan(3);
});

test("an answer without end is left, whether it comes fast or slowly", async () => {
  const fast = await startStore((response) => {
    const more = () => {
      while (!response.destroyed && response.write("<!-- -->".repeat(8192)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  await expect(fast.list()).rejects.toThrow(/^The store's answer is larger than 8 MiB\. Check BACKUP_S3_ENDPOINT\.$/);
  const slow = await startStore((response) => {
    const timer = setInterval(() => response.write(" "), 100);
    response.once("close", () => clearInterval(timer));
  });
  await expect(slow.list()).rejects.toThrow(/^The store did not respond in time\.$/);
});

test("names of the store steer no terminal, and don't forge a line", async () => {
  const { access } = await startStore((response) => response.end(page(["x&#x9b;31m&#x202e;y&#x85;z"], null)));
  resetEnv({
    BACKUP_S3_URL: "s3://backups",
    BACKUP_S3_ENDPOINT: access.endpoint,
    BACKUP_S3_ACCESS_KEY_ID: access.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: access.secretAccessKey,
    BACKUP_KEY: `b1:${Buffer.alloc(32, 9).toString("base64")}`,
  });
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = ((text: string) => written.push(text) > 0) as typeof write;
  try {
    expect(await listStore()).toBe(0);
  } finally {
    process.stdout.write = write;
  }
  expect(written.join("")).toContain("s3://backups/x\\x9b31m\\u202ey\\x85z  2026");
});

test("a name that leads out of its folder is no backup: not of the store, and not of the database's rows", async () => {
  for (const target of ["s3://b/p/..", "s3://b/p/.", "s3://b/p/", "s3://.."])
    expect(() => objectNamed(target)).toThrow(/is not a backup in the store/);
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "kept"), "");
  const inner = mkdtempSync(path.join(folder, "backups-"));
  for (const name of ["../kept", "..", "."]) {
    expect(await holds(inner, name)).toBe(false);
    expect(await removeBackup(inner, name)).toBe(false);
  }
  expect(readdirSync(folder)).toContain("kept");
});
