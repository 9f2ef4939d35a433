import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import S3rver from "s3rver";
import { makeOpenFolder } from "./open-folder.ts";

export const BUCKET = "backups";
const PREFIX = "signalbox";

/** Answers a request in place of the store. @returns true when it did, or will */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** An S3 server on this machine, with faults on demand. */
export type S3Server = {
  /** The settings that lead to it. */
  environment: Record<string, string>;
  /** Puts something in front of the store; null takes it away. */
  fault: (fault: Fault | null) => void;
  /** The requests that it got, as "PUT /backups/name", since the last call. */
  requests: () => string[];
  close: () => Promise<void>;
};

/**
 * Starts a server with an empty bucket. Its keys are those that s3rver knows. Its folder stays after its end, in the folder of the test run or
 * in `parent`: s3rver opens an object's file although its sender has died meanwhile, and a folder that is gone by then ends the process.
 */
export async function startS3Server(parent?: string): Promise<S3Server> {
  const directory = makeOpenFolder("signalbox-s3-", parent);
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET, configs: [] }] });
  await s3.configureBuckets();
  // It removes a folder with its last object, also while the next is being written there.
  mkdirSync(path.join(directory, BUCKET, PREFIX, "stays"), { recursive: true });
  const answer = s3.callback();
  let fault: Fault | null = null;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split("?")[0]}`);
    if (!fault?.(request, response)) answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      BACKUP_S3_URL: `s3://${BUCKET}/${PREFIX}`,
      BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
      BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
      BACKUP_KEY: `b1:${Buffer.alloc(32, 9).toString("base64")}`,
    },
    fault: (next) => {
      fault = next;
    },
    requests: () => asked.splice(0),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
