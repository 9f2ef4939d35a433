import { readdirSync } from "node:fs";
import path from "node:path";
import type { RouteDeclaration, RouteExample } from "#lib/api/route-declaration";

const APP = path.resolve(import.meta.dirname, "../../app");
const FILES = readdirSync(APP, { recursive: true, encoding: "utf8" });
const ROUTE_FILES = FILES.filter((file) => path.basename(file) === "route.ts").sort();
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
  const modules = ROUTE_FILES.filter(isWanted).map(async (file): Promise<RouteModule> => {
    const exported = Object.entries((await import(path.join(APP, file))) as Record<string, unknown>);
    const handlers = exported.filter((each): each is [string, Handler] => typeof each[1] === "function");
    return { route: path.dirname(file).replaceAll("\\", "/"), handlers: new Map(handlers) };
  });
  return Promise.all(modules);
}

const isDeclared = (endpoint: Endpoint): endpoint is DeclaredEndpoint => endpoint.declaration !== undefined;

/** The routes that are made by defineRoute: all but the short list of public ones. */
export const listDeclared = async (): Promise<DeclaredEndpoint[]> => (await listEndpoints()).filter(isDeclared);

/** One method of one address; no other address is read. @throws when there is none */
async function findEndpoint(method: string, route: string): Promise<Endpoint> {
  const found = await listEndpoints((file) => file === path.join(route, "route.ts"));
  return found.find((each) => each.method === method) ?? Promise.reject(new Error(`there is no ${method} ${route}`));
}

/** One route that is made by defineRoute: `findDeclared("GET", "api/v1/events/[id]")`. @throws when there is none */
export async function findDeclared(method: string, route: string): Promise<DeclaredEndpoint> {
  const endpoint = await findEndpoint(method, route);
  if (!isDeclared(endpoint)) throw new Error(`${method} ${route} is not made by defineRoute`);
  return endpoint;
}

/** Calls one method of one address, found by its folder below app. */
export const callRoute = async (
  method: string,
  route: string,
  headers: Record<string, string>,
  input: RouteExample = {},
): Promise<Response> => callEndpoint(await findEndpoint(method, route), headers, input);

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
