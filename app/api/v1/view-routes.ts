import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { asOfQuery, type ViewKind, viewDetail, viewPage, viewQuery } from "#lib/contracts/views";
import { withUnknown } from "#lib/flows/events/unknown-in-filter";
import { listViewPage, readView } from "#lib/flows/views/read-views";

/** Names in the API reference, and the ID in the example. */
const WORDS: Record<ViewKind, { one: string; many: string; example: string }> = {
  document: { one: "a document", many: "documents", example: "doc_example" },
  task: { one: "a task", many: "tasks", example: "task_example" },
  pipeline: { one: "a pipeline", many: "pipelines", example: "pipe_example" },
  automation: { one: "an automation", many: "automations", example: "auto_example" },
  run: { one: "an automation run", many: "automation runs", example: "run_example" },
  integration: { one: "an integration", many: "integrations", example: "int_example" },
  record: { one: "a record of another sender", many: "records of other senders", example: "source-example:customer:cus_example" },
};

export const viewListRoute = (kind: ViewKind) =>
  defineRoute("GET", {
    operation: "views.read",
    summary: `List ${WORDS[kind].many}`,
    query: viewQuery,
    answers: { 200: viewPage },
    example: { query: { limit: "20" } },
    handle: ({ actor, query }) =>
      withUnknown(actor.workspaceId, { source: query.source, cursor: query.cursor }, listViewPage(actor.workspaceId, kind, query)),
  });

export const viewDetailRoute = (kind: ViewKind) =>
  defineRoute("GET", {
    operation: "views.read",
    cost: "heavy",
    summary: `Read ${WORDS[kind].one}, now or at a point in time`,
    params: idParams,
    query: asOfQuery,
    answers: { 200: viewDetail },
    example: { params: { id: WORDS[kind].example } },
    handle: ({ actor, params, query: { asOf } }) =>
      expectFound(readView(actor.workspaceId, kind, params.id, asOf ?? null), `${kind} with that ID${asOf ? " at that time" : ""}`),
  });
