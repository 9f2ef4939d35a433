import { useMutation } from "@tanstack/react-query";
import { apiSend, contract } from "#lib/client/fetch/fetcher";
import type { ExportBody } from "#lib/contracts/events/events";

const operationsContract = contract(() => import("#lib/contracts/operations/operations"));

export const useExport = () =>
  useMutation({
    mutationFn: async (body: ExportBody) => {
      const prepared = await apiSend(operationsContract("operation"), "POST", "/api/v1/events/exports", body);
      const link = document.createElement("a");
      link.href = `/api/v1/events/exports/${encodeURIComponent(prepared.id)}`;
      link.download = "";
      link.click();
      return prepared;
    },
  });
