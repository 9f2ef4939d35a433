import type { Actor } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type CreatedDestination, createDestinationBody } from "#lib/contracts/forwarding/destinations";
import { createDestination } from "#lib/flows/forwarding/destinations";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { contextOf } from "#tests/support/context";
import { envelope, signed } from "#tests/support/webhooks";
import { drainInbox } from "../log-writer.ts";
import { ofThisFile } from "../of-this-file.ts";
import { receiveUntilKept } from "../receive-until-kept.ts";

/** Somebody who may do everything in a workspace. */
export const ownerOf = (workspaceId: WorkspaceId): Actor => ({
  workspaceId,
  workspaceName: "Acme",
  role: "owner",
  by: { kind: "session", sessionHash: "0123456789abcdef", userId: "usr_1", email: "ada@example.com", name: "Ada" },
});

/** The context of a request by them. */
export const asOwner = (workspaceId: WorkspaceId): Context => contextOf(ownerOf(workspaceId));

/** Makes a destination as the form does. */
export const makeDestination = (workspaceId: WorkspaceId, settings: Record<string, unknown>): Promise<CreatedDestination> =>
  createDestination(asOwner(workspaceId), createDestinationBody.parse({ name: "Target", ...settings }));

/** Receives a webhook of the platform, which sends it again while the answer is 503. @returns the bytes that were sent */
export async function receive(source: string, event: Record<string, unknown> = {}): Promise<string> {
  const { body, headers } = signed(envelope(event));
  const receiver = ofThisFile("receiver", createReceiver);
  const { status } = await receiveUntilKept(receiver, { source, headers, body });
  if (status !== 200) throw new Error(`the webhook was answered ${status}`);
  return body;
}

/** Applies all that waits in the inbox. */
export async function applyAll(): Promise<void> {
  await drainInbox();
}

/** Receives a webhook and applies all that waits. @returns the bytes that were sent */
export async function receiveAndApply(source: string, event: Record<string, unknown> = {}): Promise<string> {
  const body = await receive(source, event);
  await applyAll();
  return body;
}
