import { env } from "#lib/config/env";
import type { ReceiverBehaviour, ReceivingApp } from "#lib/contracts/forwarding/receiving-app";
import { findReceiver, listReceived } from "./receiver-store.ts";

const NEWEST = 100;
const AT_FIRST: ReceiverBehaviour = { answer: "ok", every: 3, status: 500, delayMs: 0 };

export async function readReceivingApp(workspaceId: string): Promise<ReceivingApp> {
  const receiver = await findReceiver(workspaceId);
  if (!receiver) return { url: null, behaviour: AT_FIRST, requests: 0, received: [] };
  const { id, behaviour, requests } = receiver;
  return { url: `${env().APP_URL}/sandbox/receiving-app/${id}`, behaviour, requests, received: await listReceived(id, NEWEST) };
}
