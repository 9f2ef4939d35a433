import { readdirSync } from "node:fs";
import path from "node:path";
import type { RouteDeclaration, RouteExample } from "#lib/api/route-declaration";

const APP = path.resolve(import.meta.dirname, "../../app");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

type Handler = ((request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>) & {
  declaration?: RouteDeclaration;
  rejects?: true;
};
type RouteModule = { route: string; handlers: Map<string, Handler> };

/** One method of one address of the product. `route` is its folder below app: `api/v1/events/[id]`. */
export type Endpoint = { route: string; method: string; handler: Handler; declaration: RouteDeclaration | undefined };
/** A method that an address does not take, with those that it does. Without a handler the framework answers by itself. */
type Refusal = Omit<Endpoint, "handler"> & { handler: Handler | undefined; taken: string[] };
export type DeclaredEndpoint = Endpoint & { declaration: RouteDeclaration };

/** Every route handler below app/, or some of them, found on disk: nothing has to be registered, and nothing can be forgotten. */
export const listEndpoints = async (isWanted = (_file: string) => true): Promise<Endpoint[]> =>
  (await listModules(isWanted)).flatMap(({ route, handlers }) =>
    METHODS.flatMap((method) => {
      const handler = handlers.get(method);
      return handler && !handler.rejects ? [{ route, method, handler, declaration: handler.declaration }] : [];
    }),
  );

/** Every method that an address of the API does not take. */
export async function listRefusals(): Promise<Refusal[]> {
  const api = (await listModules()).filter(({ route }) => route.startsWith("api/v1/"));
  return api.flatMap(({ route, handlers }) => {
    const taken = METHODS.filter((method) => handlers.has(method) && !handlers.get(method)?.rejects);
    const others = METHODS.filter((method) => !taken.includes(method));
    return others.map((method) => ({ route, method, handler: handlers.get(method), declaration: undefined, taken }));
  });
}

async function listModules(isWanted = (_file: string) => true): Promise<RouteModule[]> {
  const found = readdirSync(APP, { recursive: true, encoding: "utf8" });
  const files = found.filter((file) => path.basename(file) === "route.ts" && isWanted(file));
  const modules = files.sort().map(async (file): Promise<RouteModule> => {
    const exported = Object.entries((await import(path.join(APP, file))) as Record<string, unknown>);
    const handlers = exported.filter((each): each is [string, Handler] => typeof each[1] === "function");
    return { route: path.dirname(file).replaceAll("\\", "/"), handlers: new Map(handlers) };
  });
  return Promise.all(modules);
}

/** The routes that are made by defineRoute: all but the short list of public ones. */
export const listDeclared = async (): Promise<DeclaredEndpoint[]> =>
  (await listEndpoints()).filter((endpoint): endpoint is DeclaredEndpoint => endpoint.declaration !== undefined);

/** The same call as the example of the route's declaration, with these headers. */
export function callExample(endpoint: DeclaredEndpoint, headers: Record<string, string>, change: RouteExample = {}): Promise<Response> {
  return callEndpoint(endpoint, headers, { ...endpoint.declaration.example, ...change });
}

/** Calls a handler as Next would. */
export function callEndpoint(
  { route, method, handler }: Endpoint,
  headers: Record<string, string>,
  input: RouteExample = {},
): Promise<Response> {
  const { params = {}, query = {}, body } = input;
  const address = route.replaceAll(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent((params[name] ?? name).toWellFormed()));
  const url = `http://localhost:3000/${address}?${new URLSearchParams(query)}`;
  const init = method === "GET" ? {} : { body: JSON.stringify(body ?? {}) };
  return handler(new Request(url, { method, headers: { "content-type": "application/json", ...headers }, ...init }), {
    params: Promise.resolve(params),
  });
}
