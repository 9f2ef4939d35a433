import { webhookRoute } from "#lib/flows/ingest/receive-webhook";
import { processReceiver } from "#lib/flows/ingest/receiver";

/** For hosts that run Next alone. Under `npm start`, lib/processes/web.ts answers this path before Next sees it. */
const handle = webhookRoute(processReceiver);

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT };
