import { infiniteQueryOptions, type QueryKey, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { apiFetch } from "#lib/client/fetcher";
import type { CHANGES } from "#lib/contracts/api/change-operations";
import type { READS } from "#lib/contracts/api/read-operations";
import { writeJson } from "#lib/contracts/exact-json";
import { invalidate } from "./keys.ts";

type Operations = typeof READS & typeof CHANGES;

/** `GET /api/v1/events/{id}`, as its route declares it; with the status where answers differ by it. */
type Operation = keyof Operations;

type Schema<Load, Name> = Load extends () => Promise<infer Contract> ? Contract[Name & keyof Contract] : null;
type Output<S> = S extends z.ZodMiniType ? z.output<S> : null;
type BodyOf<Entry> = Entry extends readonly [unknown, unknown, infer Load, infer Name]
  ? Schema<Load, Name> extends infer S extends z.ZodMiniType
    ? z.input<S>
    : never
  : undefined;
type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;

type Answer<O extends Operation> = Output<Schema<Operations[O][0], Operations[O][1]>>;
type Body<O extends Operation> = BodyOf<Operations[O]>;

type Call = {
  query?: URLSearchParams | Record<string, string | number | null | readonly string[]>;
  signal?: AbortSignal;
  /** A POST that changes nothing. */
  asks?: boolean;
};
/** Parameters of the path by name, and what is sent. */
type Input<O extends Operation> = Record<ParameterOf<O>, string> &
  Call &
  (Body<O> extends undefined ? unknown : object extends Body<O> ? { body?: Body<O> } : { body: Body<O> });
type Inputs<O extends Operation> = object extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

/** Calls an operation of the API: the types of its body and answer are those of its route. @throws ApiProblem as `apiFetch` */
export async function call<O extends Operation>(operation: O, ...inputs: Inputs<O>): Promise<Answer<O>> {
  const { query = {}, signal, asks, body, ...parameters } = (inputs[0] ?? {}) as Call & { body?: unknown } & Record<string, string>;
  const [method = "GET", template = ""] = operation.split(" ");
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
  const search = searchOf(query).toString();
  return apiFetch(() => loadSchema(operation), search === "" ? path : `${path}?${search}`, {
    method,
    ...(signal && { signal }),
    ...(asks && { asks }),
    ...(method !== "GET" && { headers: { "content-type": "application/json" }, body: writeJson(body ?? {}) }),
  }) as Promise<Answer<O>>;
}

function searchOf(query: NonNullable<Call["query"]>): URLSearchParams {
  if (query instanceof URLSearchParams) return query;
  const all = Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, String(each)]));
  return new URLSearchParams(all);
}

const isRead = (operation: Operation): operation is keyof typeof READS => operation.startsWith("GET ");

async function loadSchema(operation: Operation): Promise<z.ZodMiniType | null> {
  const [load, name] = isRead(operation)
    ? (await import("#lib/contracts/api/read-operations")).READS[operation]
    : (await import("#lib/contracts/api/change-operations")).CHANGES[operation as keyof typeof CHANGES];
  return load && (((await load()) as unknown as Record<string, z.ZodMiniType>)[name] ?? null);
}

const withSignal = <O extends Operation>([input]: Inputs<O>, more: Call): Inputs<O> => [{ ...input, ...more }] as unknown as Inputs<O>;

/** A query that reads an operation. */
export const reading = <O extends Operation>(queryKey: QueryKey, operation: O, ...inputs: Inputs<O>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => call(operation, ...withSignal(inputs, { signal })) });

type Rows<O extends Operation> = Answer<O> extends { data: infer Data } ? Data : never;

/** A query that reads the rows of a list's first page. */
export const readingRows = <O extends Operation>(queryKey: QueryKey, operation: O, ...inputs: Inputs<O>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => ((await call(operation, ...withSignal(inputs, { signal }))) as { data: Rows<O> }).data,
  });

/** A query that reads a list page by page. */
export const readingPages = <O extends Operation>(queryKey: QueryKey, operation: O, ...inputs: Inputs<O>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(searchOf(inputs[0]?.query ?? {}));
      if (pageParam !== null) query.set("cursor", pageParam);
      return call(operation, ...withSignal(inputs, { query, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor,
  });

/** A change, after which `stale` is fetched again. `into` names the query whose data the answer is. */
export function useChange<In = void, Out = unknown>(
  change: (input: In) => Promise<Out>,
  stale: readonly QueryKey[],
  into?: (answer: Out) => QueryKey,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => into && queries.setQueryData(into(answer), answer),
    onSettled: () => invalidate(queries, ...stale),
  });
}

/** A change whose answer has a secret. Done before lists have it, so the dialog can show it; the secret doesn't stay in the browser's cache. */
export function useSecretChange<In = void, Out = unknown>(change: (input: In) => Promise<Out>, stale: readonly QueryKey[]) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => void invalidate(queries, ...stale), gcTime: 0 });
}

/** The value of the path's parameter, if it has one. */
type Place<O extends Operation> = [ParameterOf<O>] extends [never] ? [] : [value: string];
// biome-ignore lint/suspicious/noConfusingVoidType: `mutateAsync()` of a change without a body
type Sent<O extends Operation> = Body<O> extends undefined ? void : object extends Body<O> ? Body<O> | undefined : Body<O>;

const sending =
  <O extends Operation>(operation: O, value = "") =>
  (body: Sent<O>): Promise<Answer<O>> => {
    const [, name = ""] = /\{(\w+)\}/.exec(operation) ?? [];
    return call(operation, ...([{ [name]: value, body }] as unknown as Inputs<O>));
  };

/** Makes the hook of a change that is one operation: it takes the parameter of the path, and the change the body. As `useChange` */
export const changing = <O extends Operation>(operation: O, stale: readonly QueryKey[], into?: (answer: Answer<O>) => QueryKey) =>
  function useOperation(...[value]: Place<O>) {
    return useChange(sending(operation, value), stale, into);
  };

/** Makes the hook of an operation whose answer has a secret. As `useSecretChange` */
export const changingSecret = <O extends Operation>(operation: O, stale: readonly QueryKey[]) =>
  function useOperation(...[value]: Place<O>) {
    return useSecretChange(sending(operation, value), stale);
  };
