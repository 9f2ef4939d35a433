import type { NewEvent } from "#lib/ingest/receipt";

type Given = Pick<NewEvent, "workspaceId" | "sourceId" | "eventId" | "type" | "created" | "body"> & {
  receivedAt?: Date;
  headers?: Record<string, string>;
};

/** An event as the receiver hands it to the log, of which only this matters. */
export const newEvent = ({ receivedAt = new Date(), headers = {}, ...given }: Given): NewEvent => ({
  ...given,
  recognised: true,
  signatureForm: "raw",
  secretId: "sec",
  receivedBody: null,
  headers,
  remoteAddress: null,
  receivedAt,
});
