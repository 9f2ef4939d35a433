import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { answerDecision } from "#lib/sandbox/oauth/authorize-endpoint";

/** The dialog's form posts here (docs/platform.md, OAuth step 2 follows). */
export const POST = whileSandboxOn(async (request: Request) => answerDecision(request, new Date()));
