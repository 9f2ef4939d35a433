import { useMutation } from "@tanstack/react-query";
import type { ExportBody } from "#lib/contracts/events/events";

/** Prepares an export and lets the browser download it. @returns the operation, to watch */
export const useExport = () =>
  useMutation({
    mutationFn: async (body: ExportBody) => {
      const [{ apiSend }, { operation }] = await Promise.all([import("#lib/client/fetch/fetcher"), import("#lib/contracts/operations")]);
      const prepared = await apiSend(operation, "POST", "/api/v1/events/exports", body);
      const link = document.createElement("a");
      link.href = `/api/v1/events/exports/${encodeURIComponent(prepared.id)}`;
      link.download = "";
      link.click();
      return prepared;
    },
  });
