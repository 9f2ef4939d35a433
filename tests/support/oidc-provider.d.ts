// The package brings no types; this is the little that the tests use of it.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Interaction = { uid: string; prompt: { name: string }; params: Record<string, unknown>; session?: { accountId: string } };
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (...values: unknown[]) => void): void;
    readonly Grant: new (fields: {
      accountId: string | undefined;
      clientId: unknown;
    }) => Grant;
  }
}
