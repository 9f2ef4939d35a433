import { z } from "zod";
import { AppError } from "#lib/contracts/app-error";
import { type ViewKind, viewQuery } from "#lib/contracts/views";
import { listViewPage } from "#lib/flows/list-view-page";
import { readView } from "#lib/flows/read-view";
import { defineRoute } from "#lib/http/define-route";

/** `GET /api/v1/<kind>s`: the views of one kind. */
export const viewListRoute = (kind: ViewKind) =>
  defineRoute({
    operation: "views.read",
    query: viewQuery,
    handle: ({ actor, query }) => listViewPage(actor.workspaceId, kind, query),
  });

/** `GET /api/v1/<kind>s/{id}?asOf=`: one view, now or as of a moment. */
export const viewDetailRoute = (kind: ViewKind) =>
  defineRoute({
    operation: "views.read",
    query: z.object({ asOf: z.string().max(40).optional() }),
    handle: async ({ actor, params, query }) => {
      const view = await readView(actor.workspaceId, kind, params.id ?? "", query.asOf ?? null);
      if (!view) throw new AppError("not_found", `The log speaks of no ${kind} of that id${query.asOf ? " by then" : ""}.`);
      return view;
    },
  });
